"""Reading of answers out of a notebook's code cells, without running this code.

The module also reads the student's name, and code that is given as an answer. `homework.answer(3, "5/18")` and
`homework[3].answer("5/18")` are answers. An answer may be a sum or fraction (`5/18`, `Fraction(5, 18)`, `comb(4, 2)/comb(9, 2)`), a
power, a name with such a value, or a function or class that a cell defines.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from fractions import Fraction
from math import comb, factorial, perm
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_MAX_CELL_LENGTH: Final = 60_000
"""The maximum length, in characters, of a notebook cell that is searched for answers."""
_MAX_CELLS: Final = 2000
_MAX_DIGITS: Final = 60
_MAX_WORD_LENGTH: Final = 200
_MAX_OPERAND: Final = 2000
"""The largest argument with which `comb` and similar functions are computed, so that this takes little time."""
_MAX_BITS: Final = 1024
_MAX_VALUES: Final = 5000
"""The maximum number of values in one answer; a longer answer counts as unreadable.

Otherwise a short cell could define an endless answer, with names that double each other.
"""
_TIME_MAGIC: Final = re.compile(r"(?m)^([ \t]*)%time(?:it)?[ \t]+")
_LINE_MAGIC: Final = re.compile(r"(?m)^([ \t]*)[%!?][^\n]*")
_CELL_MAGIC: Final = re.compile(r"\s*%%(?!time\b|timeit\b|capture\b)")
"""A regular expression for a notebook cell in another language, such as `%%bash`."""
_ARITHMETIC: Final = {ast.Add: Fraction.__add__, ast.Sub: Fraction.__sub__, ast.Mult: Fraction.__mul__}
_COUNTING_FUNCTIONS: Final[dict[tuple[str, int], Callable[..., int]]] = {("comb", 2): comb, ("perm", 2): perm, ("factorial", 1): factorial}
_READ_ONLY_FUNCTIONS: Final = {"print", "display", "len", "sum", "min", "max", "sorted", "list", "tuple", "set", "dict", "str"}
"""Functions that don't change their arguments."""
_TEXT_CONSTRUCTORS: Final = {"Card", "Move", "Decimal"}
"""Classes whose objects are stored as the text from which they are constructed."""
_EVALUATION_ERRORS: Final = (ValueError, TypeError, KeyError, ZeroDivisionError, OverflowError, RecursionError, MemoryError, AttributeError)


class NotebookAnswers(NamedTuple):
    """The answers in a notebook's code cells, and the arguments of `lessons.homework`."""

    assignment: str
    student: str
    edition: str
    answers: dict[int | str, object]
    """The last answer to each question, as JSON-compatible values; the keys are question names or numbers."""
    problems: tuple[TranslatableText, ...]


class _Statement(NamedTuple):
    """A top-level statement of a notebook cell, with the names that it defines and uses."""

    cell: int
    node: ast.stmt
    text: str
    defined_names: frozenset[str]
    used_names: frozenset[str]


def read_notebook_answers(sources: Sequence[str]) -> NotebookAnswers:
    r"""Read the answers in a notebook's code cells, and the arguments of `lessons.homework`.

    >>> said = read_notebook_answers(['from durak_widget import lessons\nhomework = lessons.homework("econ431", student="Ann")', 'p = 1/6\nhomework.answer(3, 1 - p)'])
    >>> said.student, said.answers
    ('Ann', {3: '5/6'})
    >>> read_notebook_answers(["import math", "def f(view):\n    return math.pi", "homework.answer('mine', f)"]).answers
    {'mine': {'code': 'import math\n\ndef f(view):\n    return math.pi\n\nchoose = f\n'}}
    """
    problems: list[TranslatableText] = []
    statements = [
        statement for cell, source in enumerate(sources[:_MAX_CELLS], 1) for statement in _parse_statements(cell, source, problems)
    ]
    reader = _StatementInterpreter(statements)
    for statement in statements:
        try:
            reader.interpret(statement)
        except _EVALUATION_ERRORS:  # noqa: PERF203 - an error in one statement must not affect others
            reader.unreadable_cells.setdefault(statement.cell, None)
    problems += [TranslatableText("class.file.unwritten", {"cell": cell}) for cell in reader.unreadable_cells]
    return NotebookAnswers(*reader.homework_arguments, reader.answers, tuple(problems))


def _parse_statements(cell: int, source: str, problems: list[TranslatableText]) -> list[_Statement]:
    """Parse the code of a cell into statements; add a problem if the code is invalid."""
    if _CELL_MAGIC.match(source):
        return []
    text = _LINE_MAGIC.sub(r"\1pass", _TIME_MAGIC.sub(r"\1", source))
    mentions_homework = ".answer(" in text or "homework(" in text
    try:
        if len(text) > _MAX_CELL_LENGTH:
            raise ValueError
        tree = ast.parse(text)
        return [_build_statement(cell, node, text) for node in tree.body]
    except (SyntaxError, *_EVALUATION_ERRORS):
        if mentions_homework:
            problems.append(TranslatableText("class.file.cell", {"cell": cell}))
        return []


def _build_statement(cell: int, node: ast.stmt, text: str) -> _Statement:
    defines: set[str] = set()
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        defines = {node.name}
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        defines = {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    else:
        defines = {child.id for child in ast.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)}
    uses = frozenset(child.id for child in ast.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load))
    lines, first = (
        text.splitlines(keepends=True),
        min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))]),
    )
    return _Statement(cell, node, "".join(lines[first - 1 : node.end_lineno]).strip("\n"), frozenset(defines), uses)


class _StatementInterpreter:
    """An interpreter that follows a notebook's values and answers without running its code."""

    def __init__(self, statements: Sequence[_Statement]) -> None:
        self._statements = statements
        self._definitions: dict[str, list[int]] = defaultdict(list)
        """The indices of the statements that define each name, by name."""
        for index, statement in enumerate(statements):
            for name in statement.defined_names:
                self._definitions[name].append(index)
        self.values: dict[str, Any] = {}
        self.homework_names = {"homework"}
        self.homework_arguments = "", "", ""
        self.answers: dict[int | str, object] = {}
        self.unreadable_cells: dict[int, None] = {}

    def interpret(self, statement: _Statement) -> None:
        """Interpret one top-level statement of a notebook cell."""
        self._interpret_assignments(statement)
        for name in self._find_changed_names(statement.node):
            if isinstance(self.values.get(name), (list, dict)):
                del self.values[name]

    def _find_changed_names(self, node: ast.stmt) -> set[str]:
        """Return the names of the objects that a statement may change.

        It may set an item of such a value, call one of its methods, or pass the value to a function.
        """
        mutated: set[ast.expr] = set()
        for child in ast.walk(node):
            if isinstance(child, (ast.Subscript, ast.Attribute)) and not isinstance(child.ctx, ast.Load):
                mutated.add(child.value)
            elif (
                isinstance(child, ast.Call)
                and self._match_answer_call(child) is None
                and _get_function_name(child.func) not in _READ_ONLY_FUNCTIONS
            ):
                mutated |= {*child.args, *([child.func.value] if isinstance(child.func, ast.Attribute) else [])}
        return {child.id for child in map(_find_base, mutated) if isinstance(child, ast.Name)}

    def _interpret_assignments(self, statement: _Statement) -> None:
        """Store the values that a statement assigns to names, and the answers that it gives."""
        node = statement.node
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for name in statement.defined_names:
                self.values.pop(name, None)
            return
        if not isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign)):
            for name in statement.defined_names:
                self.values.pop(name, None)
            if any(self._match_answer_call(child) for child in ast.walk(node) if isinstance(child, ast.Call)):
                self.unreadable_cells.setdefault(statement.cell)
            return
        for child in ast.walk(node):
            if isinstance(child, ast.Call):
                self._interpret_call(statement, child)
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else getattr(node, "target", None)
        if isinstance(target, ast.Name):
            try:
                self.values[target.id] = self.evaluate(node.value)
            except _EVALUATION_ERRORS:
                self.values.pop(target.id, None)
            if isinstance(node.value, ast.Call) and _get_function_name(node.value.func) == "homework":
                self.homework_names.add(target.id)
        else:
            for name in statement.defined_names:
                self.values.pop(name, None)

    def _interpret_call(self, statement: _Statement, call: ast.Call) -> None:
        """Store what a call in the notebook gives: an answer, or the arguments of `homework`."""
        if _get_function_name(call.func) == "homework":
            arguments = {keyword.arg: keyword.value for keyword in call.keywords} | dict(zip(("assignment",), call.args, strict=False))
            assignment, student, edition = (self._evaluate_short_text(arguments.get(name)) for name in ("assignment", "student", "edition"))
            self.homework_arguments = assignment, student, edition
        elif (answer_call := self._match_answer_call(call)) is not None:
            question, answer = answer_call
            try:
                name = self.evaluate(question)
            except _EVALUATION_ERRORS:
                name = None
            if isinstance(name, bool) or not isinstance(name, (int, str)):
                self.unreadable_cells.setdefault(statement.cell)
                return
            try:
                self.answers[name] = self._evaluate_answer(answer)
            except _EVALUATION_ERRORS:
                self.unreadable_cells.setdefault(statement.cell)

    def _evaluate_short_text(self, node: ast.expr | None) -> str:
        """Evaluate an expression to a short text or number; return "" if that is impossible."""
        try:
            value = self.evaluate(node)
        except _EVALUATION_ERRORS:
            return ""
        return str(value) if isinstance(value, (str, int)) and len(str(value)) <= _MAX_WORD_LENGTH else ""

    def _match_answer_call(self, call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
        """Return a call's question and answer, or None for a call that answers no question."""
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr != "answer":
            return None
        if isinstance(func.value, ast.Name) and func.value.id in self.homework_names:
            arguments = [
                *call.args,
                *(keyword.value for name in ("question", "answer") for keyword in call.keywords if keyword.arg == name),
            ]
            return (arguments[0], arguments[1]) if len(arguments) == 2 else None
        if isinstance(func.value, ast.Subscript) and isinstance(func.value.value, ast.Name) and func.value.value.id in self.homework_names:
            return (func.value.slice, call.args[0]) if len(call.args) == 1 else None
        return None

    def _evaluate_answer(self, node: ast.expr) -> object:
        """Evaluate an answer to JSON-compatible values; if that fails, return the answer's code."""
        try:
            return _to_plain_data(self.evaluate(node))
        except _EVALUATION_ERRORS:
            code = self._collect_code(node)
            if code is None:
                raise
            return {"code": code}

    def evaluate(self, node: ast.expr | None) -> Any:  # noqa: ANN401 - any value
        """Evaluate an expression without running any code; raise an error if that is impossible."""
        match node:
            case ast.Constant(value=bool() | str() | int() | None as value):
                return _require_short_number(value)
            case ast.Constant(value=float()):
                return Fraction(str(node.value))
            case ast.Name(id=name):
                return self.values[name]
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return _require_few_values(list(map(self.evaluate, parts)))
            case ast.Set(elts=parts):
                return sorted(
                    _require_few_values(
                        [_require_number(item) if not isinstance(item, str) else item for item in map(self.evaluate, parts)]
                    )
                )
            case ast.Dict(keys=keys, values=values):
                return _require_few_values({self.evaluate(key): self.evaluate(value) for key, value in zip(keys, values, strict=True)})
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _require_short_number(-_require_number(self.evaluate(operand)))
            case ast.BinOp(left=left, op=op, right=right):
                first, second = _require_number(self.evaluate(left)), _require_number(self.evaluate(right))
                if isinstance(op, ast.Pow):
                    return _compute_power(first, second)
                return _require_short_number(first / second if isinstance(op, ast.Div) else _ARITHMETIC[type(op)](first, second))
            case ast.Call(func=func, args=args, keywords=[]):
                arguments = [self.evaluate(argument) for argument in args]
                if _get_function_name(func) == "Fraction" and arguments:
                    return _require_short_number(Fraction(*map(_require_short_argument, arguments)))
                counting_function = _COUNTING_FUNCTIONS.get((_get_function_name(func), len(arguments)))
                if counting_function is not None and all(0 <= value <= _MAX_OPERAND and value == int(value) for value in arguments):
                    return _require_short_number(Fraction(counting_function(*map(int, arguments))))
                if _get_function_name(func) == "pow" and len(arguments) == 2:
                    return _compute_power(*map(_require_number, arguments))
                if _get_function_name(func) in _TEXT_CONSTRUCTORS and len(arguments) == 1 and isinstance(arguments[0], str):
                    return arguments[0]
                if _get_function_name(func) == "int" and len(arguments) == 1:
                    return _require_short_number(int(_require_number(arguments[0])))
                if (
                    _get_function_name(func) in ("str", "set", "list", "tuple", "float")
                    and len(arguments) == 1
                    and not isinstance(arguments[0], str)
                ):
                    return _require_short_number(arguments[0]) if _get_function_name(func) != "str" else _to_plain_data(arguments[0])
        raise ValueError(ast.dump(node)[:60] if node is not None else "nothing")

    def _collect_code(self, node: ast.expr) -> str | None:
        """Return the code of an expression, with the definitions of all names that it uses.

        Return None if it uses no function or class of the notebook.
        """
        uses = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
        wanted, taken_indices = set(uses), set[int]()
        while wanted:
            name = wanted.pop()
            for index in self._find_definitions(name):
                if index not in taken_indices:
                    taken_indices.add(index)
                    wanted |= self._statements[index].used_names
        needed_statements = [self._statements[index] for index in sorted(taken_indices | self._find_star_imports())]
        has_definition = any(isinstance(statement.node, (ast.FunctionDef, ast.ClassDef)) for statement in needed_statements)
        if not has_definition and not isinstance(node, ast.Lambda):
            return None
        return "\n\n".join([*(statement.text for statement in needed_statements), f"choose = {ast.unparse(node)}"]) + "\n"

    def _find_definitions(self, name: str) -> Iterable[int]:
        """Return the indices of all statements that define a given name.

        They are the last definition as a function or class, or else all assignments.
        """
        indices = [index for index in self._definitions.get(name, ()) if not self._is_homework_call(self._statements[index])]
        last_definition = [index for index in indices if isinstance(self._statements[index].node, (ast.FunctionDef, ast.ClassDef))][-1:]
        return last_definition or indices

    def _find_star_imports(self) -> set[int]:
        return set(self._definitions.get("*", ()))

    def _is_homework_call(self, statement: _Statement) -> bool:
        """Return whether a statement calls `homework`, and so can't be part of an answer."""
        calls = [child for child in ast.walk(statement.node) if isinstance(child, ast.Call)]
        return any(_get_function_name(call.func) == "homework" or self._match_answer_call(call) is not None for call in calls)


def _get_function_name(func: ast.expr) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def _find_base(node: ast.expr) -> ast.expr:
    """Return the first object in a chain of items and attributes, such as `a` in `a[0].b`."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node


def _require_number(value: object) -> Fraction:
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    raise ValueError(value)


def _compute_power(base: Fraction, exponent: Fraction) -> Any:  # noqa: ANN401 - as above
    """Return `base ** exponent`; raise an error if the result is absurdly large."""
    if (
        exponent.denominator != 1
        or abs(exponent) > _MAX_OPERAND
        or abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length()) > _MAX_BITS
    ):
        raise OverflowError
    return _require_short_number(base ** int(exponent))


def _require_short_argument(value: Any) -> Any:  # noqa: ANN401 - as above
    """Return an argument of `Fraction`; raise an error if the text is extremely long."""
    if isinstance(value, str) and (len(value) > _MAX_DIGITS or "e" in value.casefold()):
        raise OverflowError
    return value


def _require_few_values(value: Any) -> Any:  # noqa: ANN401 - as above
    """Return a value unchanged; raise an error if the value has absurdly many parts."""
    count, pending = 0, [value]
    while pending:
        item = pending.pop()
        count += 1 + (len(item) >> 6 if isinstance(item, str) else 0)
        if count > _MAX_VALUES:
            raise OverflowError
        pending += item if isinstance(item, list) else item.values() if isinstance(item, dict) else ()
    return value


def _require_short_number(value: Any) -> Any:  # noqa: ANN401 - as above
    """Return a value unchanged; raise an error for a number with absurdly many digits."""
    if isinstance(value, (int, Fraction)) and max(len(hex(value.numerator)), len(hex(value.denominator))) > _MAX_DIGITS:
        raise OverflowError
    return value


def _to_plain_data(value: Any) -> object:  # noqa: ANN401 - as above
    """Convert an answer to JSON-compatible values, as stored answers (receipts) have them."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, list):
        return [_to_plain_data(item) for item in value]
    if isinstance(value, dict):
        return {str(_to_plain_data(key)): _to_plain_data(item) for key, item in value.items()}
    return value


def extract_code_sources(cells: Iterable[object]) -> list[str]:
    """Return the code of each cell of a notebook; for a cell without code, return "".

    So the cells keep their numbers.
    """
    return [join_text(cell.get("source")) if isinstance(cell, dict) and cell.get("cell_type") == "code" else "" for cell in cells]


def join_text(stored: object) -> str:
    r"""Return a text as one string; a notebook may store it as a list of lines instead.

    >>> join_text(["a\n", "b"]), join_text("a"), join_text([1]), join_text(None)
    ('a\nb', 'a', '', '')
    """
    if isinstance(stored, list) and all(isinstance(line, str) for line in stored):
        return "".join(stored)
    return stored if isinstance(stored, str) else ""
