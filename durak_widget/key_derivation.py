"""Derives secrets from words slowly, and finds words that are easy to guess.

It is slow so that nobody finds a word by trying many.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache
from typing import Final

_COST, _BLOCK, _MEMORY = 2**15, 8, 2**27
"""The cost of one guess: about a tenth of a second, and 32 MB."""
AVAILABLE: Final = hasattr(hashlib, "scrypt")
"""True if this Python has scrypt; Python in a browser does not."""
SHORTEST: Final = 12
"""Least number of characters; a shorter word is easy to guess."""
_LEFT, _DIFFERENT = 8, 6
"""Least number of characters, and of different ones, without the common parts."""
_RUN: Final = 4
"""Least length of a piece of a row or sequence."""
_ROWS: Final = (
    *("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn"),
    *("1qaz2wsx3edc4rfv5tgb6yhn", "1q2w3e4r5t6y7u8i9o0p", "abcdefghijklmnopqrstuvwxyz", "01234567890123456789", "!@#$%^&*()"),
    *("qazwsxedcrfvtgb",),
    *("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
)
"""Rows of keyboards, and sequences; they are found backwards too."""
_COMMON: Final = re.compile(
    "pass(?:word|phrase|wort)|letmein|iloveyou|welcome|administrator|admin|login|monkey|dragon|football|baseball|basketball|soccer|hockey"
    "|sunshine|princess|superman|batman|shadow|master|michael|jordan|ashley|charlie|freedom|whatever|trustno|secret|geheim|hello|computer"
    "|internet|starwars|pokemon|changeme|default|access|durak|homework|assignment|notebook|teacher|professor|student|school|university|lesson"
    "|course|class|exam|econ|math|theory|spring|summer|autumn|winter|january|february|march|april|june|july|august|september|october|november"
    "|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    "|пароль|привет|любовь|секрет|дурак|школа|gfhjkm|slapta[zž]odis|labas|kaunas|vilnius|lietuva"
)
"""Words that people who guess passwords try first."""
_REPEATED: Final = re.compile(r"(.)\1{2,}")
_AT_THE_ENDS: Final = re.compile(r"^[\W\d_]{1,4}|[\W\d_]{1,4}$")
_LOOK_ALIKE: Final = str.maketrans("аеорсух", "aeopcyx")
"""Cyrillic letters that look like Latin ones."""
_SWAPS: Final = tuple(str.maketrans("03457$@!1", f"oeast{other}") for other in ("sail", "sali"))
"""Digits and signs that people write for letters; 1 stands for i or l."""


@cache
def slow_hash(word: str, salt: str, size: int) -> bytes:
    """Return `size` bytes derived from a word and a salt with scrypt.

    >>> len(slow_hash("willow", "a test", 16)), slow_hash("willow", "a test", 16) == slow_hash("willow", "another", 16)
    (16, False)
    """
    return hashlib.scrypt(word.encode(), salt=salt.encode(), n=_COST, r=_BLOCK, p=1, maxmem=_MEMORY, dklen=size)


def is_easy_to_guess(word: str) -> bool:
    """Return whether a program soon finds a word, although each guess is slow.

    Such a word is short, or little is left without its common parts: well-known passwords (also with digits for letters), keyboard rows,
    sequences, repeats, and digits at the ends.

    >>> [is_easy_to_guess(word) for word in ("willow", "passw0rd1234", "qwertyuiop12", "abcabcabcabc", "123456789012")]
    [True, True, True, True, True]
    >>> [is_easy_to_guess(word) for word in ("willow by the brook", "K7QM-4ABC-9WXY-2HJN", "5f3e9c1d7a2b4068")]
    [False, False, False]
    """
    simple_word = _once(_letters(word))
    if len(simple_word) < SHORTEST or simple_word.isdecimal():
        return True
    core = _once(_AT_THE_ENDS.sub("", _without_runs(simple_word)))
    spellings = [text.translate(substitution) for text in (core, core[::-1]) for substitution in _SWAPS]
    return any(len(remaining) < _LEFT or len(set(remaining)) < _DIFFERENT for remaining in (_COMMON.sub("", text) for text in spellings))


def _letters(word: str) -> str:
    """Return a word in lower case, without accents, spaces, hyphens and invisible signs.

    >>> _letters("Pässwörd - 1\u200b２")
    'password12'
    """
    simple_word = unicodedata.normalize("NFKD", word.casefold())
    if re.search("[a-z]", simple_word):
        simple_word = simple_word.translate(_LOOK_ALIKE)
    return "".join(character for character in simple_word if unicodedata.category(character) not in {"Mn", "Cf", "Pd", "Zs", "Cc"})


def _once(text: str) -> str:
    """Return the unit that a text repeats; the whole text if it repeats nothing."""
    return text[: (text + text).find(text, 1)]


def _without_runs(text: str) -> str:
    """Remove repeats of one character and pieces of keyboard rows and sequences from a text."""
    text, remaining, index = _REPEATED.sub(r"\1", text), "", 0
    while index < len(text):
        run = max(map(len, (_run_at(text, index, row) for keys in _ROWS for row in (keys, keys[::-1]))))
        remaining += "" if run else text[index]
        index += max(run, 1)
    return remaining


def _run_at(text: str, place: int, row: str) -> str:
    """Return the piece of a row at this index of a text; empty if it is too short to count."""
    length = _RUN
    while place + length <= len(text) and text[place : place + length] in row:
        length += 1
    return text[place : place + length - 1] if length > _RUN else ""
