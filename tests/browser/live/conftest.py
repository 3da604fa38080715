"""Share a running class session and its phones between the tests of the students' page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from class_server import ClassServer
from fonts import WIDEST
from phone import SIZES, Phone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def class_server(bundle) -> Iterator[ClassServer]:
    """Start a class session."""
    server = ClassServer()
    yield server
    server.close()


@pytest.fixture
def open_phone(browsers, class_server) -> Iterator[Callable[..., Phone]]:
    """Return a function that opens the students' page on another phone. Fail on errors in the page."""
    phones: list[Phone] = []

    def open_page(*, size: str = "phone", query: str = "", locale: str = "en-GB", **options: object) -> Phone:
        context = browsers(WIDEST).new_context(locale=locale, reduced_motion="reduce", **SIZES[size], **options)
        phone = Phone(context, f"{class_server.url}{query}")
        phones.append(phone)
        return phone

    yield open_page
    problems = [problem for phone in phones for problem in phone.problems]
    for phone in phones:
        phone.context.close()
    assert problems == []
