"""A language while it is written: what it still lacks, most heard first, and the file in which that stands between empty quotes, English beside it."""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError
from durak_widget.i18n._translation import counted, facts_in, forms, lacking, language, uncounted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.i18n._translation import Language

_HEARD: Final = (
    *(
        "sentence",
        "none",
        "card",
        "screen",
        "call",
        "did",
        "advice",
        "deed",
        "past",
        "doing",
        "role",
        "end",
        "outcome",
        "farewell",
        "refusal",
        "why",
        "todo",
    ),
    *(
        "may",
        "table",
        "hint",
        "told",
        "who",
        "people",
        "picture",
        "number",
        "rules",
        "review",
        "page",
        "lesson",
        "tree",
        "board",
        "matrix",
        "theory",
        "arena",
        "sketch",
        "class",
    ),
)
"""What sentences begin with, most heard first: whatever stands in others, the table, then exercises, trees, and last the classroom."""

_STUB: Final = '''"""{code}: a language that is being written. `python -m durak_widget.i18n {code}` says what is missing, and writes it in here anew."""

from __future__ import annotations

from typing import Final

from durak_widget.i18n._translation import Language

SENTENCES: Final = {{
}}

RULES: Final = {{
}}

LANGUAGE: Final = Language(
    name="{code}",  # what it calls itself; the plural forms come first, since each asks for sentences: then run the command again
    plurals=({plurals}),  # by their names in the Unicode CLDR
    plural=lambda count: "one" if count == 1 else "other",  # which of them a number takes
    ranks={ranks},  # each in the cases that the sentences ask for, as {{card:acc}} asks for "acc"
    suits={suits},
    jokers={jokers},
    signed={signed},
    seat={seat},
    player={player},
    you={you},
    people={people},
    joints={joints},
    nouns={nouns},
    sentences=SENTENCES,
    rules=RULES,
)
'''


_PARTS: Final = ("ranks", "suits", "jokers", "signed", "seat", "player", "you", "people", "joints", "nouns")


class DraftStanding(NamedTuple):
    """How far a language is."""

    sentences: Mapping[str, str]
    """What it does not say yet, by its keys, most heard first, each with its English."""
    of: int
    """How many sentences there are."""
    rules: Mapping[str, str]
    """The same of the rules."""
    of_rules: int
    odd: tuple[str, ...]
    """The keys of what is not as in English: left over, or naming other facts."""


def standing(words: Language, rules: Mapping[str, str]) -> DraftStanding:
    """What a language lacks, beside these rules in English.

    >>> found = standing(language("ru")._replace(sentences={"card": "{rank} {off}", "crad": "?"}), {"preset.plain": "As usual."})
    >>> list(found.sentences.items())[:3], found.of - len(found.sentences), dict(found.rules), found.odd
    ([('sentence', '{said}.'), ('none', 'no cards'), ('card', '{rank} of {of}')], 0, {'preset.plain': 'As usual.'}, ('card', 'crad'))
    """
    english = language("en")
    whole = forms(english.sentences, english.plurals, words.plurals)
    missing = sorted(lacking(words.sentences, words.plurals), key=_place)
    theirs, own = _named(english), _named(words)
    odd = [key for key, facts in own.items() if facts != theirs.get(key)]
    told = {key: said for one, text in rules.items() for key, said in _spelt(one, text, words).items()}
    unsaid = {key: said for key, said in told.items() if not words.rules.get(key)}
    return DraftStanding({key: whole[key] for key in missing}, len(whole), unsaid, len(told), tuple(odd))


def _place(key: str) -> int:
    first = key.partition(".")[0]
    return _HEARD.index(first) if first in _HEARD else len(_HEARD)


def _named(words: Language) -> dict[str, set[str]]:
    """Which facts each sentence names, in any of its plural forms."""
    english = language("en")
    stems = counted(words.sentences, words.plurals) | counted(english.sentences, english.plurals)
    found: dict[str, set[str]] = {}
    for key, said in words.sentences.items():
        if said:
            facts = facts_in(said)
            found.setdefault(uncounted(key, stems, words.plurals), set()).update(facts)
    return found


def _spelt(key: str, said: str, words: Language) -> dict[str, str]:
    """A rule by the keys under which the language says it: where a number stands in it, in each plural form, if it is not said once for all."""
    return (
        {key: said} if "{n}" not in said or words.rules.get(key) else {f"{key}.{form}": said.replace("{s}", "s") for form in words.plurals}
    )


def stub(code: str) -> str:
    """The file of a language of which nothing is written yet: a draft that speaks English."""
    english = language("en")
    parts = {name: json.dumps(getattr(english, name), ensure_ascii=False) for name in _PARTS}
    return _STUB.format(code=code, plurals=json.dumps(english.plurals)[1:-1], **parts)


def filled_in(text: str, found: DraftStanding) -> str:
    r"""The text of a language's file, where what it lacks stands first in `SENTENCES` and `RULES`, between empty quotes; what is written there stays.

    >>> found = DraftStanding({"screen.hand": "Your hand"}, 2, {}, 0, ())
    >>> print(filled_in('SENTENCES = {"screen.table": "Tisch"}\nRULES = {}', found))
    SENTENCES = {
        "screen.hand": "",  # Your hand
    "screen.table": "Tisch"}
    RULES = {}
    """
    text = re.sub(r'^    "[^"]+": "",  # .*\n', "", text, flags=re.MULTILINE)
    for name, missing in (("SENTENCES", found.sentences), ("RULES", found.rules)):
        if missing:
            at = _inside(text, name)
            told = "".join(f'    "{key}": "",  # {json.dumps(said, ensure_ascii=False)[1:-1]}\n' for key, said in missing.items())
            text = f"{text[:at]}\n{told}{text[at:].removeprefix(chr(10))}"
    return text


def _inside(text: str, name: str) -> int:
    """Where that dictionary begins, behind its brace."""
    for node in ast.parse(text).body:
        named = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        found = getattr(node, "value", None)
        if isinstance(found, ast.Dict) and any(isinstance(one, ast.Name) and one.id == name for one in named):
            lines = text.split("\n")
            line = lines[found.lineno - 1].encode()[: found.col_offset].decode()
            return len("\n".join([*lines[: found.lineno - 1], line])) + 1
    raise DurakError(
        f"there is no dictionary {name} = {{…}} in the file, into which to write what is missing; write one, and give it to LANGUAGE"
    )
