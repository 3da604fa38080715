"""The answers in a notebook's cells, read without running them.

The student's name and code that is given as an answer are read too. `homework.answer(3, "5/18")` is an answer; so are
`homework[3].answer("5/18")`, sums and fractions (`5/18`, `Fraction(5, 18)`, `comb(4, 2)/comb(9, 2)`), powers, names
that were given such values before, and functions and classes that some cell defines.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from fractions import Fraction
from math import comb, factorial, perm
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_MOST_SIGNS: Final = 60_000
"""Largest number of characters of a cell that is read."""
_MOST_CELLS: Final = 2000
_MOST_DIGITS: Final = 60
_LONGEST: Final = 200
_MOST: Final = 2000
"""Largest argument of `comb` and similar functions."""
_MOST_BITS: Final = 1024
_MOST_VALUES: Final = 5000
"""Largest number of values and of words in an answer.

Names that double each other would make a short cell endless.
"""
_TIMED: Final = re.compile(r"(?m)^([ \t]*)%time(?:it)?[ \t]+")
_MAGIC: Final = re.compile(r"(?m)^([ \t]*)[%!?][^\n]*")
_WHOLE: Final = re.compile(r"\s*%%(?!time\b|timeit\b|capture\b)")
"""Start of a cell in another language."""
_SUMS: Final = {ast.Add: Fraction.__add__, ast.Sub: Fraction.__sub__, ast.Mult: Fraction.__mul__}
_COUNTS: Final[dict[tuple[str, int], Callable[..., int]]] = {("comb", 2): comb, ("perm", 2): perm, ("factorial", 1): factorial}
_LOOKING: Final = {"print", "display", "len", "sum", "min", "max", "sorted", "list", "tuple", "set", "dict", "str"}
"""Functions that don't change their arguments."""
_NAMED: Final = {"Card", "Move", "Decimal"}
"""Constructors whose text argument is as good as the object."""
_TOO_MUCH: Final = (ValueError, TypeError, KeyError, ZeroDivisionError, OverflowError, RecursionError, MemoryError, AttributeError)


class Said(NamedTuple):
    """The answers and the homework call in a notebook's cells."""

    assignment: str
    student: str
    edition: str
    answers: dict[int | str, object]
    """Last answer to each question as plain data, by the question's name or number."""
    odd: tuple[Fact, ...]


class _Piece(NamedTuple):
    """A top-level statement of a cell."""

    cell: int
    node: ast.stmt
    text: str
    defines: frozenset[str]
    uses: frozenset[str]


def said_in(sources: Sequence[str]) -> Said:
    r"""Return the answers and the homework call in the code cells of a notebook.

    >>> said = said_in(['from durak_widget import lessons\nhomework = lessons.homework("econ431", student="Ann")', 'p = 1/6\nhomework.answer(3, 1 - p)'])
    >>> said.student, said.answers
    ('Ann', {3: '5/6'})
    >>> said_in(["import math", "def f(view):\n    return math.pi", "homework.answer('mine', f)"]).answers
    {'mine': {'code': 'import math\n\ndef f(view):\n    return math.pi\n\nchoose = f\n'}}
    """
    problems: list[Fact] = []
    statements = [statement for cell, source in enumerate(sources[:_MOST_CELLS], 1) for statement in _pieces(cell, source, problems)]
    reader = _Reader(statements)
    for statement in statements:
        try:
            reader.hear(statement)
        except _TOO_MUCH:  # noqa: PERF203 - a statement that cannot be read takes no other with it
            reader.unwritten.setdefault(statement.cell, None)
    problems += [Fact("class.file.unwritten", {"cell": cell}) for cell in reader.unwritten]
    return Said(*reader.whose, reader.answers, tuple(problems))


def _pieces(cell: int, source: str, odd: list[Fact]) -> list[_Piece]:
    """Parse the statements of a cell."""
    if _WHOLE.match(source):
        return []
    text = _MAGIC.sub(r"\1pass", _TIMED.sub(r"\1", source))
    mentions_homework = ".answer(" in text or "homework(" in text
    try:
        if len(text) > _MOST_SIGNS:
            raise ValueError
        tree = ast.parse(text)
        return [_piece(cell, node, text) for node in tree.body]
    except (SyntaxError, *_TOO_MUCH):
        if mentions_homework:
            odd.append(Fact("class.file.cell", {"cell": cell}))
        return []


def _piece(cell: int, node: ast.stmt, text: str) -> _Piece:
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
    return _Piece(cell, node, "".join(lines[first - 1 : node.end_lineno]).strip("\n"), frozenset(defines), uses)


class _Reader:
    """The interpreter of the statements in order, which remembers values and answers."""

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self._pieces = pieces
        self._places: dict[str, list[int]] = defaultdict(list)
        """Indices of the statements that define each name."""
        for index, statement in enumerate(pieces):
            for name in statement.defines:
                self._places[name].append(index)
        self.values: dict[str, Any] = {}
        self.called = {"homework"}
        self.whose = "", "", ""
        self.answers: dict[int | str, object] = {}
        self.unwritten: dict[int, None] = {}

    def hear(self, piece: _Piece) -> None:
        """Interpret a statement."""
        self._take(piece)
        for name in self._touched(piece.node):
            if isinstance(self.values.get(name), (list, dict)):
                del self.values[name]

    def _touched(self, node: ast.stmt) -> set[str]:
        """Return the names of values that the statement may change.

        One of their items is set, one of their methods is called, or a function gets them.
        """
        mutated: set[ast.expr] = set()
        for child in ast.walk(node):
            if isinstance(child, (ast.Subscript, ast.Attribute)) and not isinstance(child.ctx, ast.Load):
                mutated.add(child.value)
            elif isinstance(child, ast.Call) and self._asked(child) is None and _name(child.func) not in _LOOKING:
                mutated |= {*child.args, *([child.func.value] if isinstance(child.func, ast.Attribute) else [])}
        return {child.id for child in map(_base, mutated) if isinstance(child, ast.Name)}

    def _take(self, piece: _Piece) -> None:
        node = piece.node
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for name in piece.defines:
                self.values.pop(name, None)
            return
        if not isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign)):
            for name in piece.defines:
                self.values.pop(name, None)
            if any(self._asked(child) for child in ast.walk(node) if isinstance(child, ast.Call)):
                self.unwritten.setdefault(piece.cell)
            return
        for child in ast.walk(node):
            if isinstance(child, ast.Call):
                self._call(piece, child)
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else getattr(node, "target", None)
        if isinstance(target, ast.Name):
            try:
                self.values[target.id] = self.value(node.value)
            except _TOO_MUCH:
                self.values.pop(target.id, None)
            if isinstance(node.value, ast.Call) and _name(node.value.func) == "homework":
                self.called.add(target.id)
        else:
            for name in piece.defines:
                self.values.pop(name, None)

    def _call(self, piece: _Piece, call: ast.Call) -> None:
        if _name(call.func) == "homework":
            arguments = {keyword.arg: keyword.value for keyword in call.keywords} | dict(zip(("assignment",), call.args, strict=False))
            assignment, student, edition = (self._word(arguments.get(name)) for name in ("assignment", "student", "edition"))
            self.whose = assignment, student, edition
        elif (answer_call := self._asked(call)) is not None:
            question, answer = answer_call
            try:
                name = self.value(question)
            except _TOO_MUCH:
                name = None
            if isinstance(name, bool) or not isinstance(name, (int, str)):
                self.unwritten.setdefault(piece.cell)
                return
            try:
                self.answers[name] = self._plain(answer)
            except _TOO_MUCH:
                self.unwritten.setdefault(piece.cell)

    def _word(self, node: ast.expr | None) -> str:
        """Evaluate an expression to a short text or number, or return an empty text."""
        try:
            value = self.value(node)
        except _TOO_MUCH:
            return ""
        return str(value) if isinstance(value, (str, int)) and len(str(value)) <= _LONGEST else ""

    def _asked(self, call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
        """Return the question and the answer if the call gives an answer."""
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr != "answer":
            return None
        if isinstance(func.value, ast.Name) and func.value.id in self.called:
            arguments = [
                *call.args,
                *(keyword.value for name in ("question", "answer") for keyword in call.keywords if keyword.arg == name),
            ]
            return (arguments[0], arguments[1]) if len(arguments) == 2 else None
        if isinstance(func.value, ast.Subscript) and isinstance(func.value.value, ast.Name) and func.value.value.id in self.called:
            return (func.value.slice, call.args[0]) if len(call.args) == 1 else None
        return None

    def _plain(self, node: ast.expr) -> object:
        """Evaluate an answer to plain data, or to the code that defines it."""
        try:
            return _told(self.value(node))
        except _TOO_MUCH:
            code = self._code(node)
            if code is None:
                raise
            return {"code": code}

    def value(self, node: ast.expr | None) -> Any:  # noqa: ANN401 - whatever stands there
        """Evaluate an expression, if that is possible without running code."""
        match node:
            case ast.Constant(value=bool() | str() | int() | None as value):
                return _short(value)
            case ast.Constant(value=float()):
                return Fraction(str(node.value))
            case ast.Name(id=name):
                return self.values[name]
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return _few(list(map(self.value, parts)))
            case ast.Set(elts=parts):
                return sorted(_few([_number(item) if not isinstance(item, str) else item for item in map(self.value, parts)]))
            case ast.Dict(keys=keys, values=values):
                return _few({self.value(key): self.value(value) for key, value in zip(keys, values, strict=True)})
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _short(-_number(self.value(operand)))
            case ast.BinOp(left=left, op=op, right=right):
                first, second = _number(self.value(left)), _number(self.value(right))
                if isinstance(op, ast.Pow):
                    return _power(first, second)
                return _short(first / second if isinstance(op, ast.Div) else _SUMS[type(op)](first, second))
            case ast.Call(func=func, args=args, keywords=[]):
                arguments = [self.value(argument) for argument in args]
                if _name(func) == "Fraction" and arguments:
                    return _short(Fraction(*map(_written, arguments)))
                counting_function = _COUNTS.get((_name(func), len(arguments)))
                if counting_function is not None and all(0 <= value <= _MOST and value == int(value) for value in arguments):
                    return _short(Fraction(counting_function(*map(int, arguments))))
                if _name(func) == "pow" and len(arguments) == 2:
                    return _power(*map(_number, arguments))
                if _name(func) in _NAMED and len(arguments) == 1 and isinstance(arguments[0], str):
                    return arguments[0]
                if _name(func) == "int" and len(arguments) == 1:
                    return _short(int(_number(arguments[0])))
                if _name(func) in ("str", "set", "list", "tuple", "float") and len(arguments) == 1 and not isinstance(arguments[0], str):
                    return _short(arguments[0]) if _name(func) != "str" else _told(arguments[0])
        raise ValueError(ast.dump(node)[:60] if node is not None else "nothing")

    def _code(self, node: ast.expr) -> str | None:
        """Return the code of an expression with all it needs from all cells.

        None if no function or class is among it.
        """
        uses = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
        wanted, taken_indices = set(uses), set[int]()
        while wanted:
            name = wanted.pop()
            for index in self._defining(name):
                if index not in taken_indices:
                    taken_indices.add(index)
                    wanted |= self._pieces[index].uses
        needed_statements = [self._pieces[index] for index in sorted(taken_indices | self._stars())]
        has_definition = any(isinstance(statement.node, (ast.FunctionDef, ast.ClassDef)) for statement in needed_statements)
        if not has_definition and not isinstance(node, ast.Lambda):
            return None
        return "\n\n".join([*(statement.text for statement in needed_statements), f"choose = {ast.unparse(node)}"]) + "\n"

    def _defining(self, name: str) -> Iterable[int]:
        """Return the statements that define a name: the last definition, or all assignments."""
        indices = [index for index in self._places.get(name, ()) if not self._speaks(self._pieces[index])]
        last_definition = [index for index in indices if isinstance(self._pieces[index].node, (ast.FunctionDef, ast.ClassDef))][-1:]
        return last_definition or indices

    def _stars(self) -> set[int]:
        return set(self._places.get("*", ()))

    def _speaks(self, piece: _Piece) -> bool:
        """Return whether a statement calls the homework, so that it is not part of an answer."""
        calls = [child for child in ast.walk(piece.node) if isinstance(child, ast.Call)]
        return any(_name(call.func) == "homework" or self._asked(call) is not None for call in calls)


def _name(func: ast.expr) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def _base(node: ast.expr) -> ast.expr:
    """Return the object whose item or attribute an expression is."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node


def _number(value: object) -> Fraction:
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    raise ValueError(value)


def _power(base: Fraction, power: Fraction) -> Any:  # noqa: ANN401 - as above
    """Return a power, or refuse one that is too large to be written by a person."""
    if (
        power.denominator != 1
        or abs(power) > _MOST
        or abs(power) * max(base.numerator.bit_length(), base.denominator.bit_length()) > _MOST_BITS
    ):
        raise OverflowError
    return _short(base ** int(power))


def _written(value: Any) -> Any:  # noqa: ANN401 - as above
    """Return an argument of `Fraction`, or refuse a text for a number with a million digits."""
    if isinstance(value, str) and (len(value) > _MOST_DIGITS or "e" in value.casefold()):
        raise OverflowError
    return value


def _few(value: Any) -> Any:  # noqa: ANN401 - as above
    """Return the value, or refuse one with too many parts to be written by a person."""
    count, pending = 0, [value]
    while pending:
        item = pending.pop()
        count += 1 + (len(item) >> 6 if isinstance(item, str) else 0)
        if count > _MOST_VALUES:
            raise OverflowError
        pending += item if isinstance(item, list) else item.values() if isinstance(item, dict) else ()
    return value


def _short(value: Any) -> Any:  # noqa: ANN401 - as above
    """Return the value, or refuse a number too long to be written by a person."""
    if isinstance(value, (int, Fraction)) and max(len(hex(value.numerator)), len(hex(value.denominator))) > _MOST_DIGITS:
        raise OverflowError
    return value


def _told(value: Any) -> object:  # noqa: ANN401 - as above
    """Return an answer as a receipt would store it."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, list):
        return [_told(item) for item in value]
    if isinstance(value, dict):
        return {str(_told(key)): _told(item) for key, item in value.items()}
    return value


def sources_of(cells: Iterable[object]) -> list[str]:
    """Return the texts of a notebook's code cells; other cells get an empty text.

    So cells keep their numbers.
    """
    return [text_of(cell.get("source")) if isinstance(cell, dict) and cell.get("cell_type") == "code" else "" for cell in cells]


def text_of(kept: object) -> str:
    r"""Return a text that a notebook stores whole or as lines.

    >>> text_of(["a\n", "b"]), text_of("a"), text_of([1]), text_of(None)
    ('a\nb', 'a', '', '')
    """
    if isinstance(kept, list) and all(isinstance(line, str) for line in kept):
        return "".join(kept)
    return kept if isinstance(kept, str) else ""
