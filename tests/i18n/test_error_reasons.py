"""Test that readers learn why a file or process failed in words of their language."""

from __future__ import annotations

import errno
import os
import re

import pytest

from durak_widget.i18n import Translator
from durak_widget.translated_errors import explain_error, explain_error_class
from support.spoken import EVERY

USUAL = [PermissionError(errno.EACCES, "x"), OSError(errno.ENOSPC, "x"), FileNotFoundError(errno.ENOENT, "x"), MemoryError(), EOFError()]


@EVERY
@pytest.mark.parametrize("key", ["class.file.closed", "class.mark.failed", "class.code.nowhere", "table.keep_failed"])
def test_usual_errors_are_explained_in_words(code: str, key: str) -> None:
    """No name of a Python class is shown."""
    for error in USUAL:
        why = explain_error(error)
        text = Translator(code).translate(key, why=why, kind=why, folder="games")
        assert not re.search(r"Error|\[Errno", text), text


def test_another_error_of_the_system_has_its_own_words() -> None:
    """Its class says less."""
    assert explain_error(OSError(errno.EISDIR, os.strerror(errno.EISDIR))) == os.strerror(errno.EISDIR)


def test_the_text_of_another_error_is_not_shown() -> None:
    """It may contain the answer to a question."""
    assert explain_error(KeyError("the right card")) == "KeyError"
    assert explain_error_class("KeyError") == "KeyError"
