"""Editions of assignments (for a year or a class): their passphrases and revision numbers.

Without the teacher's passphrase, the questions of a sealed edition can't be created again or graded. `2027 rev2` names revision 2;
without `rev`, an edition has revision 1. A later revision may ask and grade the same questions differently.
"""

from __future__ import annotations

import os
import re
import secrets
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from durak_widget import key_derivation
from durak_widget.errors import DurakError, short_repr
from durak_widget.translated_errors import RefusedError

_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_GROUP_COUNT, _GROUP_LENGTH = 4, 4
"""The number of groups of characters in a generated passphrase, and the length of each."""
MIN_PASSPHRASE_LENGTH: Final = key_derivation.MIN_LENGTH
"""The minimum length of a passphrase that a teacher chooses."""
_FINGERPRINT_LENGTH: Final = 5
_SEALED_PATTERN: Final = re.compile(rf"(?P<edition>.*?) ?sealed (?P<mark>[{_ALPHABET}]{{{_FINGERPRINT_LENGTH}}})")
_PASSPHRASE_LINE: Final = re.compile(r"(?im)^\s*word:\s*(\S.*?)\s*$")
_MAX_FILE_BYTES: Final = 10_000
_REVISION_PATTERN: Final = re.compile(r"(?:(?P<edition>.*) )?rev(?P<number>[1-9])")
_REVISION_LIKE_PATTERN: Final = re.compile(r"(?:.* )?rev[0-9]+", re.IGNORECASE)


class EditionSecret(NamedTuple):
    """The secret that seeds an edition's random questions; it is derived from a passphrase."""

    key: bytes
    fingerprint: str
    """A short text that identifies the passphrase without revealing it.

    It is part of the edition's name.
    """


def generate_passphrase() -> str:
    """Generate a random passphrase with 79 bits of entropy.

    A passphrase that looks easy to guess is replaced, because `require_strong_passphrase` would refuse it.

    >>> import re
    >>> bool(re.fullmatch("(?:[2-9A-Z]{4}-){3}[2-9A-Z]{4}", generate_passphrase())), generate_passphrase() == generate_passphrase()
    (True, False)
    """
    while True:
        passphrase = "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUP_COUNT))
        if not key_derivation.is_easy_to_guess(passphrase):
            return passphrase


def read_passphrase(passphrase: object) -> str:
    """Return a passphrase, given as text or as the path of the file that stores it.

    >>> read_passphrase("willow by the brook")
    'willow by the brook'
    >>> read_passphrase("willow")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: 'willow' is too short, because a program could guess it; use a passphrase of 12 or more characters, or let hand-out make one with --word alone
    """
    if isinstance(passphrase, os.PathLike) or (isinstance(passphrase, str) and len(passphrase) < 1000 and os.path.isfile(passphrase)):  # noqa: PTH113 - it may be a passphrase
        return _read_passphrase_file(Path(passphrase))
    text = " ".join(passphrase.split()) if isinstance(passphrase, str) else ""
    if not text:
        raise DurakError(f"a passphrase must be a text, or the file that stores it, not {short_repr(passphrase)}")
    if len(text) < MIN_PASSPHRASE_LENGTH:
        raise DurakError(
            f"{short_repr(text)} is too short, because a program could guess it; use a passphrase of {MIN_PASSPHRASE_LENGTH} or more characters, or let hand-out make one with --word alone"
        )
    return text


def require_strong_passphrase(passphrase: object) -> str:
    """Return the passphrase for a new edition; raise an error if it is easy to guess.

    A passphrase that comes from a file is already in use, so it is not checked.

    >>> require_strong_passphrase("password1234")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: 'password1234' is easy to guess, and anyone who guesses it can work out every question. Let hand-out make a passphrase (--word alone), or use four words that do not belong together
    """
    text = read_passphrase(passphrase)
    if isinstance(passphrase, str) and " ".join(passphrase.split()) == text and key_derivation.is_easy_to_guess(text):
        raise DurakError(
            f"{short_repr(text)} is easy to guess, and anyone who guesses it can work out every question. Let hand-out make a passphrase (--word alone), or use four words that do not belong together"
        )
    return text


def _read_passphrase_file(path: Path) -> str:
    """Return the passphrase in a file that the command `hand-out` has written."""
    try:
        with path.open("rb") as file:
            match = _PASSPHRASE_LINE.search(file.read(_MAX_FILE_BYTES).decode("utf-8", errors="replace"))
    except OSError as error:
        raise DurakError(f"cannot read {short_repr(str(path))}: {error.strerror}") from None
    if match is None:
        raise DurakError(f"there is no passphrase in {short_repr(str(path))}; one line must be word: …, as hand-out writes it")
    return " ".join(match[1].split())


def format_passphrase_file(passphrase: str, description: str) -> str:
    """Return the text of a file that stores a passphrase and explains how to use it."""
    return f"{description}\n\nword: {passphrase}\n"


@cache
def derive_secret(passphrase: str, assignment: str, edition: str) -> EditionSecret:
    """Derive an edition's secret from its passphrase, slowly, to make guessing expensive.

    >>> derive_secret("willow by the brook", "econ431", "2027").fingerprint == derive_secret("willow by the brook", "econ431", "2028").fingerprint
    False
    """
    if not key_derivation.HAS_SCRYPT:
        raise DurakError("this Python has no scrypt, which passphrases need; hand out and mark this edition with Python on a computer")
    derived = key_derivation.slow_hash(passphrase, f"durak_widget word {assignment} {edition}", 48)
    number, fingerprint = int.from_bytes(derived[32:], "big"), ""
    for _ in range(_FINGERPRINT_LENGTH):
        number, index = divmod(number, len(_ALPHABET))
        fingerprint += _ALPHABET[index]
    return EditionSecret(derived[:32], fingerprint)


def format_sealed_edition(edition: str, fingerprint: str) -> str:
    """Return an edition's name with the fingerprint of its passphrase added.

    >>> format_sealed_edition("2027", "K7QM4"), format_sealed_edition("", "K7QM4"), split_edition("2027 sealed K7QM4"), split_edition("2027")
    ('2027 sealed K7QM4', 'sealed K7QM4', ('2027', 'K7QM4'), ('2027', ''))
    """
    return f"{edition} sealed {fingerprint}".strip()


def split_edition(edition: str) -> tuple[str, str]:
    """Split an edition's name into the teacher's part and the fingerprint of the passphrase.

    The fingerprint, which may be "", identifies the passphrase.
    """
    match = _SEALED_PATTERN.fullmatch(edition)
    return (match["edition"], match["mark"]) if match else (edition, "")


def require_unsealed_edition(edition: str) -> None:
    """Raise an error if an edition's name shows that a passphrase is needed."""
    if split_edition(edition)[1]:
        raise RefusedError("class.word.wanted", edition=edition)


def parse_revision(edition: str) -> int:
    """Return the revision number in an edition's name, or 0 if the name contains none.

    >>> [parse_revision(text) for text in ("2027 rev2", "rev2", "2027 rev2 sealed K7QM4", "2027", "2027 rev1", "")]
    [2, 2, 2, 0, 1, 0]
    """
    match = _REVISION_PATTERN.fullmatch(split_edition(edition)[0])
    return int(match["number"]) if match else 0


def is_invalid_revision(edition: str) -> bool:
    """Return whether an edition's name ends in `rev` with an invalid revision number.

    >>> [is_invalid_revision(text) for text in ("2027 rev0", "rev10", "2027 Rev2", "2027 rev2", "2027", "2027 rev0 sealed K7QM4")]
    [True, True, True, False, False, True]
    """
    return _REVISION_LIKE_PATTERN.fullmatch(split_edition(edition)[0]) is not None and parse_revision(edition) == 0


def has_fixed_revision(edition: str) -> bool:
    """Return whether an edition's name decides which revision of the questions is used.

    It does so by a revision number or by the fingerprint of a passphrase.

    >>> has_fixed_revision("2027"), has_fixed_revision("2027 rev1"), has_fixed_revision("2027 sealed K7QM4")
    (False, True, True)
    """
    return parse_revision(edition) > 0 or split_edition(edition)[1] != ""


def name_revision(edition: str, number: int) -> str:
    """Return an edition's name with a revision number; revision 1 is not written.

    >>> name_revision("2027", 2), name_revision("", 2), name_revision("2027 rev2", 1), name_revision("2027 sealed K7QM4", 2)
    ('2027 rev2', 'rev2', '2027', '2027 rev2 sealed K7QM4')
    """
    text, fingerprint = split_edition(edition)
    match = _REVISION_PATTERN.fullmatch(text)
    base_name = (match["edition"] or "") if match else text
    revised = base_name if number == 1 else f"{base_name} rev{number}".strip()
    return format_sealed_edition(revised, fingerprint) if fingerprint else revised


def with_revision_number(edition: str) -> str:
    """Return an edition's name with ` rev1` added, unless the name already fixes the revision.

    >>> with_revision_number("2027"), with_revision_number(""), with_revision_number("2027 rev2"), with_revision_number("2027 sealed K7QM4")
    ('2027 rev1', 'rev1', '2027 rev2', '2027 sealed K7QM4')
    """
    return edition if has_fixed_revision(edition) else f"{edition} rev1".strip()


def normalize_edition_name(edition: str) -> str:
    """Return the name under which an edition is stored: `2027 rev1` is stored as `2027`.

    >>> normalize_edition_name("2027 rev1"), normalize_edition_name("2027 rev2"), normalize_edition_name("rev1"), normalize_edition_name("spring")
    ('2027', '2027 rev2', '', 'spring')
    """
    return name_revision(edition, 1) if parse_revision(edition) == 1 else edition
