"""The command that reports missing translations, or adds empty entries to fill in.

python -m durak_widget.i18n       # print how much of each language is translated, and the missing keys
python -m durak_widget.i18n de    # add the missing sentences to de.py as empty strings, with the English text beside them
"""

from __future__ import annotations

import re
import sys
from itertools import islice
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import replace_text
from durak_widget.errors import DurakError, error_class_name
from durak_widget.i18n import _translation
from durak_widget.i18n._translation import list_language_codes, list_offered_languages
from durak_widget.i18n._translation_draft import compute_draft_status, insert_missing_entries, render_stub

if TYPE_CHECKING:
    from collections.abc import Sequence

from durak_widget.i18n._translation_draft import DraftStatus

_MAX_KEYS_SHOWN: Final = 10


def main(arguments: Sequence[str]) -> int:
    """Run the command `python -m durak_widget.i18n` and return its exit code.

    The exit code is 0 if no translation is missing, 1 if one is, and 2 if the arguments are invalid.
    """
    if not arguments:
        print(*map(describe_language, list_language_codes()), sep="\n")  # noqa: T201 - a command says what it found
        return 0
    if len(arguments) != 1 or arguments[0] == "en" or not re.fullmatch("[a-z]{2,3}", arguments[0]):
        print(  # noqa: T201 - a command says what is wrong
            "python -m durak_widget.i18n CODE: name a language by its code, such as de; English, en, is what the others are compared with",
            file=sys.stderr,
        )
        return 2
    (code,) = arguments
    path = Path(_translation._LANGUAGE_FOLDERS[-1], f"{code}.py")
    try:
        status = update_language_file(path)
    except (DurakError, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - as above
        return 1
    missing = status.sentences or status.rules
    print(  # noqa: T201 - as above
        f"{code}: {len(status.sentences):,} of {status.sentence_count:,} sentences and {len(status.rules):,} of {status.rule_count:,} of the rules still to write",
        *(f"  {key}: {sentence}" for key, sentence in islice({**status.sentences, **status.rules}.items(), _MAX_KEYS_SHOWN)),
        *([f"… all of it, most heard first, between empty quotes in {path}; till then it is said in English"] if missing else []),
        *([f"{', '.join(status.invalid_keys)}: no such sentence in English, or with other facts in it"] if status.invalid_keys else []),
        sep="\n",
    )
    return 1 if missing or status.invalid_keys else 0


def describe_language(code: str) -> str:
    """Describe how complete a language is: the translated share, and missing or invalid keys."""
    from durak_widget.rules.rules_form import collect_rule_sentences  # noqa: PLC0415 - a command may ask above

    if code == "en":
        return "en: the sentences that the others translate"
    try:
        words = _translation.get_language(code)
        status = compute_draft_status(words, collect_rule_sentences())
        share = _translation.compute_translated_share(words)
    except Exception as error:  # noqa: BLE001 - whatever is wrong in a file that is being written
        return f"{code}: this file cannot be read: {error_class_name(error)}: {error}"
    menus = "menus offer it" if code in list_offered_languages() else "not in menus yet"
    lines = [f"{code}: {share:.1%} of the sentences, {len(status.rules)} of {status.rule_count} of the rules missing; {menus}"]
    lines += [f"  missing: {key}" for key in (*status.sentences, *status.rules)]
    lines += [f"  no such sentence in English, or with other facts: {key}" for key in status.invalid_keys]
    return "\n".join(lines)


def update_language_file(path: Path) -> DraftStatus:
    """Add an empty entry for each missing sentence to a language's file.

    Return what is missing. If the file does not exist, create it.
    """
    from durak_widget.rules.rules_form import collect_rule_sentences  # noqa: PLC0415 - a command may ask above

    text = path.read_text(encoding="utf-8") if path.exists() else render_stub(path.stem)
    if not path.exists():
        replace_text(path, text)
    try:
        words = run_path(str(path))["LANGUAGE"]._replace()
    except Exception as error:  # noqa: BLE001 - whatever is wrong in a file that is being written
        raise DurakError(f"{path} cannot be read: {error_class_name(error)}: {error}") from None
    status = compute_draft_status(words, collect_rule_sentences())
    if (new_text := insert_missing_entries(text, status)) != text:
        replace_text(path, new_text)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
