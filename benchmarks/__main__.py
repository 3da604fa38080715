"""Runs a benchmark by `python -m benchmarks NAME [arguments]`.

Without a name, it lists all benchmarks.
"""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

MODULES = {path.stem: path for path in sorted(Path(__file__).parent.glob("[!_]*.py"))}


def main() -> int:
    """Run the benchmark with the given name, or list all benchmarks."""
    name, *arguments = sys.argv[1:] or ["--help"]
    if name in MODULES:
        sys.argv = [f"python -m benchmarks {name}", *arguments]
        runpy.run_module(f"benchmarks.{name}", run_name="__main__", alter_sys=True)
        return 0
    print("python -m benchmarks NAME [arguments]")
    for module, path in MODULES.items():
        summary = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]
        print(f"  {module:14} {summary}")
    return 0 if name in {"-h", "--help"} else 2


if __name__ == "__main__":
    sys.exit(main())
