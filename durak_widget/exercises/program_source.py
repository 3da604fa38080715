"""Turns a student's function or bot into source code that runs on its own.

The functions, imports and plain values that it uses are included, whichever notebook cell they are in.
"""

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
"""The largest number of characters of a program."""
_FUTURE: Final = "from __future__ import annotations\n"
"""The line that makes annotations unevaluated, so that their names need not exist."""
_PLAIN: Final = (bool, int, float, str, bytes, type(None), type(Ellipsis))
_CALLED: Final = (Fraction, Decimal, Card, Move)
"""Types whose values are written as a call of the type."""
_LOADS: Final = {"LOAD_GLOBAL", "LOAD_NAME"}
_CHOOSE: Final = "choose"
_APART: Final = "lesson.bot.apart"
_CACHED: Final = "_lru_cache_wrapper"
_DEEPEST: Final = 20


def text_of_program(code: object) -> str:
    r"""Return the text of a program that is handed in, or raise a `DurakError`.

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
    """Return the text of a program whose `choose` is this function or bot.

    A `RefusedError` says what can't be included.

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
    own_name = chooses.__code__.co_name if isinstance(chooses, FunctionType) else ""
    try:
        choose_name = gathered.expression(chooses, own_name if own_name.isidentifier() else _CHOOSE)
    except RefusedError as error:
        if error.facts.get("name") == _CHOOSE and error.key == _APART:
            _refuse_separate(name or type(chooses).__name__)
        raise
    text = "\n\n".join([*gathered.statements, *gathered.chosen(choose_name)]) + "\n"
    return text_of_program(f"{_FUTURE}\n{text}" if gathered.annotated else text)


class _Written(NamedTuple):
    """The source text of a definition, where it can be read."""

    text: str
    space: Mapping[str, Any]
    """The values of the names that the source uses."""
    annotated: bool


class _Gathered:
    """The statements of a program, each after the ones it needs."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.annotated = False
        self._meant: dict[str, object] = {}
        self._called: dict[int, str] = {}
        self._depth = 0

    def chosen(self, name: str) -> list[str]:
        """Return the last statement, which assigns `choose` if it is not defined yet."""
        if name != _CHOOSE and _CHOOSE in self._meant:
            raise RefusedError("lesson.bot.twice", name=_CHOOSE)
        return [] if name == _CHOOSE else [f"{_CHOOSE} = {name}"]

    def expression(self, value: Any, name: str = "") -> str:  # noqa: ANN401 - whatever somebody's program uses
        """Return the source text of a value.

        A value that needs a statement of its own is defined first, and its name is returned.
        """
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
            array_call = f"{self._name('numpy', sys.modules['numpy'])}.array({self.expression(value.tolist(), name)})"
            return array_call if kind.__name__ == "ndarray" else f"{array_call}[()]"
        if id(value) not in self._called:
            self._called[id(value)] = self._free(name or getattr(value, "__name__", "") or "_it")
            self._define(self._called[id(value)], value)
        return self._called[id(value)]

    def _several(self, value: Any, name: str) -> str:  # noqa: ANN401 - as above
        if isinstance(value, dict):
            return f"{{{', '.join(f'{self.expression(key, name)}: {self.expression(element, name)}' for key, element in value.items())}}}"
        parts = [self.expression(element, name) for element in value]
        if type(value) is list:
            return f"[{', '.join(parts)}]"
        if type(value) is tuple:
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        return f"{type(value).__name__}([{', '.join(parts)}])"

    def _free(self, name: str) -> str:
        """Return a variant of the name that is not used yet."""
        base = name if name.isidentifier() else "_it"
        return next(candidate for candidate in (base, *(f"{base}_{number}" for number in range(2, 10_000))) if candidate not in self._meant)

    def _name(self, name: str, value: object) -> str:
        """Define a name with the value it has where it is used."""
        if name not in self._meant:
            self._meant[name] = value
            self._define(name, value)
        elif self._meant[name] is not value:
            raise RefusedError("lesson.bot.twice", name=name)
        return name

    def _define(self, name: str, value: Any) -> None:  # noqa: ANN401 - as above
        """Add the statement that defines a name with this value."""
        self._meant[name] = value
        self._called.setdefault(id(value), name)
        if bot_arguments := _asked_by_name(value):
            self.statements.append(f"{name} = {self.expression(get, '_bot_by_name')}({bot_arguments}).plays")
        elif import_statement := _imported(name, value):
            self.statements.append(import_statement)
        elif isinstance(value, ModuleType):
            raise RefusedError("lesson.bot.file", name=f"{value.__name__}.py", code=f"from {value.__name__} import …")
        elif isinstance(value, FunctionType):
            self._function(name, value)
        elif isinstance(value, type):
            self._written(name, value.__name__, _class_of(value))
        elif isinstance(value, MethodType):
            self.statements.append(f"{name} = {self.expression(value.__self__)}.{value.__name__}")
        elif isinstance(value, partial):
            arguments = [
                *map(self.expression, value.args),
                *(f"{key}={self.expression(argument)}" for key, argument in value.keywords.items()),
            ]
            factory = self._name("partial", partial)
            self.statements.append(f"{name} = {factory}({', '.join([self.expression(value.func), *arguments])})")
        elif type(value).__name__ == _CACHED:
            sizes = ", ".join(f"{key}={setting!r}" for key, setting in value.cache_parameters().items())
            factory = self._name("lru_cache", sys.modules["functools"].lru_cache)
            self.statements.append(f"{name} = {factory}({sizes})({self.expression(value.__wrapped__)})")
        elif (text := self._simple(value, name)) is not None:
            self.statements.append(f"{name} = {text}")
        else:
            self._object(name, value)

    def _simple(self, value: Any, name: str) -> str | None:  # noqa: ANN401 - as above
        simple = type(value) in (*_PLAIN, *_CALLED, list, tuple, set, frozenset, dict) or type(value).__module__ == "numpy"
        return self.expression(value, name) if simple else None

    def _object(self, name: str, value: Any) -> None:  # noqa: ANN401 - as above
        """Define an object of a student's own class in its present state."""
        kind, state = type(value), getattr(value, "__dict__", None)
        if state is None or (_installed(kind.__module__) and not kind.__module__.startswith("durak_widget.")):
            _refuse_separate(name)
        class_name = self._name(kind.__name__, kind)
        try:
            parts = ", ".join(f"{key!r}: {self.expression(attribute, key)}" for key, attribute in state.items())
        except RefusedError:
            if _installed(kind.__module__):  # its state is private to an installed class
                _refuse_separate(name)
            raise
        self.statements.append(f"{name} = object.__new__({class_name})" + (f"\n{name}.__dict__.update({{{parts}}})" if parts else ""))

    def _function(self, name: str, value: FunctionType) -> None:
        own_name, source = value.__code__.co_name, _function_of(value)
        if own_name != "<lambda>":
            self._written(name, own_name, source)
            return
        self._needs(source)
        self.statements.append(f"{name} = {source.text}")

    def _written(self, name: str, own: str, written: _Written) -> None:
        """Add a definition under its own name and under the name by which it is used."""
        text = written.text
        if own != name:
            is_name_used = own in self._meant
            self._meant.setdefault(own, self._meant[name])
            text = sub(rf"\b(def|class)\s+{own}\b", rf"\1 {name}", text, count=1) if is_name_used else f"{text}\n\n{name} = {own}"
        self._needs(written)
        self.statements.append(text)

    def _needs(self, written: _Written) -> None:
        """Define every name that the source uses."""
        self.annotated |= written.annotated
        code = compile(written.text, "<program>", "exec", future.annotations.compiler_flag, dont_inherit=True)
        assigned = {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname == "STORE_NAME"}
        for name in sorted(_used(code) - assigned - {"__name__", "__module__", "__qualname__", "__annotations__"}):
            if name in written.space and not _of_the_shell(name, written.space[name]):
                self._name(name, written.space[name])
            elif not hasattr(builtins, name) and not _stored(code, name):
                raise RefusedError("lesson.bot.unknown", name=name)


def _refuse_separate(name: str) -> NoReturn:
    raise RefusedError(_APART, name=name)


def _used(code: CodeType) -> set[str]:
    """Return the global names that code looks up, including all code nested in it."""
    looked_up = {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname in _LOADS}
    return looked_up.union(*(_used(constant) for constant in code.co_consts if isinstance(constant, CodeType)))


def _of_the_shell(name: str, value: object) -> bool:
    """Return whether a value is what a notebook puts in place of a builtin such as `open`."""
    return hasattr(builtins, name) and (getattr(getattr(value, "__globals__", None), "get", str)("__name__") or "").startswith("IPython")


def _stored(code: CodeType, name: str) -> bool:
    """Return whether a name is assigned anywhere in the code, as names in a class are."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return any(instruction.argval == name and instruction.opname.startswith("STORE_") for instruction in dis.get_instructions(code)) or any(
        _stored(nested, name) for nested in inner
    )


def _installed(module: str) -> bool:
    """Return whether a module can be imported everywhere.

    That is the case for Python's own modules and installed packages, but not for the user's files.
    """
    loaded = sys.modules.get(module)
    if module == "__main__" or loaded is None:
        return False
    file = getattr(loaded, "__file__", None)
    if module.partition(".")[0] in {"durak_widget", *sys.builtin_module_names} or file is None:
        return True
    package_directories = [
        Path(directory).resolve() for name, directory in get_paths().items() if name in {"stdlib", "platstdlib", "purelib", "platlib"}
    ]
    return any(package_directory in Path(file).resolve().parents for package_directory in package_directories)


def _asked_by_name(value: Any) -> str:  # noqa: ANN401 - as above
    """Return the arguments of `bots.get` that make a bot of this package again.

    The result is empty for other objects and for a bot that was changed.

    >>> _asked_by_name(get("careful", miserly=True).plays), _asked_by_name(get("first").plays)
    ("'careful', miserly=True", "'first'")
    """
    bot_type = value if isinstance(value, FunctionType) else type(value)
    if not str(bot_type.__module__).startswith("durak_widget.bots."):  # a function made by `exec` may have no module
        return ""
    for name in OWN:
        plays: Any = get(name).plays
        if plays is value:
            return repr(name)
        if type(plays) is bot_type:
            settings = {setting: getattr(value, setting, None) for setting in signature(bot_type).parameters}
            with suppress(DurakError):  # no bot can have such settings
                if _is_same(get(name, **settings).plays, value):
                    return ", ".join([repr(name), *(f"{setting}={setting_value!r}" for setting, setting_value in settings.items())])
    return ""


def _is_same(one: Any, other: Any) -> bool:  # noqa: ANN401 - as above
    """Return whether two objects are alike: this package's by attributes, others by `==`."""
    if type(one) is not type(other):
        return False
    if str(type(one).__module__).startswith("durak_widget.") and hasattr(one, "__dict__"):
        attributes, other_attributes = vars(one), vars(other)
        return attributes.keys() == other_attributes.keys() and all(
            _is_same(attributes[name], other_attributes[name]) for name in attributes
        )
    with suppress(Exception):  # the `==` of another class may raise anything
        return bool(one == other)
    return False


def _imported(name: str, value: Any) -> str:  # noqa: ANN401 - as above
    """Return the import statement for a value; empty if it can't be imported."""
    if isinstance(value, ModuleType):
        module_name = value.__name__
        if not _installed(module_name):
            return ""
        parent, _, submodule = module_name.rpartition(".")
        if package := _public_package(parent, submodule, value):
            return f"from {package} import {submodule}" + (f" as {name}" if name != submodule else "")
        return f"import {module_name}" if module_name == name else f"import {module_name} as {name}"
    home_module, own_name = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if not isinstance(home_module, str) or not isinstance(own_name, str) or not _installed(home_module):
        return ""
    if getattr(sys.modules[home_module], own_name, None) != value or isinstance(value, partial):
        return ""
    return f"from {_public_package(home_module, own_name, value) or home_module} import {own_name}" + (
        f" as {name}" if name != own_name else ""
    )


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
        with suppress(ImportError):  # the package lists another value of that name that needs a package that is not installed
            if own in getattr(public, "__all__", ()) and getattr(public, own) is value:
                return package
    return ""


def _function_of(function: FunctionType) -> _Written:
    """Return the source of a function, without decorators: these made another function."""
    code, own_name = function.__code__, function.__code__.co_name
    space = dict(function.__globals__)
    for variable, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # the variable is not assigned yet
            space[variable] = cell.cell_contents
    lines, tree = _read(code)
    kinds = (ast.Lambda,) if own_name == "<lambda>" else (ast.FunctionDef,)
    found = [node for node in ast.walk(tree) if isinstance(node, kinds) and _first(node) == code.co_firstlineno]
    if own_name == "<lambda>":
        texts = {ast.unparse(node) for node in found}
        if len(texts) > 1:
            texts = {ast.unparse(node) for node in found if _lambda(node) == code.co_code}
        if len(texts) != 1:
            _as_text()
        return _Written(texts.pop(), space, False)
    if not found or not isinstance(found[0], ast.FunctionDef):
        _as_text()
    return _Written(_lines(lines, found[0], found[0].lineno), space, _annotated(found[0]))


def _class_of(kind: type) -> _Written:
    """Return the source of a class with its decorators."""
    for method in vars(kind).values():
        if not isinstance(method, FunctionType) or method.__code__.co_filename == "<string>":  # a dataclass generates such methods
            continue
        lines, tree = _read(method.__code__)
        method_line = method.__code__.co_firstlineno
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and node.name == kind.__name__ and _first(node) <= method_line <= (node.end_lineno or 0):
                return _Written(_lines(lines, node, _first(node)), method.__globals__, _annotated(node))
    return _as_text()


def _as_text() -> NoReturn:
    raise RefusedError("lesson.bot.as_text", code='{"code": "def choose(view): …"}')


def _read(code: CodeType) -> tuple[list[str], ast.Module]:
    """Return the lines and the syntax tree of the cell or file that contains the code."""
    try:
        lines, _ = inspect.findsource(code)
        return lines, ast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError, ValueError, IndexError):
        _as_text()


def _first(node: Any) -> int:  # noqa: ANN401 - a definition
    """Return the first line of a definition, including its decorators."""
    lines: list[int] = [node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))]
    return min(lines)


def _lines(lines: list[str], node: Any, first: int) -> str:  # noqa: ANN401 - as above
    text = dedent("".join(lines[first - 1 : node.end_lineno])).strip("\n")
    try:
        ast.parse(text)
    except SyntaxError:  # it shares its line with other code, or its strings are not indented
        text = ast.unparse(node)
    return text


def _annotated(node: ast.AST) -> bool:
    return any(getattr(child, "annotation", None) or getattr(child, "returns", None) for child in ast.walk(node))


def _lambda(node: ast.AST) -> bytes:
    """Return the bytecode of a lambda, which distinguishes it from others on the same line."""
    module_code = compile(ast.fix_missing_locations(ast.Expression(node)), "<program>", "eval", dont_inherit=True)  # type: ignore[arg-type]
    return next(constant.co_code for constant in module_code.co_consts if isinstance(constant, CodeType))
