"""Checks the English of the project against docs/plain-english.md.

It reads the README and the other pages beside it, the docs, the Markdown cells of the lessons and the English catalogue. It finds words to avoid,
sentences of more than 30 words, and statements that begin with Who, Whoever, Whatever, What, Of or Whether. A comment
right after a sentence excepts it: `<!-- prose: REASON -->`, or `# prose: REASON` on the line of a text of the catalogue.

    python tools/prose.py        # what `make check` runs
    python tools/prose.py docs   # check only files whose names begin so
"""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = "durak_widget/i18n/en.py"
LONGEST = 30
LONGEST_LABEL = 5
"""A text of the catalogue with at most this many words and no stop is a label, such as “What beats what”."""
REMARKS = ("people.", "farewell.")
"""How the keys of opponents' remarks begin. Each opponent has their own way to speak."""
AVOID = re.compile(
    r"\b(?:hang(?:s|ing)? on|hung on|dear|dearer|dearest|(?:by|draws?|drawn) lots?|just (?:one|two|three|four)|the contrary|reckon(?:s|ed|ing)?"
    r"|besides|likewise|shall|need not|mend(?:s|ed|ing)?|so many|(?:by|of) itself|is (?:told|said|named)|stands? in(?! for)|as good as never"
    r"|percents|(?<!here )is no (?:tree|number|game|matrix|probability)|lays? (?:a|the|this|your) (?:game|position)|deeds?"
    r"|tell(?:s|ing)? (?:\w+ ){0,3}apart|told apart|corridors?|walls|drawers?|chalk|(?:fast|WebAssembly|our) kernel)\b",
    re.IGNORECASE,
)
BEGINS = re.compile(r"[\"“(*_\[]*(Who|Whoever|Whatever|What|Of|Whether)\b.*[^?\"”)*_\s][\"”)*_\s]*$", re.DOTALL)
EXCEPTED = "\0"
END = re.compile(rf"(?<=[.!?…{EXCEPTED}])[\"”’)*_]*\s+(?=[\"“(]*(?:[`*_\[]|[^\W_a-z]))")
NO_PROSE = re.compile(r"^ *(```|~~~).*?^ *\1|^#.*?$|<!--.*?-->|^\$\$.*?\$\$|^\|[-:| ]+\|$", re.MULTILINE | re.DOTALL)
PART = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+>]|\d+\.|\|)\s)")


def broken_rules(text: str, *, is_label: bool = False) -> Iterator[tuple[str, str]]:
    """Yield each broken rule in a paragraph, with the sentence that breaks it."""
    whole_code = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\1"), " ".join(text.split()))
    for sentence in (part.replace("\1", " ") for part in END.split(whole_code)):
        words = re.sub(r"\{[^}]*\}", "{}", re.sub(r"`[^`]*`", "``", sentence))
        if EXCEPTED in sentence:
            continue
        if found := AVOID.search(words):
            yield f"avoid “{found[0]}”", sentence
        if (count := sum(map(str.isalnum, re.sub(r"[\w{}’'`.,/-]*[\w`}]", "x", words)))) > LONGEST:
            yield f"{count} words in a sentence", sentence
        if not is_label and (found := BEGINS.match(words)):
            yield f"a statement begins with “{found[1]}”", sentence


def check_markdown(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each broken rule in Markdown, with its line and sentence; code and headings are left out."""
    text = re.sub(r"\s*<!-- prose: \S.*?-->", EXCEPTED, text, flags=re.DOTALL)
    text = NO_PROSE.sub(lambda code: "\n" * code[0].count("\n"), text)
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)|\$[^$\n]+\$|<[^>\n]+>", lambda markup: markup[1] or "", text)
    start = 0
    for end in [*(found.end() for found in PART.finditer(text)), len(text)]:
        part, line = text[start:end], text.count("\n", 0, start) + 1
        in_table = part.lstrip().startswith("|")
        for piece in part.split("|") if in_table else [re.sub(r"^\s*(?:[-*+>]|\d+\.)\s+", "", part)]:
            yield from ((line, rule, sentence) for rule, sentence in broken_rules(piece, is_label=in_table))
        start = end


def check_catalogue(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield each broken rule in the texts of a catalogue, with its line and sentence."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
            if isinstance(key, ast.Constant) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                excepted = re.search(r"# prose: \S", lines[(value.end_lineno or 0) - 1])
                if not excepted and not str(key.value).startswith(REMARKS):
                    is_label = len(value.value.split()) <= LONGEST_LABEL and not re.search(r"[.!?:;,]", value.value)
                    yield from ((value.lineno, rule, sentence) for rule, sentence in broken_rules(value.value, is_label=is_label))


def check_file(path: Path) -> Iterator[str]:
    """Yield a line of text for each broken rule in a file."""
    text, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
    if path.suffix == ".ipynb":
        cells = [(number, cell) for number, cell in enumerate(json.loads(text)["cells"], 1) if cell["cell_type"] == "markdown"]
        found = ((number, *rest) for number, cell in cells for _, *rest in check_markdown("".join(cell["source"])))
        yield from (f"{name}: cell {number}: {rule}: {sentence}" for number, rule, sentence in found)
    else:
        check = check_catalogue if path.suffix == ".py" else check_markdown
        yield from (f"{name}:{line}: {rule}: {sentence}" for line, rule, sentence in check(text))


def main(*listed: str) -> int:
    """Print what is found, in all files or in those whose names begin so; return 1 if there is anything."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "notebooks").glob("*.ipynb"), ROOT / CATALOGUE]
    found = [line for path in sorted(pages) for line in check_file(path) if line.startswith(listed or "")]
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
