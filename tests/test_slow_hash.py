"""Test that words which programs find quickly are refused for teachers' words and tournament seeds."""

from __future__ import annotations

import secrets

import pytest

from durak_widget import key_derivation
from durak_widget.arena.schedule import is_guessable
from durak_widget.errors import DurakError
from durak_widget.homework.assignment_edition import generate_passphrase, require_strong_passphrase

EASY = [
    *("passw0rd1234", "p4$$w0rd2027", "P@ssw0rd!!!!", "Password Monday", "1l0v3y0u1234", "dr4g0nm4st3r1", "drowssap1234"),
    *("qwerty123456", "1qaz2wsx3edc", "lkjhgfdsaqwe", "abcdefghijkl", "zyxwvutsrqpo", "йцукенгшщзхъ", "пароль123456"),
    *("aaaaaaaaaaaa", "abcabcabcabc", "hunter2hunter2", "willow willow 27", "123456789012", "31415926535897932384"),
    *("econ 431 spring 2027", "durak durak durak"),
]
GOOD = ["willow by the brook", "correct horse battery staple", "my dog hasso 12", "durak with my aunt olga", "Senelė kepa blynus"]


def test_an_easy_word_is_refused() -> None:
    """Test letter substitutions, keyboard rows, sequences, repetitions, and digits after a common word."""
    assert [word for word in EASY if not key_derivation.is_easy_to_guess(word)] == []
    for word in EASY[::10]:  # the slow hash takes time
        with pytest.raises(DurakError, match="is easy to guess"):
            require_strong_passphrase(word)
        assert is_guessable(word, key_derivation.slow_hash(f"str {word}", "durak_widget arena", 16).hex())


def test_a_custom_phrase_is_accepted() -> None:
    """It has four unrelated words, of which one may be common."""
    for word in GOOD:
        assert not key_derivation.is_easy_to_guess(word)
        assert require_strong_passphrase(word) == word


def test_a_random_word_that_looks_easy_is_replaced(monkeypatch) -> None:
    """One in 80,000 has so many digits or letters in a row that it would be refused."""
    easy, good = "896A-8XXU-7625-TGB2", "K7QM-4ABC-9WXY-2HJN"
    assert key_derivation.is_easy_to_guess(easy)
    signs = iter((easy + good).replace("-", ""))
    monkeypatch.setattr(secrets, "choice", lambda _: next(signs))
    assert generate_passphrase() == good
