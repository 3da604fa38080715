"""Drive the students' page as a student does, and look at it as axe and a ruler do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect
from rendered_table import AXE

from durak_widget.i18n import Translator
from support.spoken import english_text

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Request

TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}
SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 740}, **TOUCH},
    "landscape": {"viewport": {"width": 844, "height": 390}, **TOUCH},
    "laptop": {"viewport": {"width": 1280, "height": 800}},
}
LOST = r"WebSocket connection|ERR_CONNECTION|ERR_INTERNET|ERR_EMPTY|ERR_NETWORK|Failed to load resource"
"""What the browser itself says about a connection that a test has cut."""
AXE_RUN = "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL_TARGETS = """[...document.querySelectorAll('button, summary, input:not(.dp-option input, .dp-switch input), .dp-option, .dp-switch')]
  .filter((element) => element.checkVisibility() && !element.closest(':disabled'))
  .map((element) => [element.textContent || element.id, element.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44)
  .map(([name, { width, height }]) => `${name}: ${width} x ${height}`)"""
"""Return the visible buttons and fields that a finger can miss."""
CUT_TEXTS = """[...document.querySelectorAll('main :is(h1, h2, p, legend, label, button)')]
  .filter((element) => element.checkVisibility() && element.clientWidth && element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.textContent)"""


def say(key: str, **facts: object) -> str:
    """Return an English text of the students' page."""
    return english_text(f"live.phone.{key}", **facts)


class Phone:
    """The students' page in a browser of its own."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context = context
        self.page = context.new_page()
        self.requests: list[Request] = []
        self.may_lose_connection = False
        self._problems: list[str] = []
        self.page.on("request", self._count)
        self.page.on("pageerror", lambda error: self._problems.append(str(error)))
        self.page.on("console", self._note)
        self.page.goto(url)

    def _count(self, request: Request) -> None:
        self.requests.append(request)

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._problems.append(message.text)

    @property
    def problems(self) -> list[str]:
        """Return errors of the page, without those of a connection that the test has cut."""
        return [problem for problem in self._problems if not (self.may_lose_connection and re.search(LOST, problem))]

    @property
    def heading(self) -> Locator:
        """Return the heading of the page."""
        return self.page.get_by_role("heading", level=1)

    @property
    def status(self) -> Locator:
        """Return the line that says what has become of the answer."""
        return self.page.locator(".dp-status")

    @property
    def offline_note(self) -> Locator:
        """Return the line about a lost connection; without text it is hidden."""
        return self.page.locator(".dp-offline")

    def join(self, name: str) -> Phone:
        """Type a name and join."""
        return self.join_in("en", name)

    def join_in(self, language: str, name: str) -> Phone:
        """Type a name and join, on a page in a language."""
        translate = Translator(language).translate
        self.page.get_by_label(translate("live.phone.join.name")).fill(name)
        self.page.get_by_role("button", name=translate("live.phone.join.go"), exact=True).click()
        expect(self.page.get_by_role("button", name=name)).to_be_visible()
        return self

    def button(self, key: str) -> Locator:
        """Return a button by the key of its text."""
        return self.page.get_by_role("button", name=say(key), exact=True)

    def option(self, action: str) -> Locator:
        """Return the radio button of an action; its name goes on with what it may earn."""
        return self.page.get_by_role("radio", name=re.compile(rf"^{action}"))

    def send(self) -> None:
        """Press the button that sends the answer, and wait until it has arrived."""
        self.page.locator(".dp-send [type=submit]").click()
        expect(self.status).to_have_text(say("send.sent"))

    def choose_first_actions(self) -> None:
        """Wait for the question, and choose the first action at every information set."""
        expect(self.page.locator(".dp-send [type=submit]")).to_be_visible()
        for group in self.page.get_by_role("group").all():
            group.locator("label").first.click()

    def check_look(self) -> None:
        """Check what axe and a ruler find: nothing is wider than the screen, cut off, or too small for a finger."""
        known = len(self._problems)
        if not self.page.evaluate("Boolean(window.axe)"):
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        violations = self.page.evaluate(AXE_RUN)
        del self._problems[known:]  # the page's policy blocks styles that axe tries to add
        found = [*violations, *self.page.evaluate(CUT_TEXTS), *self.page.evaluate(SMALL_TARGETS)]
        assert (found, self.page.evaluate(OVERFLOW)) == ([], 0), found
