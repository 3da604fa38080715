"""Draws the house: every room with its first sentence, every module with its own, and which room stands on which, read from the folders and their imports.

`python tools/house.py --figures [OLD]` prints how many files, lines and imports each floor and each room has, and beside them those of OLD, the folder of another checkout.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from functools import cache
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "durak_widget"
FRONT = ("frontend", "static")
"""What is no Python."""
SCRIPTS = PACKAGE / "frontend" / "src"
"""What the page in the browser is made of."""
_WIDE, _ROW, _LEFT, _GAP, _APART = 1100, 60, 130, 10, 40
_INK, _SOFT, _PAPER, _EDGE = "#1f2630", "#5a6472", "#ffffff", "#b9c1cb"


@cache
def modules() -> dict[str, ast.Module]:
    """Every module by its dotted name, a package by that of its folder."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in FRONT
    }


def room(module: str) -> str:
    """The folder that a module stands in; a package stands in its own."""
    return module if (ROOT / Path(*module.split("."))).is_dir() else module.rpartition(".")[0]


def imported(tree: ast.AST, *, running: bool = False) -> set[str]:
    """What a module imports of the house, for types and in functions too; not these, if only what is imported as it begins `running` is asked for."""
    found: set[str] = set()
    queue = [tree]
    while queue:
        node = queue.pop()
        if running and (isinstance(node, ast.FunctionDef) or _only_for_types(node)):
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("durak_widget"):
            names = {f"{node.module}.{one.name}" for one in node.names}
            found |= names & modules().keys()
            if not names <= modules().keys():
                found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names if one.name.startswith("durak_widget")}
        queue += ast.iter_child_nodes(node)
    return found


def _only_for_types(node: ast.AST) -> bool:
    """Whether this is an `if TYPE_CHECKING:` block, which imports nothing when the program runs."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imported_names(tree: ast.Module) -> set[tuple[str, str]]:
    """The names that a module takes from others of the house, each with its home."""
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("durak_widget")]
    return {(str(node.module), one.name) for node in froms for one in node.names}


@cache
def scripts() -> list[Path]:
    """Every script and style sheet of the page."""
    return sorted(path for path in SCRIPTS.rglob("*") if path.suffix in {".ts", ".css"})


def fetched(script: Path) -> set[Path]:
    """The files that a script or a style sheet imports, for types too."""
    found = re.findall(r'(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"', script.read_text(encoding="utf-8"))
    paths = (Path(os.path.normpath(script.parent / one)) for one in found)
    return {path if path.suffix else path.with_suffix(".ts") for path in paths}


def _dotted(path: Path) -> str:
    """A script, or a folder of scripts, as it is named here."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def said(module: str) -> str:
    """The first line of what a module says of itself, a script in its first comment, a room of scripts in its README."""
    path = ROOT / Path(*module.split("."))
    if path.is_relative_to(SCRIPTS):
        if path.is_dir():
            return (path / "README.md").read_text(encoding="utf-8").partition("\n")[0]
        comment = re.match(r"/\*\* (.+?)(?: \*/)?\n", path.with_suffix(".ts").read_text(encoding="utf-8"))
        return comment[1] if comment else ""
    return (ast.get_docstring(modules()[module]) or "").partition("\n")[0].strip()


@cache
def below() -> dict[str, set[str]]:
    """For each room the rooms that its modules import from. What a face or a command fetches, which may stand above it, is no arrow."""
    found: dict[str, set[str]] = {room(module): set() for module in modules() if room(module) != "durak_widget"}
    for module, tree in modules().items():
        own = room(module)
        if module != own and not module.endswith("__main__") and own != "durak_widget":
            found[own] |= {room(name) for name in imported(tree)} - {own, "durak_widget"}
    for script in scripts():
        own = _dotted(script.parent)
        found.setdefault(own, set()).update({_dotted(one.parent) for one in fetched(script) if one in scripts()} - {own})
    return found


def height(own: str) -> int:
    """How many rooms stand below one another under it."""
    return _heights()[own]


@cache
def _heights() -> dict[str, int]:
    found: dict[str, int] = {}

    def of(own: str, way: tuple[str, ...]) -> int:
        if own in way:
            raise ValueError(f"the rooms stand in a circle: {' → '.join([*way[way.index(own) :], own])}")
        if own not in found:
            found[own] = 1 + max((of(other, (*way, own)) for other in below()[own] if other in below()), default=-1)
        return found[own]

    for own in below():
        of(own, ())
    return found


def floor(own: str) -> str:
    """The floor that a room is on; the page in the browser is a house of its own."""
    parts = own.split(".")
    return ".".join(parts[1:4] if parts[1] in FRONT else parts[1:2])


def floors() -> dict[str, list[str]]:
    """The floors from the ground up, then those of the page, each with its rooms from the lowest to the highest."""
    found: dict[str, list[str]] = {}
    for own in sorted(below(), key=lambda one: (height(one), one)):
        found.setdefault(floor(own), []).append(own)
    lowest = {name: min(height(one) for one in rooms) for name, rooms in found.items()}
    highest = {name: max(height(one) for one in rooms) for name, rooms in found.items()}
    return {name: found[name] for name in sorted(found, key=lambda name: (name.startswith(FRONT), highest[name], lowest[name], name))}


def inside(own: str) -> list[str]:
    """The modules of a room, without what stands in rooms of its own."""
    names = [*modules(), *(_dotted(script) for script in scripts() if script.suffixes == [".ts"])]
    return [module for module in names if room(module) == own and module != own]


def path(own: str) -> str:
    """A room as one types it."""
    return own.removeprefix("durak_widget.").replace(".", "/") + "/"


def table() -> str:
    """A line for each room, the lowest first: what is asked there, and how many modules answer."""
    rows = [f"| `{path(own)}` | {len(inside(own))} | {said(own)} |" for rooms in floors().values() for own in rooms]
    return "\n".join(["| room | modules | what is asked there |", "|---|---|---|", *rows])


def page() -> str:
    """The page of the house: the picture, and every module with its first line."""
    lines = [
        "# The house, room by room",
        "",
        "Written by `make map` from the folders, their first sentences and their imports; a test holds it to them. A room imports from the rooms that stand before it, and none comes back. The page in the browser, `frontend/src`, is a house of its own.",
        "",
        "![The floors of the house with their rooms](images/house.svg)",
    ]
    for name, rooms in floors().items():
        lines += ["", f"## {path(name).rstrip('/')}", "", said(f"durak_widget.{name}")]
        for own in rooms:
            others = sorted(path(one).rstrip("/") for one in below()[own])
            if not inside(own):
                continue
            on = f"Stands on {', '.join(f'`{one}`' for one in others)}." if others else "Stands on the ground."
            lines += ["", f"### `{path(own)}`", "", *([f"{said(own)} "] if own != f"durak_widget.{name}" else []), on, ""]
            end = ".ts" if name.startswith(FRONT) else ""
            lines += [
                "| module | what it is |",
                "|---|---|",
                *(f"| `{one.rpartition('.')[2]}{end}` | {said(one)} |" for one in inside(own)),
            ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def picture() -> str:
    """The floors one above another, each with its rooms from the lowest to the highest; a room is as wide as it has modules, and its title says on which it stands."""
    rows = [(floor, [own for own in rooms if inside(own)]) for floor, rooms in floors().items()]
    tall = 20 + len(rows) * (_ROW + _GAP) + _APART
    drawn, y, apart = [], tall - _ROW - _GAP, False
    for floor, rooms in rows:
        if floor.startswith(FRONT) and not apart:
            apart = True
            drawn.append(
                f'<text x="16" y="{y + 40}" font-size="13" fill="{_SOFT}">The page in the browser, a house of its own: {path(floor).rpartition("/")[0].rpartition("/")[0]}/</text>'
            )
            y -= _APART
        drawn.append(f'<text x="16" y="{y + 34}" font-size="17" font-weight="600" fill="{_INK}">{escape(floor.rpartition(".")[2])}</text>')
        x = _LEFT
        for own in rooms:
            name = own.rpartition(".")[2] if own != f"durak_widget.{floor}" else "itself"
            wide = max(4 * len(inside(own)), 9 * len(name)) + 14
            on = ", ".join(sorted(path(one).rstrip("/") for one in below()[own])) or "the ground"
            drawn.append(
                f"<g><title>{escape(path(own))}: {escape(said(own))} Stands on {escape(on)}.</title>"
                f'<rect x="{x}" y="{y}" width="{wide}" height="{_ROW - 8}" rx="6" fill="{_PAPER}" stroke="{_EDGE}"/>'
                f'<text x="{x + wide / 2:g}" y="{y + 24}" font-size="13" text-anchor="middle" fill="{_INK}">{escape(name)}</text>'
                f'<text x="{x + wide / 2:g}" y="{y + 43}" font-size="12" text-anchor="middle" fill="{_SOFT}">{len(inside(own))}</text></g>'
            )
            x += wide + _GAP
        y -= _ROW + _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {tall}" font-family="sans-serif" role="img" aria-label="The floors of the house">'
        f'<rect width="{_WIDE}" height="{tall}" fill="#f4f6f8"/>{"".join(drawn)}</svg>\n'
    )


BEGINS, ENDS = "<!-- the rooms: make map -->", "<!-- so far the rooms -->"
"""Between these stands the table of the rooms in CONTRIBUTING.md."""


def with_rooms(text: str) -> str:
    """A page with the table of the rooms as it is now, where it has its place."""
    before, _, rest = text.partition(BEGINS)
    return f"{before}{BEGINS}\n{table()}\n{ENDS}{rest.partition(ENDS)[2]}"


def counted(root: Path) -> dict[str, list[int]]:
    """For each folder of a checkout's package, the ground's first: its modules or scripts, their lines, and their statements that import something, whatever it is and wherever they stand."""
    package, found = root / "durak_widget", dict[str, list[int]]()
    for path in sorted([*package.rglob("*.py"), *(package / "frontend" / "src").rglob("*.ts")]):
        inner = path.parent.relative_to(package).parts
        if path.suffix == ".py" and inner[:1] in {(one,) for one in FRONT}:
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ts":
            imports = len(re.findall(r"^(?:import|export .*from)\b", text, re.MULTILINE))
        else:
            imports = sum(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.walk(ast.parse(text)))
        counts = found.setdefault("/".join(inner) or "ground", [0, 0, 0])
        counts[:] = [sum(pair) for pair in zip(counts, (1, len(text.splitlines()), imports), strict=True)]
    return dict(sorted(found.items(), key=lambda one: (one[0] != "ground", one[0])))


def by_floor(rooms: dict[str, list[int]]) -> dict[str, list[int]]:
    """The same counts for whole floors; the page in the browser is one."""
    found: dict[str, list[int]] = {}
    for own, counts in rooms.items():
        name = "frontend/src" if own.startswith("frontend/") else own.partition("/")[0]
        found[name] = [sum(pair) for pair in zip(found.get(name, [0, 0, 0]), counts, strict=True)]
    return found


def figures(root: Path, before: Path | None = None) -> str:
    """The figures of a checkout's package: a table of its floors, beside those of another checkout, and a list of its rooms."""
    rooms = counted(root)
    sides = [by_floor(counted(before))] if before else []
    sides.append(by_floor(rooms))
    heads = ["files", "lines", "imports", *(["files now", "lines now", "imports now"] if before else [])]
    rows = [f"| floor | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    upwards = ["ground", *("frontend/src" if name.startswith(FRONT) else name for name in floors())]
    there = [name for side in sides for name in side]
    for name in dict.fromkeys([*(name for name in upwards if name in there), *there]):
        cells = [cell for side in sides for cell in (map("{:,}".format, side[name]) if name in side else "–––")]
        rows.append(f"| {f'`{name}`' if '/' in name else name} | {' | '.join(cells)} |")
    told = "; ".join(f"`{own}` " + " · ".join(f"{count:,}" for count in counts) for own, counts in rooms.items())
    return "\n".join([*rows, "", f"Room by room, files · lines · imports: {told}."])


if __name__ == "__main__" and sys.argv[1:2] == ["--figures"]:
    other = Path(sys.argv[2]) if sys.argv[2:] else None
    if other and not (other / "durak_widget" / "__init__.py").is_file():
        raise SystemExit(f"{other} is no checkout: it has no durak_widget/__init__.py.")
    print(figures(ROOT, other))
elif __name__ == "__main__":
    for file, content in {
        ROOT / "docs" / "house.md": page(),
        ROOT / "docs" / "images" / "house.svg": picture(),
        ROOT / "CONTRIBUTING.md": with_rooms((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")),
    }.items():
        file.write_text(content, encoding="utf-8")
        print(f"{file.relative_to(ROOT).as_posix()}: written")
