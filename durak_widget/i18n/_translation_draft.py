"""Finds the missing sentences of an unfinished translation, and adds empty entries.

The module adds each missing sentence as an empty string with the English text beside it, the most frequent sentences first.
"""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError
from durak_widget.i18n._translation import (
    expand_plural_forms,
    find_placeholder_names,
    find_plural_stems,
    get_language,
    list_missing_keys,
    strip_plural_form,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.i18n._translation import Language

_KEY_ORDER: Final = (
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
        "how",
        "people",
        "picture",
        "number",
        "rules",
        "review",
        "page",
        "lesson",
        "learn",
        "tree",
        "board",
        "matrix",
        "theory",
        "arena",
        "error",
        "sketch",
        "class",
    ),
)
"""The first parts of catalogue keys, in the order of translation: the sentences that users see most often come first.

The order is: parts of other sentences and the card table, then exercises, then trees, then the classroom.
"""

_STUB_TEMPLATE: Final = '''"""{code}: a language that is being written. `python -m durak_widget.i18n {code}` says what is missing, and writes it in here anew."""

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
    symbol_forms={symbol_forms},
    seat={seat},
    player={player},
    you={you},
    people={people},
    conjunctions={conjunctions},
    nouns={nouns},
    sentences=SENTENCES,
    rules=RULES,
)
'''


_WORD_FORM_FIELDS: Final = ("ranks", "suits", "jokers", "symbol_forms", "seat", "player", "you", "people", "conjunctions", "nouns")


class DraftStatus(NamedTuple):
    """What is missing and what is invalid in an unfinished translation."""

    sentences: Mapping[str, str]
    """The English texts of the missing sentences, by key; the sentences that users see most often come first."""
    sentence_count: int
    """The number of sentences that a complete translation has."""
    rules: Mapping[str, str]
    """The English texts of the missing texts about rules, by key."""
    rule_count: int
    invalid_keys: tuple[str, ...]
    """The keys of sentences that do not exist in English, or that have other facts than the English sentence."""


def compute_draft_status(words: Language, rules: Mapping[str, str]) -> DraftStatus:
    """Compare a language with the English sentences and rule texts, and return what it lacks.

    >>> status = compute_draft_status(get_language("ru")._replace(sentences={"card": "{rank} {off}", "crad": "?"}), {"preset.plain": "As usual."})
    >>> list(status.sentences.items())[:3], status.sentence_count - len(status.sentences), dict(status.rules), status.invalid_keys
    ([('sentence', '{said}.'), ('none', 'no cards'), ('card', '{rank} of {of}')], 0, {'preset.plain': 'As usual.'}, ('card', 'crad'))
    """
    english = get_language("en")
    english_forms = expand_plural_forms(english.sentences, english.plurals, words.plurals)
    missing = sorted(list_missing_keys(words.sentences, words.plurals), key=_key_rank)
    english_facts, own_facts = _collect_facts(english), _collect_facts(words)
    invalid = [key for key, facts in own_facts.items() if facts != english_facts.get(key)]
    rule_texts = {
        key: translatable for rule_key, text in rules.items() for key, translatable in _expand_rule(rule_key, text, words).items()
    }
    missing_rules = {key: text for key, text in rule_texts.items() if not words.rules.get(key)}
    return DraftStatus({key: english_forms[key] for key in missing}, len(english_forms), missing_rules, len(rule_texts), tuple(invalid))


def _key_rank(key: str) -> int:
    """Return a number by which keys are sorted: sentences that users see often come first."""
    first = key.partition(".")[0]
    return _KEY_ORDER.index(first) if first in _KEY_ORDER else len(_KEY_ORDER)


def _collect_facts(words: Language) -> dict[str, set[str]]:
    """Return the names of the facts in each sentence; its plural forms count as one sentence."""
    english = get_language("en")
    stems = find_plural_stems(words.sentences, words.plurals) | find_plural_stems(english.sentences, english.plurals)
    facts_by_key: dict[str, set[str]] = {}
    for key, sentence in words.sentences.items():
        if sentence:
            facts = find_placeholder_names(sentence)
            facts_by_key.setdefault(strip_plural_form(key, stems, words.plurals), set()).update(facts)
    return facts_by_key


def _expand_rule(key: str, text: str, words: Language) -> dict[str, str]:
    """Return a rule's text under every catalogue key that the language needs for it.

    A text with a number has a key for each plural form, unless the language has one text for all numbers.
    """
    return (
        {key: text} if "{n}" not in text or words.rules.get(key) else {f"{key}.{form}": text.replace("{s}", "s") for form in words.plurals}
    )


def render_stub(code: str) -> str:
    """Return the text of a Python file for a new language, without any translated sentence."""
    english = get_language("en")
    parts = {name: json.dumps(getattr(english, name), ensure_ascii=False) for name in _WORD_FORM_FIELDS}
    return _STUB_TEMPLATE.format(code=code, plurals=json.dumps(english.plurals)[1:-1], **parts)


def insert_missing_entries(text: str, status: DraftStatus) -> str:
    r"""Add missing keys to the text of a language's file, with empty strings as translations.

    The new entries come first in `SENTENCES` and `RULES`. Existing translations do not change.

    >>> status = DraftStatus({"screen.hand": "Your hand"}, 2, {}, 0, ())
    >>> print(insert_missing_entries('SENTENCES = {"screen.table": "Tisch"}\nRULES = {}', status))
    SENTENCES = {
        "screen.hand": "",  # Your hand
    "screen.table": "Tisch"}
    RULES = {}
    """
    text = re.sub(r'^    "[^"]+": "",  # .*\n', "", text, flags=re.MULTILINE)
    for name, missing in (("SENTENCES", status.sentences), ("RULES", status.rules)):
        if missing:
            start = _find_dict_start(text, name)
            entries = "".join(f'    "{key}": "",  # {json.dumps(english, ensure_ascii=False)[1:-1]}\n' for key, english in missing.items())
            text = f"{text[:start]}\n{entries}{text[start:].removeprefix(chr(10))}"
    return text


def _find_dict_start(text: str, name: str) -> int:
    """Return the index in a file's text at which the entries of a given dict begin."""
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
