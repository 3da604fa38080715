"""Editions of assignments: the passphrase that seals one, and its revision number.

Without the teacher's passphrase, the questions of a sealed edition can't be made again or graded. `2027 rev2` names
revision 2; no `rev` means revision 1. A later revision may ask and grade the same questions differently.
"""

from __future__ import annotations

import os
import re
import secrets
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from durak_widget import key_derivation
from durak_widget.errors import DurakError, quoted
from durak_widget.translated_errors import RefusedError

_SIGNS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_GROUPS, _EACH = 4, 4
"""Number of groups in a generated passphrase, and characters in each: too many to guess."""
LEAST: Final = key_derivation.SHORTEST
"""Shortest passphrase of a teacher's own; a shorter one could be guessed."""
_MARK: Final = 5
_SEALED: Final = re.compile(rf"(?P<edition>.*?) ?sealed (?P<mark>[{_SIGNS}]{{{_MARK}}})")
_WORD: Final = re.compile(r"(?im)^\s*word:\s*(\S.*?)\s*$")
_LONGEST: Final = 10_000
_REVISION: Final = re.compile(r"(?:(?P<edition>.*) )?rev(?P<number>[1-9])")
_LIKE_A_REVISION: Final = re.compile(r"(?:.* )?rev[0-9]+", re.IGNORECASE)


class WordSecret(NamedTuple):
    """The secret that is derived from a passphrase and an edition, which seeds the questions."""

    key: bytes
    mark: str
    """Short text in the edition's name that identifies the passphrase without revealing it."""


def new_word() -> str:
    """Generate a random passphrase with 79 bits of entropy.

    One that looks easy to guess is replaced, because `word_to_hand_out` would refuse it.

    >>> import re
    >>> bool(re.fullmatch("(?:[2-9A-Z]{4}-){3}[2-9A-Z]{4}", new_word())), new_word() == new_word()
    (True, False)
    """
    while True:
        passphrase = "-".join("".join(secrets.choice(_SIGNS) for _ in range(_EACH)) for _ in range(_GROUPS))
        if not key_derivation.is_easy_to_guess(passphrase):
            return passphrase


def word_given(word: object) -> str:
    """Return a teacher's passphrase, given as text or as the file in which `hand-out` kept it.

    >>> word_given("willow by the brook")
    'willow by the brook'
    >>> word_given("willow")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: 'willow' is too short for a word that nobody is to find by trying: take 12 signs or more, or let hand-out make one, by --word alone
    """
    if isinstance(word, os.PathLike) or (isinstance(word, str) and len(word) < 1000 and os.path.isfile(word)):  # noqa: PTH113 - it may be a word
        return _word_in(Path(word))
    text = " ".join(word.split()) if isinstance(word, str) else ""
    if not text:
        raise DurakError(f"a word is a text, or the file that holds it, not {quoted(word)}")
    if len(text) < LEAST:
        raise DurakError(
            f"{quoted(text)} is too short for a word that nobody is to find by trying: take {LEAST} signs or more, or let hand-out make one, by --word alone"
        )
    return text


def word_to_hand_out(word: object) -> str:
    """Return the passphrase of a new edition, or refuse one that is easy to guess.

    A passphrase that comes from a file is already in use, so it is not checked.

    >>> word_to_hand_out("password1234")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: 'password1234' is easy to guess, and whoever guesses it can work out every question. Let hand-out make a word (--word alone), or take four words that nobody says together
    """
    text = word_given(word)
    if isinstance(word, str) and " ".join(word.split()) == text and key_derivation.is_easy_to_guess(text):
        raise DurakError(
            f"{quoted(text)} is easy to guess, and whoever guesses it can work out every question. "
            "Let hand-out make a word (--word alone), or take four words that nobody says together"
        )
    return text


def _word_in(path: Path) -> str:
    try:
        with path.open("rb") as file:
            match = _WORD.search(file.read(_LONGEST).decode("utf-8", errors="replace"))
    except OSError as error:
        raise DurakError(f"{quoted(str(path))} cannot be read: {error.strerror}") from None
    if match is None:
        raise DurakError(f"{quoted(str(path))} holds no word: a line of it is to say word: …, as hand-out writes it")
    return " ".join(match[1].split())


def word_file(word: str, told: str) -> str:
    """Return the text of the file that keeps a passphrase, with its description."""
    return f"{told}\n\nword: {word}\n"


@cache
def secret_of(word: str, assignment: str, edition: str) -> WordSecret:
    """Derive the secret of an edition from its passphrase, slowly, against guessing.

    >>> secret_of("willow by the brook", "econ431", "2027").mark == secret_of("willow by the brook", "econ431", "2028").mark
    False
    """
    if not key_derivation.AVAILABLE:
        raise DurakError("this Python has no scrypt, by which a word is kept; hand out and mark such an edition on a computer")
    derived = key_derivation.slow_hash(word, f"durak_widget word {assignment} {edition}", 48)
    number, mark = int.from_bytes(derived[32:], "big"), ""
    for _ in range(_MARK):
        number, index = divmod(number, len(_SIGNS))
        mark += _SIGNS[index]
    return WordSecret(derived[:32], mark)


def sealed_edition(edition: str, mark: str) -> str:
    """Return the name of an edition that a passphrase seals.

    >>> sealed_edition("2027", "K7QM4"), sealed_edition("", "K7QM4"), parted_edition("2027 sealed K7QM4"), parted_edition("2027")
    ('2027 sealed K7QM4', 'sealed K7QM4', ('2027', 'K7QM4'), ('2027', ''))
    """
    return f"{edition} sealed {mark}".strip()


def parted_edition(edition: str) -> tuple[str, str]:
    """Split the name of an edition into the teacher's name and the mark, which may be empty."""
    match = _SEALED.fullmatch(edition)
    return (match["edition"], match["mark"]) if match else (edition, "")


def refuse_without_word(edition: str) -> None:
    """Refuse an edition that needs a passphrase."""
    if parted_edition(edition)[1]:
        raise RefusedError("class.word.wanted", edition=edition)


def revision_in(edition: str) -> int:
    """Return the revision that an edition names, or 0 if it names none.

    >>> [revision_in(text) for text in ("2027 rev2", "rev2", "2027 rev2 sealed K7QM4", "2027", "2027 rev1", "")]
    [2, 2, 2, 0, 1, 0]
    """
    match = _REVISION.fullmatch(parted_edition(edition)[0])
    return int(match["number"]) if match else 0


def is_wrong_revision(edition: str) -> bool:
    """Return whether an edition ends like a revision but names an invalid one.

    >>> [is_wrong_revision(text) for text in ("2027 rev0", "rev10", "2027 Rev2", "2027 rev2", "2027", "2027 rev0 sealed K7QM4")]
    [True, True, True, False, False, True]
    """
    return _LIKE_A_REVISION.fullmatch(parted_edition(edition)[0]) is not None and revision_in(edition) == 0


def is_exact(edition: str) -> bool:
    """Return whether an edition fixes its revision, by a number or by a passphrase.

    >>> is_exact("2027"), is_exact("2027 rev1"), is_exact("2027 sealed K7QM4")
    (False, True, True)
    """
    return revision_in(edition) > 0 or parted_edition(edition)[1] != ""


def revised_name(edition: str, number: int) -> str:
    """Return the name of an edition in that revision; revision 1 has the plain name.

    >>> revised_name("2027", 2), revised_name("", 2), revised_name("2027 rev2", 1), revised_name("2027 sealed K7QM4", 2)
    ('2027 rev2', 'rev2', '2027', '2027 rev2 sealed K7QM4')
    """
    text, mark = parted_edition(edition)
    match = _REVISION.fullmatch(text)
    base_name = (match["edition"] or "") if match else text
    revised = base_name if number == 1 else f"{base_name} rev{number}".strip()
    return sealed_edition(revised, mark) if mark else revised


def revised_exactly(edition: str) -> str:
    """Return the name of an edition with its revision number.

    >>> revised_exactly("2027"), revised_exactly(""), revised_exactly("2027 rev2"), revised_exactly("2027 sealed K7QM4")
    ('2027 rev1', 'rev1', '2027 rev2', '2027 sealed K7QM4')
    """
    return edition if is_exact(edition) else f"{edition} rev1".strip()


def edition_name(edition: str) -> str:
    """Return the name under which an edition is stored: `2027 rev1` is `2027`.

    >>> edition_name("2027 rev1"), edition_name("2027 rev2"), edition_name("rev1"), edition_name("spring")
    ('2027', '2027 rev2', '', 'spring')
    """
    return revised_name(edition, 1) if revision_in(edition) == 1 else edition
