"""Does a file name a folder that exists on one machine only? Prints each such line and fails."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOMES = re.compile(r"(?:^|[^A-Za-z0-9_.])(?:/(?:home|root|Users|work|workspace|builds|mnt|private)/|[A-Za-z]:\\\\?Users\\)[\w.-]")


def files() -> list[Path]:
    """The files that are, or would be, in git."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def main() -> int:
    """Print the offending lines; 1 if there are any."""
    try:
        paths = files()
    except (OSError, subprocess.CalledProcessError):
        print("machine paths: not looked for, since this is no git tree")
        return 0
    found = 0
    for path in paths:
        text = path.read_bytes().decode(errors="replace")
        for number, line in enumerate(text.split("\n"), 1):
            if HOMES.search(line) or str(ROOT) in line:
                found += 1
                print(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}")
    print(f"{found} in {len(paths)} files")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
