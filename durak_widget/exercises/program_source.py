"""A student's function or bot as a text that stands by itself: with the functions, imports and plain values that it uses, in whichever cell these are written."""

from __future__ import annotations
import __future__ as future

import ast
import builtins
import dis
import inspect
import math
import sys
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import partial
from inspect import signature
from pathlib import Path
from re import sub
from sysconfig import get_paths
from textwrap import dedent
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from durak_widget.bots.bot import OWN, get
from durak_widget.cards import Card
from durak_widget.engine.moves import Move
from durak_widget.errors import DurakError, quoted
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST: Final = 100_000
"""So long may the text of a program be."""
_FUTURE: Final = "from __future__ import annotations\n"
"""So what a function says of its arguments need not be there."""
_PLAIN: Final = (bool, int, float, str, bytes, type(None), type(Ellipsis))
_CALLED: Final = (Fraction, Decimal, Card, Move)
"""Values that are written as a call of their class."""
_LOADS: Final = {"LOAD_GLOBAL", "LOAD_NAME"}
_CHOOSE: Final = "choose"
_APART: Final = "lesson.bot.apart"
_CACHED: Final = "_lru_cache_wrapper"
_DEEPEST: Final = 20


def text_of_program(code: object) -> str:
    r"""A program as it is handed in.

    >>> text_of_program("# " + chr(0xd800))
    Traceback (most recent call last):
    durak_widget.errors.DurakError: the program holds half a character, which cannot be written: '# \ud800'
    """
    if not isinstance(code, str) or len(code) > MOST:
        raise DurakError(f"a program is handed in as a text of at most {MOST:,} characters, not as {quoted(code)}")
    try:
        code.encode()
    except UnicodeEncodeError:
        raise DurakError(f"the program holds half a character, which cannot be written: {quoted(code)}") from None
    return code


def program_of(chooses: object, name: str = "") -> str:
    """The text of a program whose `choose` chooses as this function or bot does; a `DurakError` says what cannot go with it.

    >>> def mine(view):
    ...     return view.legal_moves()[0]
    >>> print(program_of(mine))
    def mine(view):
        return view.legal_moves()[0]
    <BLANKLINE>
    choose = mine
    <BLANKLINE>
    """
    gathered = _Gathered()
    own = chooses.__code__.co_name if isinstance(chooses, FunctionType) else ""
    try:
        chosen = gathered.expression(chooses, own if own.isidentifier() else _CHOOSE)
    except RefusedError as error:
        if error.facts.get("name") == _CHOOSE and error.key == _APART:
            _refuse_separate(name or type(chooses).__name__)
        raise
    text = "\n\n".join([*gathered.statements, *gathered.chosen(chosen)]) + "\n"
    return text_of_program(f"{_FUTURE}\n{text}" if gathered.annotated else text)


class _Written(NamedTuple):
    """What somebody has written, where it can be read."""

    text: str
    space: Mapping[str, Any]
    """What its names mean."""
    annotated: bool


class _Gathered:
    """Statements that stand by themselves, each after what it needs."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.annotated = False
        self._meant: dict[str, object] = {}
        self._called: dict[int, str] = {}
        self._depth = 0

    def chosen(self, name: str) -> list[str]:
        """The last statement: what chooses is called so."""
        if name != _CHOOSE and _CHOOSE in self._meant:
            raise RefusedError("lesson.bot.twice", name=_CHOOSE)
        return [] if name == _CHOOSE else [f"{_CHOOSE} = {name}"]

    def expression(self, value: Any, name: str = "") -> str:  # noqa: ANN401 - whatever somebody's program uses
        """How a value is written; what takes a statement of its own is given one, and then its name."""
        self._depth += 1
        try:
            if self._depth > _DEEPEST:
                _refuse_separate(name)
            return self._expression(value, name)
        finally:
            self._depth -= 1

    def _expression(self, value: Any, name: str) -> str:  # noqa: ANN401 - as above
        kind = type(value)
        if kind in _PLAIN:
            return f"float('{value}')" if isinstance(value, float) and not math.isfinite(value) else repr(value)
        if kind in (list, tuple, set, frozenset, dict):
            return self._several(value, name)
        if kind in _CALLED:
            return f"{self._name(kind.__name__, kind)}{repr(value).removeprefix(kind.__name__)}"
        if kind.__module__ == "numpy" and hasattr(value, "tolist"):
            made = f"{self._name('numpy', sys.modules['numpy'])}.array({self.expression(value.tolist(), name)})"
            return made if kind.__name__ == "ndarray" else f"{made}[()]"
        if id(value) not in self._called:
            self._called[id(value)] = self._free(name or getattr(value, "__name__", "") or "_it")
            self._define(self._called[id(value)], value)
        return self._called[id(value)]

    def _several(self, value: Any, name: str) -> str:  # noqa: ANN401 - as above
        if isinstance(value, dict):
            return f"{{{', '.join(f'{self.expression(key, name)}: {self.expression(one, name)}' for key, one in value.items())}}}"
        parts = [self.expression(one, name) for one in value]
        if type(value) is list:
            return f"[{', '.join(parts)}]"
        if type(value) is tuple:
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        return f"{type(value).__name__}([{', '.join(parts)}])"

    def _free(self, name: str) -> str:
        """A name that means nothing else yet."""
        plain = name if name.isidentifier() else "_it"
        return next(one for one in (plain, *(f"{plain}_{number}" for number in range(2, 10_000))) if one not in self._meant)

    def _name(self, name: str, value: object) -> str:
        """Let a name mean a value, as it does where it is used."""
        if name not in self._meant:
            self._meant[name] = value
            self._define(name, value)
        elif self._meant[name] is not value:
            raise RefusedError("lesson.bot.twice", name=name)
        return name

    def _define(self, name: str, value: Any) -> None:  # noqa: ANN401 - as above
        """The statement after which a name means that value."""
        self._meant[name] = value
        self._called.setdefault(id(value), name)
        if asked := _asked_by_name(value):
            self.statements.append(f"{name} = {self.expression(get, '_bot_by_name')}({asked}).plays")
        elif found := _imported(name, value):
            self.statements.append(found)
        elif isinstance(value, ModuleType):
            raise RefusedError("lesson.bot.file", name=f"{value.__name__}.py", code=f"from {value.__name__} import …")
        elif isinstance(value, FunctionType):
            self._function(name, value)
        elif isinstance(value, type):
            self._written(name, value.__name__, _class_of(value))
        elif isinstance(value, MethodType):
            self.statements.append(f"{name} = {self.expression(value.__self__)}.{value.__name__}")
        elif isinstance(value, partial):
            given = [*map(self.expression, value.args), *(f"{key}={self.expression(one)}" for key, one in value.keywords.items())]
            made = self._name("partial", partial)
            self.statements.append(f"{name} = {made}({', '.join([self.expression(value.func), *given])})")
        elif type(value).__name__ == _CACHED:
            sizes = ", ".join(f"{key}={one!r}" for key, one in value.cache_parameters().items())
            made = self._name("lru_cache", sys.modules["functools"].lru_cache)
            self.statements.append(f"{name} = {made}({sizes})({self.expression(value.__wrapped__)})")
        elif (text := self._simple(value, name)) is not None:
            self.statements.append(f"{name} = {text}")
        else:
            self._object(name, value)

    def _simple(self, value: Any, name: str) -> str | None:  # noqa: ANN401 - as above
        simple = type(value) in (*_PLAIN, *_CALLED, list, tuple, set, frozenset, dict) or type(value).__module__ == "numpy"
        return self.expression(value, name) if simple else None

    def _object(self, name: str, value: Any) -> None:  # noqa: ANN401 - as above
        """An object of a class of somebody's own, as it is now."""
        kind, state = type(value), getattr(value, "__dict__", None)
        if state is None or (_installed(kind.__module__) and not kind.__module__.startswith("durak_widget.")):
            _refuse_separate(name)
        own = self._name(kind.__name__, kind)
        try:
            parts = ", ".join(f"{key!r}: {self.expression(one, key)}" for key, one in state.items())
        except RefusedError:
            if _installed(kind.__module__):  # nobody knows what is in it
                _refuse_separate(name)
            raise
        self.statements.append(f"{name} = object.__new__({own})" + (f"\n{name}.__dict__.update({{{parts}}})" if parts else ""))

    def _function(self, name: str, value: FunctionType) -> None:
        own, written = value.__code__.co_name, _function_of(value)
        if own != "<lambda>":
            self._written(name, own, written)
            return
        self._needs(written)
        self.statements.append(f"{name} = {written.text}")

    def _written(self, name: str, own: str, written: _Written) -> None:
        """A definition under its own name, and under that by which it is used."""
        text = written.text
        if own != name:
            taken = own in self._meant
            self._meant.setdefault(own, self._meant[name])
            text = sub(rf"\b(def|class)\s+{own}\b", rf"\1 {name}", text, count=1) if taken else f"{text}\n\n{name} = {own}"
        self._needs(written)
        self.statements.append(text)

    def _needs(self, written: _Written) -> None:
        """What is used there is defined before."""
        self.annotated |= written.annotated
        code = compile(written.text, "<program>", "exec", future.annotations.compiler_flag, dont_inherit=True)
        made = {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_NAME"}
        for name in sorted(_used(code) - made - {"__name__", "__module__", "__qualname__", "__annotations__"}):
            if name in written.space and not _of_the_shell(name, written.space[name]):
                self._name(name, written.space[name])
            elif not hasattr(builtins, name) and not _stored(code, name):
                raise RefusedError("lesson.bot.unknown", name=name)


def _refuse_separate(name: str) -> NoReturn:
    raise RefusedError(_APART, name=name)


def _used(code: CodeType) -> set[str]:
    """The names that code looks up outside of itself, with all that is defined in it."""
    own = {one.argval for one in dis.get_instructions(code) if one.opname in _LOADS}
    return own.union(*(_used(one) for one in code.co_consts if isinstance(one, CodeType)))


def _of_the_shell(name: str, value: object) -> bool:
    """Whether it is what a notebook has put in the place of something of Python's own, such as `open`."""
    return hasattr(builtins, name) and (getattr(getattr(value, "__globals__", None), "get", str)("__name__") or "").startswith("IPython")


def _stored(code: CodeType, name: str) -> bool:
    """Whether a name is given a meaning somewhere in it, as those of a class are."""
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return any(one.argval == name and one.opname.startswith("STORE_") for one in dis.get_instructions(code)) or any(
        _stored(one, name) for one in inner
    )


def _installed(module: str) -> bool:
    """Whether a module is there for everybody: of Python itself, or installed; and no file of one's own."""
    there = sys.modules.get(module)
    if module == "__main__" or there is None:
        return False
    file = getattr(there, "__file__", None)
    if module.partition(".")[0] in {"durak_widget", *sys.builtin_module_names} or file is None:
        return True
    homes = [Path(place).resolve() for name, place in get_paths().items() if name in {"stdlib", "platstdlib", "purelib", "platlib"}]
    return any(home in Path(file).resolve().parents for home in homes)


def _asked_by_name(value: Any) -> str:  # noqa: ANN401 - as above
    """Return the arguments of `bots.get` that make a bot of this package again; an empty string for other objects and for a bot that was changed.

    >>> _asked_by_name(get("careful", miserly=True).plays), _asked_by_name(get("first").plays)
    ("'careful', miserly=True", "'first'")
    """
    made = value if isinstance(value, FunctionType) else type(value)
    if not str(made.__module__).startswith("durak_widget.bots."):  # a function made by `exec` may have no module
        return ""
    for name in OWN:
        plays: Any = get(name).plays
        if plays is value:
            return repr(name)
        if type(plays) is made:
            settings = {setting: getattr(value, setting, None) for setting in signature(made).parameters}
            with suppress(DurakError):  # it has settings that no bot can have
                if _is_same(get(name, **settings).plays, value):
                    return ", ".join([repr(name), *(f"{setting}={given!r}" for setting, given in settings.items())])
    return ""


def _is_same(one: Any, other: Any) -> bool:  # noqa: ANN401 - as above
    """Return whether two objects are alike: those of this package by their attributes, all others by `==`."""
    if type(one) is not type(other):
        return False
    if str(type(one).__module__).startswith("durak_widget.") and hasattr(one, "__dict__"):
        mine, theirs = vars(one), vars(other)
        return mine.keys() == theirs.keys() and all(_is_same(mine[name], theirs[name]) for name in mine)
    with suppress(Exception):  # the `==` of another class may raise anything
        return bool(one == other)
    return False


def _imported(name: str, value: Any) -> str:  # noqa: ANN401 - as above
    """The import of a module, or of what a module has; nothing for what is one's own."""
    if isinstance(value, ModuleType):
        known = value.__name__
        if not _installed(known):
            return ""
        inside, _, last = known.rpartition(".")
        if package := _public_package(inside, last, value):
            return f"from {package} import {last}" + (f" as {name}" if name != last else "")
        return f"import {known}" if known == name else f"import {known} as {name}"
    home, own = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if not isinstance(home, str) or not isinstance(own, str) or not _installed(home):
        return ""
    if getattr(sys.modules[home], own, None) != value or isinstance(value, partial):
        return ""
    return f"from {_public_package(home, own, value) or home} import {own}" + (f" as {name}" if name != own else "")


def _public_package(module: str, own: str, value: object) -> str:
    """Return the package that lists a value among its public names, or an empty string.

    Public names change less often than names of modules. `sandbox/former_module_names.py` lists the names that changed.

    >>> _public_package("durak_widget.engine.moves", "Move", Move), _public_package("durak_widget.errors", "quoted", quoted)
    ('durak_widget', '')
    """
    top, _, inner = module.partition(".")
    if top != "durak_widget":
        return ""
    for package in (top, f"{top}.{inner.partition('.')[0]}"):
        public = sys.modules.get(package)
        with suppress(ImportError):  # it lists another value of that name, which needs a package that is not installed
            if own in getattr(public, "__all__", ()) and getattr(public, own) is value:
                return package
    return ""


def _function_of(function: FunctionType) -> _Written:
    """A function as it is written, without what was made of it afterwards: that is another one."""
    code, own = function.__code__, function.__code__.co_name
    space = dict(function.__globals__)
    for free, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # it has no meaning yet
            space[free] = cell.cell_contents
    lines, tree = _read(code)
    kinds = (ast.Lambda,) if own == "<lambda>" else (ast.FunctionDef,)
    found = [one for one in ast.walk(tree) if isinstance(one, kinds) and _first(one) == code.co_firstlineno]
    if own == "<lambda>":
        texts = {ast.unparse(one) for one in found}
        if len(texts) > 1:
            texts = {ast.unparse(one) for one in found if _lambda(one) == code.co_code}
        if len(texts) != 1:
            _as_text()
        return _Written(texts.pop(), space, False)
    if not found or not isinstance(found[0], ast.FunctionDef):
        _as_text()
    return _Written(_lines(lines, found[0], found[0].lineno), space, _annotated(found[0]))


def _class_of(kind: type) -> _Written:
    """A class as it is written, with its decorators."""
    for one in vars(kind).values():
        if not isinstance(one, FunctionType) or one.__code__.co_filename == "<string>":  # as a dataclass makes some
            continue
        lines, tree = _read(one.__code__)
        at = one.__code__.co_firstlineno
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and node.name == kind.__name__ and _first(node) <= at <= (node.end_lineno or 0):
                return _Written(_lines(lines, node, _first(node)), one.__globals__, _annotated(node))
    return _as_text()


def _as_text() -> NoReturn:
    raise RefusedError("lesson.bot.as_text", code='{"code": "def choose(view): …"}')


def _read(code: CodeType) -> tuple[list[str], ast.Module]:
    """The cell or file in which code is written."""
    try:
        lines, _ = inspect.findsource(code)
        return lines, ast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError, ValueError, IndexError):
        _as_text()


def _first(node: Any) -> int:  # noqa: ANN401 - a definition
    """The line in which it begins, with its decorators."""
    lines: list[int] = [node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))]
    return min(lines)


def _lines(lines: list[str], node: Any, first: int) -> str:  # noqa: ANN401 - as above
    text = dedent("".join(lines[first - 1 : node.end_lineno])).strip("\n")
    try:
        ast.parse(text)
    except SyntaxError:  # it shares its line with something, or its texts are not indented
        text = ast.unparse(node)
    return text


def _annotated(node: ast.AST) -> bool:
    return any(getattr(one, "annotation", None) or getattr(one, "returns", None) for one in ast.walk(node))


def _lambda(node: ast.AST) -> bytes:
    """The code of a lambda, which is told from others of the same line by it."""
    made = compile(ast.fix_missing_locations(ast.Expression(node)), "<program>", "eval", dont_inherit=True)  # type: ignore[arg-type]
    return next(one.co_code for one in made.co_consts if isinstance(one, CodeType))
