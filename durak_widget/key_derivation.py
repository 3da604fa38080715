"""Derives keys from passwords with a slow hash, and detects easily guessed passwords.

The hash is slow, so that an attacker can't try many passwords.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache
from typing import Final

_COST, _BLOCK, _MEMORY = 2**15, 8, 2**27
"""The cost parameters of scrypt: with them, one hash takes about a tenth of a second and 32 MB of memory."""
HAS_SCRYPT: Final = hasattr(hashlib, "scrypt")
"""True if this Python has the hash function scrypt; Python in a browser does not have it."""
MIN_LENGTH: Final = 12
"""A password with fewer characters than this is easy to guess."""
_MIN_REMAINING, _MIN_DIFFERENT = 8, 6
"""A good password has at least this many characters, and this many different ones, after its common parts are removed."""
_MIN_RUN_LENGTH: Final = 4
"""The minimum length of a keyboard or alphabet sequence that counts as a common part of a password."""
_KEYBOARD_ROWS: Final = (
    *("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn"),
    *("1qaz2wsx3edc4rfv5tgb6yhn", "1q2w3e4r5t6y7u8i9o0p", "abcdefghijklmnopqrstuvwxyz", "01234567890123456789", "!@#$%^&*()"),
    *("qazwsxedcrfvtgb",),
    *("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
)
"""The rows of keys on keyboards and other common sequences; passwords may contain them forwards or backwards."""
_COMMON_WORDS: Final = re.compile(
    "pass(?:word|phrase|wort)|letmein|iloveyou|welcome|administrator|admin|login|monkey|dragon|football|baseball|basketball|soccer|hockey"
    "|sunshine|princess|superman|batman|shadow|master|michael|jordan|ashley|charlie|freedom|whatever|trustno|secret|geheim|hello|computer"
    "|internet|starwars|pokemon|changeme|default|access|durak|homework|assignment|notebook|teacher|professor|student|school|university|lesson"
    "|course|class|exam|econ|math|theory|spring|summer|autumn|winter|january|february|march|april|june|july|august|september|october|november"
    "|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    "|пароль|привет|любовь|секрет|дурак|школа|gfhjkm|slapta[zž]odis|labas|kaunas|vilnius|lietuva"
)
"""The regular expression for words that are common in passwords, and so are easy to guess."""
_REPEAT_PATTERN: Final = re.compile(r"(.)\1{2,}")
_END_SIGNS_PATTERN: Final = re.compile(r"^[\W\d_]{1,4}|[\W\d_]{1,4}$")
_LOOKALIKE_LETTERS: Final = str.maketrans("аеорсух", "aeopcyx")
"""The translation table from Cyrillic letters to the Latin letters that look the same."""
_SUBSTITUTIONS: Final = tuple(str.maketrans("03457$@!1", f"oeast{letters}") for letters in ("sail", "sali"))
"""The translation tables from digits and symbols to the letters that they replace; 1 replaces i or l."""


@cache
def slow_hash(word: str, salt: str, size: int) -> bytes:
    """Derive a key of `size` bytes from a password and a salt, with the slow function scrypt.

    >>> len(slow_hash("willow", "a test", 16)), slow_hash("willow", "a test", 16) == slow_hash("willow", "another", 16)
    (16, False)
    """
    return hashlib.scrypt(word.encode(), salt=salt.encode(), n=_COST, r=_BLOCK, p=1, maxmem=_MEMORY, dklen=size)


def is_easy_to_guess(word: str) -> bool:
    """Return whether a program could soon guess a password, even with a slow hash.

    This is so if the password is short, or if little of it is left without its common parts: well-known passwords (also with digits in place of
    letters), keyboard rows, other sequences, repetitions, and digits at both ends.

    >>> [is_easy_to_guess(word) for word in ("willow", "passw0rd1234", "qwertyuiop12", "abcabcabcabc", "123456789012")]
    [True, True, True, True, True]
    >>> [is_easy_to_guess(word) for word in ("willow by the brook", "K7QM-4ABC-9WXY-2HJN", "5f3e9c1d7a2b4068")]
    [False, False, False]
    """
    simple_word = _find_repeated_unit(_simplify(word))
    if len(simple_word) < MIN_LENGTH or simple_word.isdecimal():
        return True
    core = _find_repeated_unit(_END_SIGNS_PATTERN.sub("", _remove_runs(simple_word)))
    spellings = [text.translate(substitution) for text in (core, core[::-1]) for substitution in _SUBSTITUTIONS]
    return any(
        len(remaining) < _MIN_REMAINING or len(set(remaining)) < _MIN_DIFFERENT
        for remaining in (_COMMON_WORDS.sub("", text) for text in spellings)
    )


def _simplify(word: str) -> str:
    """Convert a password to lower case; remove accents, spaces, hyphens, invisible characters.

    >>> _simplify("Pässwörd - 1\u200b２")
    'password12'
    """
    simple_word = unicodedata.normalize("NFKD", word.casefold())
    if re.search("[a-z]", simple_word):
        simple_word = simple_word.translate(_LOOKALIKE_LETTERS)
    return "".join(character for character in simple_word if unicodedata.category(character) not in {"Mn", "Cf", "Pd", "Zs", "Cc"})


def _find_repeated_unit(text: str) -> str:
    """Return the shortest text that gives `text` when it is repeated: `ab` for `ababab`."""
    return text[: (text + text).find(text, 1)]


def _remove_runs(text: str) -> str:
    """Remove repeated characters, keyboard sequences and alphabet sequences from a text."""
    text, remaining, index = _REPEAT_PATTERN.sub(r"\1", text), "", 0
    while index < len(text):
        run = max(map(len, (_find_run(text, index, row) for keys in _KEYBOARD_ROWS for row in (keys, keys[::-1]))))
        remaining += "" if run else text[index]
        index += max(run, 1)
    return remaining


def _find_run(text: str, index: int, row: str) -> str:
    """Return the longest part of a keyboard row that occurs in `text` from `index` on.

    Return "" if the piece is too short.
    """
    length = _MIN_RUN_LENGTH
    while index + length <= len(text) and text[index : index + length] in row:
        length += 1
    return text[index : index + length - 1] if length > _MIN_RUN_LENGTH else ""
