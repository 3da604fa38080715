"""Says what an unfinished translation lacks, and writes its file.

What is missing is written between empty quotes, the most frequent sentences first, with the English beside it.
"""

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
"""The first parts of keys, most frequent first.

First other sentences and the table, then exercises, then trees, and last the classroom.
"""

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
    """The status of an unfinished translation."""

    sentences: Mapping[str, str]
    """The missing sentences in English, by key, most frequent first."""
    of: int
    """The number of all sentences."""
    rules: Mapping[str, str]
    """The missing texts about rules, in English."""
    of_rules: int
    odd: tuple[str, ...]
    """The keys of sentences that English does not have, or that name other facts."""


def standing(words: Language, rules: Mapping[str, str]) -> DraftStanding:
    """Return what a language lacks, compared with English and these texts about rules.

    >>> found = standing(language("ru")._replace(sentences={"card": "{rank} {off}", "crad": "?"}), {"preset.plain": "As usual."})
    >>> list(found.sentences.items())[:3], found.of - len(found.sentences), dict(found.rules), found.odd
    ([('sentence', '{said}.'), ('none', 'no cards'), ('card', '{rank} of {of}')], 0, {'preset.plain': 'As usual.'}, ('card', 'crad'))
    """
    english = language("en")
    english_forms = forms(english.sentences, english.plurals, words.plurals)
    missing = sorted(lacking(words.sentences, words.plurals), key=_place)
    english_facts, own_facts = _named(english), _named(words)
    invalid = [key for key, facts in own_facts.items() if facts != english_facts.get(key)]
    rule_texts = {key: translatable for rule_key, text in rules.items() for key, translatable in _spelt(rule_key, text, words).items()}
    missing_rules = {key: text for key, text in rule_texts.items() if not words.rules.get(key)}
    return DraftStanding({key: english_forms[key] for key in missing}, len(english_forms), missing_rules, len(rule_texts), tuple(invalid))


def _place(key: str) -> int:
    """Return the sort rank of a key."""
    first = key.partition(".")[0]
    return _HEARD.index(first) if first in _HEARD else len(_HEARD)


def _named(words: Language) -> dict[str, set[str]]:
    """Return the facts that each sentence names, in any of its plural forms."""
    english = language("en")
    stems = counted(words.sentences, words.plurals) | counted(english.sentences, english.plurals)
    facts_by_key: dict[str, set[str]] = {}
    for key, sentence in words.sentences.items():
        if sentence:
            facts = facts_in(sentence)
            facts_by_key.setdefault(uncounted(key, stems, words.plurals), set()).update(facts)
    return facts_by_key


def _spelt(key: str, said: str, words: Language) -> dict[str, str]:
    """Return a text about a rule by the keys that a language uses for it.

    A text with a number has a key for each plural form, unless the language has one for all.
    """
    return (
        {key: said} if "{n}" not in said or words.rules.get(key) else {f"{key}.{form}": said.replace("{s}", "s") for form in words.plurals}
    )


def stub(code: str) -> str:
    """Return the file of a new language, in which nothing is translated yet."""
    english = language("en")
    parts = {name: json.dumps(getattr(english, name), ensure_ascii=False) for name in _PARTS}
    return _STUB.format(code=code, plurals=json.dumps(english.plurals)[1:-1], **parts)


def filled_in(text: str, found: DraftStanding) -> str:
    r"""Insert what is missing into the text of a language's file, between empty quotes.

    It goes first in `SENTENCES` and `RULES`; what is written there already stays.

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
            start = _inside(text, name)
            entries = "".join(f'    "{key}": "",  # {json.dumps(english, ensure_ascii=False)[1:-1]}\n' for key, english in missing.items())
            text = f"{text[:start]}\n{entries}{text[start:].removeprefix(chr(10))}"
    return text


def _inside(text: str, name: str) -> int:
    """Return the index after the opening brace of a dictionary."""
    for node in ast.parse(text).body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        value = getattr(node, "value", None)
        if isinstance(value, ast.Dict) and any(isinstance(target, ast.Name) and target.id == name for target in targets):
            lines = text.split("\n")
            line = lines[value.lineno - 1].encode()[: value.col_offset].decode()
            return len("\n".join([*lines[: value.lineno - 1], line])) + 1
    raise DurakError(
        f"there is no dictionary {name} = {{…}} in the file, into which to write what is missing; write one, and give it to LANGUAGE"
    )
