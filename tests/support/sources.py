"""Read the package's own source: its modules, and what each of them imports."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "durak_widget"


@cache
def module_paths() -> dict[str, Path]:
    """Return the file of every module, by the module's dotted name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in ("frontend", "static")
    }


@cache
def modules() -> dict[str, ast.Module]:
    """Return the syntax tree of every module, by its dotted name."""
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in module_paths().items()}


def imported_modules(tree: ast.AST, *, running: bool = False) -> set[str]:
    """Return the modules of the package that a module imports.

    `running`: leave out imports inside functions and those for type checkers only.
    """
    found: set[str] = set()
    queue = [tree]
    while queue:
        node = queue.pop()
        if running and (isinstance(node, ast.FunctionDef) or _is_for_types(node)):
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("durak_widget"):
            names = {f"{node.module}.{name.name}" for name in node.names}
            found |= names & modules().keys()
            if not names <= modules().keys():
                found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.startswith("durak_widget")}
        queue += ast.iter_child_nodes(node)
    return found


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
