"""Who is asked what: lots drawn from the names of an assignment, its edition, a student and a question, the same whenever and wherever they are drawn."""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from random import Random
from typing import Final
from unicodedata import normalize

from durak_widget.errors import DurakError, quoted
from durak_widget.i18n.user_errors import RefusedError

_LONGEST: Final = 200


def lots(assignment: str, edition: str, student: str, question: str, secret: bytes = b"") -> Random:
    """The lots of one student for one question; where there is a secret, nobody draws them without it.

    >>> lots("econ431", "2027", "Ann  Lee", "what-beats-what").random() == lots("econ431", "2027", "ann lee", "what-beats-what").random()
    True
    >>> lots("econ431", "2027", "Ann", "what-beats-what").random() == lots("econ431", "2028", "Ann", "what-beats-what").random()
    False
    """
    names = json.dumps([assignment, edition, known_as(student), question])
    found = hmac.digest(secret, names.encode(), "sha256") if secret else sha256(names.encode()).digest()
    return Random(int.from_bytes(found, "big"))


def known_as(student: object) -> str:
    r"""A student's name as it counts: however it is written large or small, spaced or composed.

    >>> known_as("  Żaneta\u00a0 KOWALSKA "), known_as("Straße"), known_as("Е\u0308лкина")
    ('żaneta kowalska', 'strasse', 'ёлкина')
    """
    return " ".join(normalize("NFKC", normalize("NFKC", student_name(student)).casefold()).split())


def student_name(student: object) -> str:
    """A student's name as it is shown: any text that can be written in a line, in any script.

    >>> student_name(" 李  明 ")
    '李 明'
    >>> student_name("  ")
    Traceback (most recent call last):
    durak_widget.i18n.user_errors.RefusedError: Type your name between the quotation marks, as in student="Ann Lee": your questions are drawn for it.
    """
    if not isinstance(student, str):
        raise DurakError(f'a student is named by a text, as in student="Ann Lee", not by {quoted(student)}')
    name = " ".join(normalize("NFC", student).split())
    if not any(sign.isalnum() for sign in name):
        raise RefusedError("class.no_name", example='student="Ann Lee"')
    if len(name) > _LONGEST or not all(sign.isprintable() or sign in "\u200c\u200d" for sign in name):  # joiners are part of some scripts
        raise RefusedError("class.bad_name", most=str(_LONGEST))
    return name
