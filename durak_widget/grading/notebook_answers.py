"""What the cells of a notebook say, read and never run: whose homework it is, which answers are written there, and the code that is given as one.

`homework.answer(3, "5/18")` is an answer; so are `homework[3].answer("5/18")`, sums and fractions (`5/18`, `Fraction(5, 18)`, `comb(4, 2)/comb(9, 2)`),
powers, names that were given such values before, and functions and classes that some cell defines.
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
"""So long may a cell be that is read."""
_MOST_CELLS: Final = 2000
_MOST_DIGITS: Final = 60
_LONGEST: Final = 200
_MOST: Final = 2000
"""So much may be counted with `comb` and its like."""
_MOST_BITS: Final = 1024
_MOST_VALUES: Final = 5000
"""So many values, and words of text, may an answer be; names that stand for one another twice would make a short cell endless."""
_TIMED: Final = re.compile(r"(?m)^([ \t]*)%time(?:it)?[ \t]+")
_MAGIC: Final = re.compile(r"(?m)^([ \t]*)[%!?][^\n]*")
_WHOLE: Final = re.compile(r"\s*%%(?!time\b|timeit\b|capture\b)")
"""A cell in another language."""
_SUMS: Final = {ast.Add: Fraction.__add__, ast.Sub: Fraction.__sub__, ast.Mult: Fraction.__mul__}
_COUNTS: Final[dict[tuple[str, int], Callable[..., int]]] = {("comb", 2): comb, ("perm", 2): perm, ("factorial", 1): factorial}
_LOOKING: Final = {"print", "display", "len", "sum", "min", "max", "sorted", "list", "tuple", "set", "dict", "str"}
"""What these are given they leave as it is."""
_NAMED: Final = {"Card", "Move", "Decimal"}
"""What stands in these is as good as the thing itself."""
_TOO_MUCH: Final = (ValueError, TypeError, KeyError, ZeroDivisionError, OverflowError, RecursionError, MemoryError, AttributeError)


class Said(NamedTuple):
    """What the cells of a notebook say."""

    assignment: str
    student: str
    edition: str
    answers: dict[int | str, object]
    """By the name or the number of a question, as plain values; the last one of each."""
    odd: tuple[Fact, ...]


class _Piece(NamedTuple):
    """A statement that stands at the left margin of a cell."""

    cell: int
    node: ast.stmt
    text: str
    defines: frozenset[str]
    uses: frozenset[str]


def said_in(sources: Sequence[str]) -> Said:
    r"""What the code cells of a notebook say.

    >>> said = said_in(['from durak_widget import lessons\nhomework = lessons.homework("econ431", student="Ann")', 'p = 1/6\nhomework.answer(3, 1 - p)'])
    >>> said.student, said.answers
    ('Ann', {3: '5/6'})
    >>> said_in(["import math", "def f(view):\n    return math.pi", "homework.answer('mine', f)"]).answers
    {'mine': {'code': 'import math\n\ndef f(view):\n    return math.pi\n\nchoose = f\n'}}
    """
    odd: list[Fact] = []
    pieces = [piece for cell, source in enumerate(sources[:_MOST_CELLS], 1) for piece in _pieces(cell, source, odd)]
    reader = _Reader(pieces)
    for piece in pieces:
        try:
            reader.hear(piece)
        except _TOO_MUCH:  # noqa: PERF203 - a statement that cannot be read takes no other with it
            reader.unwritten.setdefault(piece.cell, None)
    odd += [Fact("class.file.unwritten", {"cell": cell}) for cell in reader.unwritten]
    return Said(*reader.whose, reader.answers, tuple(odd))


def _pieces(cell: int, source: str, odd: list[Fact]) -> list[_Piece]:
    """The statements of a cell."""
    if _WHOLE.match(source):
        return []
    text = _MAGIC.sub(r"\1pass", _TIMED.sub(r"\1", source))
    speaks = ".answer(" in text or "homework(" in text
    try:
        if len(text) > _MOST_SIGNS:
            raise ValueError
        tree = ast.parse(text)
        return [_piece(cell, node, text) for node in tree.body]
    except (SyntaxError, *_TOO_MUCH):
        if speaks:
            odd.append(Fact("class.file.cell", {"cell": cell}))
        return []


def _piece(cell: int, node: ast.stmt, text: str) -> _Piece:
    defines: set[str] = set()
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        defines = {node.name}
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        defines = {(one.asname or one.name).partition(".")[0] for one in node.names}
    else:
        defines = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    uses = frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))
    lines, first = text.splitlines(keepends=True), min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    return _Piece(cell, node, "".join(lines[first - 1 : node.end_lineno]).strip("\n"), frozenset(defines), uses)


class _Reader:
    """Goes through the statements in their order, and remembers what they say."""

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self._pieces = pieces
        self._places: dict[str, list[int]] = defaultdict(list)
        """Where a name is given a meaning."""
        for place, one in enumerate(pieces):
            for name in one.defines:
                self._places[name].append(place)
        self.values: dict[str, Any] = {}
        self.called = {"homework"}
        self.whose = "", "", ""
        self.answers: dict[int | str, object] = {}
        self.unwritten: dict[int, None] = {}

    def hear(self, piece: _Piece) -> None:
        """Take what a statement says."""
        self._take(piece)
        for name in self._touched(piece.node):
            if isinstance(self.values.get(name), (list, dict)):
                del self.values[name]

    def _touched(self, node: ast.stmt) -> set[str]:
        """The names of what may be another thing afterwards: a place in it is set, a method of it is called, or it is given to some function."""
        found: set[ast.expr] = set()
        for one in ast.walk(node):
            if isinstance(one, (ast.Subscript, ast.Attribute)) and not isinstance(one.ctx, ast.Load):
                found.add(one.value)
            elif isinstance(one, ast.Call) and self._asked(one) is None and _name(one.func) not in _LOOKING:
                found |= {*one.args, *([one.func.value] if isinstance(one.func, ast.Attribute) else [])}
        return {one.id for one in map(_base, found) if isinstance(one, ast.Name)}

    def _take(self, piece: _Piece) -> None:
        node = piece.node
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for name in piece.defines:
                self.values.pop(name, None)
            return
        if not isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign)):
            for name in piece.defines:
                self.values.pop(name, None)
            if any(self._asked(one) for one in ast.walk(node) if isinstance(one, ast.Call)):
                self.unwritten.setdefault(piece.cell)
            return
        for one in ast.walk(node):
            if isinstance(one, ast.Call):
                self._call(piece, one)
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
            given = {one.arg: one.value for one in call.keywords} | dict(zip(("assignment",), call.args, strict=False))
            assignment, student, edition = (self._word(given.get(name)) for name in ("assignment", "student", "edition"))
            self.whose = assignment, student, edition
        elif (asked := self._asked(call)) is not None:
            question, answer = asked
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
        """A short text or a number that stands there; nothing where none does."""
        try:
            value = self.value(node)
        except _TOO_MUCH:
            return ""
        return str(value) if isinstance(value, (str, int)) and len(str(value)) <= _LONGEST else ""

    def _asked(self, call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
        """The question and the answer, where that is what is called."""
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr != "answer":
            return None
        if isinstance(func.value, ast.Name) and func.value.id in self.called:
            given = [*call.args, *(one.value for name in ("question", "answer") for one in call.keywords if one.arg == name)]
            return (given[0], given[1]) if len(given) == 2 else None
        if isinstance(func.value, ast.Subscript) and isinstance(func.value.value, ast.Name) and func.value.value.id in self.called:
            return (func.value.slice, call.args[0]) if len(call.args) == 1 else None
        return None

    def _plain(self, node: ast.expr) -> object:
        """An answer as plain values, or the code that it is."""
        try:
            return _told(self.value(node))
        except _TOO_MUCH:
            code = self._code(node)
            if code is None:
                raise
            return {"code": code}

    def value(self, node: ast.expr | None) -> Any:  # noqa: ANN401 - whatever stands there
        """What an expression is worth, where that can be read off it."""
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
                return sorted(_few([_number(one) if not isinstance(one, str) else one for one in map(self.value, parts)]))
            case ast.Dict(keys=keys, values=values):
                return _few({self.value(key): self.value(value) for key, value in zip(keys, values, strict=True)})
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _short(-_number(self.value(operand)))
            case ast.BinOp(left=left, op=op, right=right):
                one, other = _number(self.value(left)), _number(self.value(right))
                if isinstance(op, ast.Pow):
                    return _power(one, other)
                return _short(one / other if isinstance(op, ast.Div) else _SUMS[type(op)](one, other))
            case ast.Call(func=func, args=args, keywords=[]):
                given = [self.value(one) for one in args]
                if _name(func) == "Fraction" and given:
                    return _short(Fraction(*map(_written, given)))
                count = _COUNTS.get((_name(func), len(given)))
                if count is not None and all(0 <= one <= _MOST and one == int(one) for one in given):
                    return _short(Fraction(count(*map(int, given))))
                if _name(func) == "pow" and len(given) == 2:
                    return _power(*map(_number, given))
                if _name(func) in _NAMED and len(given) == 1 and isinstance(given[0], str):
                    return given[0]
                if _name(func) == "int" and len(given) == 1:
                    return _short(int(_number(given[0])))
                if _name(func) in ("str", "set", "list", "tuple", "float") and len(given) == 1 and not isinstance(given[0], str):
                    return _short(given[0]) if _name(func) != "str" else _told(given[0])
        raise ValueError(ast.dump(node)[:60] if node is not None else "nothing")

    def _code(self, node: ast.expr) -> str | None:
        """The code that an expression is: with what it is made of, from all cells; nothing where no function or class is among that."""
        uses = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        wanted, taken = set(uses), set[int]()
        while wanted:
            name = wanted.pop()
            for place in self._defining(name):
                if place not in taken:
                    taken.add(place)
                    wanted |= self._pieces[place].uses
        found = [self._pieces[place] for place in sorted(taken | self._stars())]
        made = any(isinstance(one.node, (ast.FunctionDef, ast.ClassDef)) for one in found)
        if not made and not isinstance(node, ast.Lambda):
            return None
        return "\n\n".join([*(one.text for one in found), f"choose = {ast.unparse(node)}"]) + "\n"

    def _defining(self, name: str) -> Iterable[int]:
        """The statements that give a name its meaning: the last definition, or all assignments and imports."""
        places = [place for place in self._places.get(name, ()) if not self._speaks(self._pieces[place])]
        last = [place for place in places if isinstance(self._pieces[place].node, (ast.FunctionDef, ast.ClassDef))][-1:]
        return last or places

    def _stars(self) -> set[int]:
        return set(self._places.get("*", ()))

    def _speaks(self, piece: _Piece) -> bool:
        """Whether a statement speaks with the homework: it is no part of what is given to it."""
        calls = [one for one in ast.walk(piece.node) if isinstance(one, ast.Call)]
        return any(_name(one.func) == "homework" or self._asked(one) is not None for one in calls)


def _name(func: ast.expr) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def _base(node: ast.expr) -> ast.expr:
    """What a place is in."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node


def _number(value: object) -> Fraction:
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    raise ValueError(value)


def _power(base: Fraction, power: Fraction) -> Any:  # noqa: ANN401 - as above
    """A power, where that is as much as somebody could write."""
    if (
        power.denominator != 1
        or abs(power) > _MOST
        or abs(power) * max(base.numerator.bit_length(), base.denominator.bit_length()) > _MOST_BITS
    ):
        raise OverflowError
    return _short(base ** int(power))


def _written(value: Any) -> Any:  # noqa: ANN401 - as above
    """What a fraction is made of: no text that stands for a number of a million digits."""
    if isinstance(value, str) and (len(value) > _MOST_DIGITS or "e" in value.casefold()):
        raise OverflowError
    return value


def _few(value: Any) -> Any:  # noqa: ANN401 - as above
    """The value, where it is as much as somebody could write."""
    count, left = 0, [value]
    while left:
        one = left.pop()
        count += 1 + (len(one) >> 6 if isinstance(one, str) else 0)
        if count > _MOST_VALUES:
            raise OverflowError
        left += one if isinstance(one, list) else one.values() if isinstance(one, dict) else ()
    return value


def _short(value: Any) -> Any:  # noqa: ANN401 - as above
    """The value, where it is of a length that somebody could write."""
    if isinstance(value, (int, Fraction)) and max(len(hex(value.numerator)), len(hex(value.denominator))) > _MOST_DIGITS:
        raise OverflowError
    return value


def _told(value: Any) -> object:  # noqa: ANN401 - as above
    """An answer as a receipt would keep it."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, list):
        return [_told(one) for one in value]
    if isinstance(value, dict):
        return {str(_told(key)): _told(one) for key, one in value.items()}
    return value


def sources_of(cells: Iterable[object]) -> list[str]:
    """The texts of the code cells of a notebook; what is no such cell has an empty one, so that cells keep their numbers."""
    return [text_of(cell.get("source")) if isinstance(cell, dict) and cell.get("cell_type") == "code" else "" for cell in cells]


def text_of(kept: object) -> str:
    r"""A text as notebooks keep it: whole, or in lines.

    >>> text_of(["a\n", "b"]), text_of("a"), text_of([1]), text_of(None)
    ('a\nb', 'a', '', '')
    """
    if isinstance(kept, list) and all(isinstance(line, str) for line in kept):
        return "".join(kept)
    return kept if isinstance(kept, str) else ""
