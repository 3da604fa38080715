"""Conversion of a student's function or bot to the text of a stand-alone program.

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

from durak_widget.bots.bot import BUILT_IN_BOTS, get
from durak_widget.cards import Card
from durak_widget.engine.moves import Move
from durak_widget.errors import DurakError, short_repr
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_PROGRAM_LENGTH: Final = 100_000
"""The maximum length of a program, in characters."""
_FUTURE_IMPORT: Final = "from __future__ import annotations\n"
"""An import that keeps annotations unevaluated, so that names in them don't have to exist."""
_LITERAL_TYPES: Final = (bool, int, float, str, bytes, type(None), type(Ellipsis))
_CONSTRUCTOR_TYPES: Final = (Fraction, Decimal, Card, Move)
"""Types whose values the program creates with a constructor, as in `Fraction(1, 2)`."""
_LOAD_OPERATIONS: Final = {"LOAD_GLOBAL", "LOAD_NAME"}
_CHOOSE_NAME: Final = "choose"
_SEPARATE_KEY: Final = "lesson.bot.apart"
_CACHE_TYPE_NAME: Final = "_lru_cache_wrapper"
_MAX_DEPTH: Final = 20


def require_program_text(code: object) -> str:
    r"""Return the source text of a submitted program; raise a `DurakError` if it is invalid.

    >>> require_program_text("# " + chr(0xd800))
    Traceback (most recent call last):
    durak_widget.errors.DurakError: the program has half a character (a lone surrogate), which cannot be saved: '# \ud800'
    """
    if not isinstance(code, str) or len(code) > MAX_PROGRAM_LENGTH:
        raise DurakError(f"a program must be a text of at most {MAX_PROGRAM_LENGTH:,} characters, not {short_repr(code)}")
    try:
        code.encode()
    except UnicodeEncodeError:
        raise DurakError(f"the program has half a character (a lone surrogate), which cannot be saved: {short_repr(code)}") from None
    return code


def build_program(bot: object, name: str = "") -> str:
    """Convert a function or bot to the source text of a program that defines `choose`.

    Raises a `RefusedError` that names the value that can't be included.

    >>> def mine(view):
    ...     return view.legal_moves()[0]
    >>> print(build_program(mine))
    def mine(view):
        return view.legal_moves()[0]
    <BLANKLINE>
    choose = mine
    <BLANKLINE>
    """
    builder = _ProgramBuilder()
    own_name = bot.__code__.co_name if isinstance(bot, FunctionType) else ""
    try:
        choose_name = builder.format_value(bot, own_name if own_name.isidentifier() else _CHOOSE_NAME)
    except RefusedError as error:
        if error.facts.get("name") == _CHOOSE_NAME and error.key == _SEPARATE_KEY:
            _refuse_separate(name or type(bot).__name__)
        raise
    text = "\n\n".join([*builder.statements, *builder.choose_statement(choose_name)]) + "\n"
    return require_program_text(f"{_FUTURE_IMPORT}\n{text}" if builder.has_annotations else text)


class _SourceText(NamedTuple):
    """The source text of a function or class, with the values of names defined outside it."""

    text: str
    namespace: Mapping[str, Any]
    """The values of the global names and outer variables that the source text uses."""
    has_annotations: bool


class _ProgramBuilder:
    """A builder that adds statements to a program after the definitions that they use."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.has_annotations = False
        self._values_by_name: dict[str, object] = {}
        self._names_by_id: dict[int, str] = {}
        self._depth = 0

    def choose_statement(self, name: str) -> list[str]:
        """Return the statement that makes the program's function available as `choose`.

        Return no statement if the function is already called `choose`.
        """
        if name != _CHOOSE_NAME and _CHOOSE_NAME in self._values_by_name:
            raise RefusedError("lesson.bot.twice", name=_CHOOSE_NAME)
        return [] if name == _CHOOSE_NAME else [f"{_CHOOSE_NAME} = {name}"]

    def format_value(self, value: Any, name: str = "") -> str:  # noqa: ANN401 - any value of a user's program
        """Return source text that evaluates to `value`.

        A value that needs a statement of its own is defined first, and its name is returned.
        """
        self._depth += 1
        try:
            if self._depth > _MAX_DEPTH:
                _refuse_separate(name)
            return self._format_value(value, name)
        finally:
            self._depth -= 1

    def _format_value(self, value: Any, name: str) -> str:  # noqa: ANN401 - as above
        """Return source text that evaluates to a value, without checking the nesting depth."""
        kind = type(value)
        if kind in _LITERAL_TYPES:
            return f"float('{value}')" if isinstance(value, float) and not math.isfinite(value) else repr(value)
        if kind in (list, tuple, set, frozenset, dict):
            return self._format_collection(value, name)
        if kind in _CONSTRUCTOR_TYPES:
            return f"{self._require_name(kind.__name__, kind)}{repr(value).removeprefix(kind.__name__)}"
        if kind.__module__ == "numpy" and hasattr(value, "tolist"):
            array_call = f"{self._require_name('numpy', sys.modules['numpy'])}.array({self.format_value(value.tolist(), name)})"
            return array_call if kind.__name__ == "ndarray" else f"{array_call}[()]"
        if id(value) not in self._names_by_id:
            self._names_by_id[id(value)] = self._find_free_name(name or getattr(value, "__name__", "") or "_it")
            self._define(self._names_by_id[id(value)], value)
        return self._names_by_id[id(value)]

    def _format_collection(self, value: Any, name: str) -> str:  # noqa: ANN401 - as above
        if isinstance(value, dict):
            return (
                f"{{{', '.join(f'{self.format_value(key, name)}: {self.format_value(element, name)}' for key, element in value.items())}}}"
            )
        parts = [self.format_value(element, name) for element in value]
        if type(value) is list:
            return f"[{', '.join(parts)}]"
        if type(value) is tuple:
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        return f"{type(value).__name__}([{', '.join(parts)}])"

    def _find_free_name(self, name: str) -> str:
        """Return `name`, with a number added if the program already uses this name."""
        base = name if name.isidentifier() else "_it"
        return next(
            candidate for candidate in (base, *(f"{base}_{number}" for number in range(2, 10_000))) if candidate not in self._values_by_name
        )

    def _require_name(self, name: str, value: object) -> str:
        """Define `name` as `value` in the program; raise an error if `name` has another value."""
        if name not in self._values_by_name:
            self._values_by_name[name] = value
            self._define(name, value)
        elif self._values_by_name[name] is not value:
            raise RefusedError("lesson.bot.twice", name=name)
        return name

    def _define(self, name: str, value: Any) -> None:  # noqa: ANN401 - as above
        """Add to the program a statement that assigns a value to a name."""
        self._values_by_name[name] = value
        self._names_by_id.setdefault(id(value), name)
        if bot_arguments := _bot_arguments(value):
            self.statements.append(f"{name} = {self.format_value(get, '_bot_by_name')}({bot_arguments}).implementation")
        elif import_statement := _build_import(name, value):
            self.statements.append(import_statement)
        elif isinstance(value, ModuleType):
            raise RefusedError("lesson.bot.file", name=f"{value.__name__}.py", code=f"from {value.__name__} import …")
        elif isinstance(value, FunctionType):
            self._define_function(name, value)
        elif isinstance(value, type):
            self._define_from_source(name, value.__name__, _source_of_class(value))
        elif isinstance(value, MethodType):
            self.statements.append(f"{name} = {self.format_value(value.__self__)}.{value.__name__}")
        elif isinstance(value, partial):
            arguments = [
                *map(self.format_value, value.args),
                *(f"{key}={self.format_value(argument)}" for key, argument in value.keywords.items()),
            ]
            factory = self._require_name("partial", partial)
            self.statements.append(f"{name} = {factory}({', '.join([self.format_value(value.func), *arguments])})")
        elif type(value).__name__ == _CACHE_TYPE_NAME:
            sizes = ", ".join(f"{key}={setting!r}" for key, setting in value.cache_parameters().items())
            factory = self._require_name("lru_cache", sys.modules["functools"].lru_cache)
            self.statements.append(f"{name} = {factory}({sizes})({self.format_value(value.__wrapped__)})")
        elif (text := self._format_simple_value(value, name)) is not None:
            self.statements.append(f"{name} = {text}")
        else:
            self._define_object(name, value)

    def _format_simple_value(self, value: Any, name: str) -> str | None:  # noqa: ANN401 - as above
        """Return the source text of a simple value, or None for any other value."""
        simple = (
            type(value) in (*_LITERAL_TYPES, *_CONSTRUCTOR_TYPES, list, tuple, set, frozenset, dict) or type(value).__module__ == "numpy"
        )
        return self.format_value(value, name) if simple else None

    def _define_object(self, name: str, value: Any) -> None:  # noqa: ANN401 - as above
        """Add to the program an object of a student's own class, with the object's attributes."""
        kind, state = type(value), getattr(value, "__dict__", None)
        if state is None or (_is_installed_module(kind.__module__) and not kind.__module__.startswith("durak_widget.")):
            _refuse_separate(name)
        class_name = self._require_name(kind.__name__, kind)
        try:
            parts = ", ".join(f"{key!r}: {self.format_value(attribute, key)}" for key, attribute in state.items())
        except RefusedError:
            if _is_installed_module(kind.__module__):  # An installed class may have internal state that can't be copied
                _refuse_separate(name)
            raise
        self.statements.append(f"{name} = object.__new__({class_name})" + (f"\n{name}.__dict__.update({{{parts}}})" if parts else ""))

    def _define_function(self, name: str, value: FunctionType) -> None:
        """Add the definition of a function or a lambda to the program."""
        own_name, source = value.__code__.co_name, _source_of_function(value)
        if own_name != "<lambda>":
            self._define_from_source(name, own_name, source)
            return
        self._define_dependencies(source)
        self.statements.append(f"{name} = {source.text}")

    def _define_from_source(self, name: str, own_name: str, source: _SourceText) -> None:
        """Add a definition of a function or class to the program, under the name `name`.

        The name in the source text, `own_name`, is also defined if no other object has it.
        """
        text = source.text
        if own_name != name:
            is_name_used = own_name in self._values_by_name
            self._values_by_name.setdefault(own_name, self._values_by_name[name])
            text = sub(rf"\b(def|class)\s+{own_name}\b", rf"\1 {name}", text, count=1) if is_name_used else f"{text}\n\n{name} = {own_name}"
        self._define_dependencies(source)
        self.statements.append(text)

    def _define_dependencies(self, source: _SourceText) -> None:
        """Add definitions of all names that a source text uses to the program."""
        self.has_annotations |= source.has_annotations
        code = compile(source.text, "<program>", "exec", future.annotations.compiler_flag, dont_inherit=True)
        assigned = {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname == "STORE_NAME"}
        for name in sorted(_global_names_in(code) - assigned - {"__name__", "__module__", "__qualname__", "__annotations__"}):
            if name in source.namespace and not _is_shell_builtin(name, source.namespace[name]):
                self._require_name(name, source.namespace[name])
            elif not hasattr(builtins, name) and not _is_assigned_in(code, name):
                raise RefusedError("lesson.bot.unknown", name=name)


def _refuse_separate(name: str) -> NoReturn:
    """Raise the error that a value can't be copied into the student's program."""
    raise RefusedError(_SEPARATE_KEY, name=name)


def _global_names_in(code: CodeType) -> set[str]:
    """Return the global names that code uses, including the code of nested functions."""
    looked_up = {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname in _LOAD_OPERATIONS}
    return looked_up.union(*(_global_names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType)))


def _is_shell_builtin(name: str, value: object) -> bool:
    """Return whether a value is the notebook's replacement for a builtin, such as `open`."""
    return hasattr(builtins, name) and (getattr(getattr(value, "__globals__", None), "get", str)("__name__") or "").startswith("IPython")


def _is_assigned_in(code: CodeType, name: str) -> bool:
    """Return whether code assigns a value to a name, also in nested functions and classes."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return any(instruction.argval == name and instruction.opname.startswith("STORE_") for instruction in dis.get_instructions(code)) or any(
        _is_assigned_in(nested, name) for nested in inner
    )


def _is_installed_module(module: str) -> bool:
    """Return whether a module is installed, so that it can be imported everywhere.

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


def _bot_arguments(value: Any) -> str:  # noqa: ANN401 - as above
    """Return arguments for `bots.get` that create a bot equal to `value`, as source text.

    The result is empty if `value` is not a bot of this package, or was changed.

    >>> _bot_arguments(get("careful", miserly=True).implementation), _bot_arguments(get("first").implementation)
    ("'careful', miserly=True", "'first'")
    """
    bot_type = value if isinstance(value, FunctionType) else type(value)
    if not str(bot_type.__module__).startswith("durak_widget.bots."):  # A function made by `exec` may have no module
        return ""
    for name in BUILT_IN_BOTS:
        built_in_bot: Any = get(name).implementation
        if built_in_bot is value:
            return repr(name)
        if type(built_in_bot) is bot_type:
            settings = {setting: getattr(value, setting, None) for setting in signature(bot_type).parameters}
            with suppress(DurakError):  # `bots.get` raises an error for settings that no bot can have
                if _is_same(get(name, **settings).implementation, value):
                    return ", ".join([repr(name), *(f"{setting}={setting_value!r}" for setting, setting_value in settings.items())])
    return ""


def _is_same(first: Any, second: Any) -> bool:  # noqa: ANN401 - as above
    """Return whether two objects are equal; compare this package's objects by attributes."""
    if type(first) is not type(second):
        return False
    if str(type(first).__module__).startswith("durak_widget.") and hasattr(first, "__dict__"):
        attributes, other_attributes = vars(first), vars(second)
        return attributes.keys() == other_attributes.keys() and all(
            _is_same(attributes[name], other_attributes[name]) for name in attributes
        )
    with suppress(Exception):  # The `==` method of another class may raise any exception
        return bool(first == second)
    return False


def _build_import(name: str, value: Any) -> str:  # noqa: ANN401 - as above
    """Return a statement that imports a value; return "" if it can't be imported."""
    if isinstance(value, ModuleType):
        module_name = value.__name__
        if not _is_installed_module(module_name):
            return ""
        parent, _, submodule = module_name.rpartition(".")
        if package := _find_public_package(parent, submodule, value):
            return f"from {package} import {submodule}" + (f" as {name}" if name != submodule else "")
        return f"import {module_name}" if module_name == name else f"import {module_name} as {name}"
    home_module, own_name = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if not isinstance(home_module, str) or not isinstance(own_name, str) or not _is_installed_module(home_module):
        return ""
    if getattr(sys.modules[home_module], own_name, None) != value or isinstance(value, partial):
        return ""
    return f"from {_find_public_package(home_module, own_name, value) or home_module} import {own_name}" + (
        f" as {name}" if name != own_name else ""
    )


def _find_public_package(module: str, own: str, value: object) -> str:
    """Return the name of a package that makes a value public, or "" if no package does.

    Public names change less often than the names of modules. `sandbox/former_module_names.py` lists the names that changed.

    >>> _find_public_package("durak_widget.engine.moves", "Move", Move), _find_public_package("durak_widget.errors", "quoted", short_repr)
    ('durak_widget', '')
    """
    top, _, inner = module.partition(".")
    if top != "durak_widget":
        return ""
    for package in (top, f"{top}.{inner.partition('.')[0]}"):
        public = sys.modules.get(package)
        with suppress(ImportError):  # Reading a public name of a package can import a package that is not installed
            if own in getattr(public, "__all__", ()) and getattr(public, own) is value:
                return package
    return ""


def _source_of_function(function: FunctionType) -> _SourceText:
    """Return the source of a function without its decorators.

    The function is already the result of its decorators.
    """
    code, own_name = function.__code__, function.__code__.co_name
    namespace = dict(function.__globals__)
    for variable, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # A variable of an outer function may have no value yet
            namespace[variable] = cell.cell_contents
    lines, tree = _parse_source_file(code)
    node_types = (ast.Lambda,) if own_name == "<lambda>" else (ast.FunctionDef,)
    matching_nodes = [node for node in ast.walk(tree) if isinstance(node, node_types) and _first_line_of(node) == code.co_firstlineno]
    if own_name == "<lambda>":
        texts = {ast.unparse(node) for node in matching_nodes}
        if len(texts) > 1:
            texts = {ast.unparse(node) for node in matching_nodes if _lambda_bytecode(node) == code.co_code}
        if len(texts) != 1:
            _refuse_without_source()
        return _SourceText(texts.pop(), namespace, False)
    if not matching_nodes or not isinstance(matching_nodes[0], ast.FunctionDef):
        _refuse_without_source()
    return _SourceText(_cut_lines(lines, matching_nodes[0], matching_nodes[0].lineno), namespace, _has_annotations(matching_nodes[0]))


def _source_of_class(cls: type) -> _SourceText:
    """Return the source of a class with its decorators."""
    for method in vars(cls).values():
        # A dataclass generates methods that have no source file
        if not isinstance(method, FunctionType) or method.__code__.co_filename == "<string>":
            continue
        lines, tree = _parse_source_file(method.__code__)
        method_line = method.__code__.co_firstlineno
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.ClassDef)
                and node.name == cls.__name__
                and _first_line_of(node) <= method_line <= (node.end_lineno or 0)
            ):
                return _SourceText(_cut_lines(lines, node, _first_line_of(node)), method.__globals__, _has_annotations(node))
    return _refuse_without_source()


def _refuse_without_source() -> NoReturn:
    """Raise the error for a function or class whose source text is missing."""
    raise RefusedError("lesson.bot.as_text", code='{"code": "def choose(view): …"}')


def _parse_source_file(code: CodeType) -> tuple[list[str], ast.Module]:
    """Return the lines and the syntax tree of the notebook cell or file that defines code."""
    try:
        lines, _ = inspect.findsource(code)
        return lines, ast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError, ValueError, IndexError):
        _refuse_without_source()


def _first_line_of(node: Any) -> int:  # noqa: ANN401 - a function or class definition
    """Return the first line number of a definition, including its decorators."""
    lines: list[int] = [node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))]
    return min(lines)


def _cut_lines(lines: list[str], node: Any, first: int) -> str:  # noqa: ANN401 - as above
    text = dedent("".join(lines[first - 1 : node.end_lineno])).strip("\n")
    try:
        ast.parse(text)
    except SyntaxError:  # A definition that is on one line with other code can't be parsed alone
        text = ast.unparse(node)
    return text


def _has_annotations(node: ast.AST) -> bool:
    return any(getattr(child, "annotation", None) or getattr(child, "returns", None) for child in ast.walk(node))


def _lambda_bytecode(node: ast.AST) -> bytes:
    """Return a lambda's bytecode, to recognize the lambda among others on the same line."""
    module_code = compile(ast.fix_missing_locations(ast.Expression(node)), "<program>", "eval", dont_inherit=True)  # type: ignore[arg-type]
    return next(constant.co_code for constant in module_code.co_consts if isinstance(constant, CodeType))
