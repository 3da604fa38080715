"""Lists the languages and what each lacks, or writes the missing sentences into a file.

python -m durak_widget.i18n       # each language: the share of sentences that it has, and the missing keys
python -m durak_widget.i18n de    # write what is missing into de.py, between empty quotes, with the English beside it
"""

from __future__ import annotations

import re
import sys
from itertools import islice
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import replace_text
from durak_widget.errors import DurakError, class_of
from durak_widget.i18n import _translation
from durak_widget.i18n._translation import codes, offered
from durak_widget.i18n._translation_draft import filled_in, standing, stub

if TYPE_CHECKING:
    from collections.abc import Sequence

from durak_widget.i18n._translation_draft import DraftStanding

_SHOWN: Final = 10


def main(arguments: Sequence[str]) -> int:
    """Run the command.

    The exit code is 0 if nothing is missing, 1 if something is, and 2 if the arguments are invalid.
    """
    if not arguments:
        print(*map(described, codes()), sep="\n")  # noqa: T201 - a command says what it found
        return 0
    if len(arguments) != 1 or arguments[0] == "en" or not re.fullmatch("[a-z]{2,3}", arguments[0]):
        print(  # noqa: T201 - a command says what is wrong
            "python -m durak_widget.i18n CODE: name a language by its code, such as de; English, en, is what the others are compared with",
            file=sys.stderr,
        )
        return 2
    (code,) = arguments
    path = Path(_translation._FOLDER[-1], f"{code}.py")
    try:
        status = written(path)
    except (DurakError, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - as above
        return 1
    missing = status.sentences or status.rules
    print(  # noqa: T201 - as above
        f"{code}: {len(status.sentences):,} of {status.of:,} sentences and {len(status.rules):,} of {status.of_rules:,} of the rules still to write",
        *(f"  {key}: {sentence}" for key, sentence in islice({**status.sentences, **status.rules}.items(), _SHOWN)),
        *([f"… all of it, most heard first, between empty quotes in {path}; till then it is said in English"] if missing else []),
        *([f"{', '.join(status.odd)}: no such sentence in English, or with other facts in it"] if status.odd else []),
        sep="\n",
    )
    return 1 if missing or status.odd else 0


def described(code: str) -> str:
    """Describe a language: its share of sentences, and its missing or invalid keys."""
    from durak_widget.rules.rules_form import rule_sentences  # noqa: PLC0415 - a command may ask above

    if code == "en":
        return "en: the sentences that the others translate"
    try:
        words = _translation.language(code)
        status = standing(words, rule_sentences())
        share = _translation.share_translated(words)
    except Exception as error:  # noqa: BLE001 - whatever is wrong in a file that is being written
        return f"{code}: this file cannot be read: {class_of(error)}: {error}"
    menus = "menus offer it" if code in offered() else "not in menus yet"
    lines = [f"{code}: {share:.1%} of the sentences, {len(status.rules)} of {status.of_rules} of the rules missing; {menus}"]
    lines += [f"  missing: {key}" for key in (*status.sentences, *status.rules)]
    lines += [f"  no such sentence in English, or with other facts: {key}" for key in status.odd]
    return "\n".join(lines)


def written(path: Path) -> DraftStanding:
    """Write what a language lacks into its file, and return its status.

    Create the file if it does not exist.
    """
    from durak_widget.rules.rules_form import rule_sentences  # noqa: PLC0415 - a command may ask above

    text = path.read_text(encoding="utf-8") if path.exists() else stub(path.stem)
    if not path.exists():
        replace_text(path, text)
    try:
        words = run_path(str(path))["LANGUAGE"]._replace()
    except Exception as error:  # noqa: BLE001 - whatever is wrong in a file that is being written
        raise DurakError(f"{path} cannot be read: {class_of(error)}: {error}") from None
    status = standing(words, rule_sentences())
    if (new_text := filled_in(text, status)) != text:
        replace_text(path, new_text)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
