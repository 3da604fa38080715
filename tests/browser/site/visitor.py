"""A visitor of the site with a browser and nothing else."""

from __future__ import annotations

AWAKE = "html[data-up]"
PATIENCE = 90_000  # milliseconds, because Python starts in the page


class Visitor:
    """A browser page that records its errors."""

    def __init__(self, context, url):
        self.context, self.url, self.problems = context, url, []
        self.expected = "$^"
        context.on("weberror", lambda error: self.problems.append(str(error.error)))
        context.on("requestfailed", self._failed)
        context.on(
            "request", lambda request: None if request.url.startswith((url, "blob:", "data:")) else self.problems.append(request.url)
        )

    def _failed(self, request):
        if "ERR_ABORTED" not in str(request.failure):  # for example if the page is reloaded meanwhile
            self.problems.append(f"{request.failure}: {request.url}")

    def open(self, link="", *, awake=True):
        """Open the page to play."""
        page = self.look(f"play/{link}")
        if awake:
            page.wait_for_selector(AWAKE)
        return page

    def look(self, path):
        """Open any page of the site."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.problems.append(message.text) if message.type in {"error", "warning"} else None)
        page.goto(f"{self.url}{path}")
        return page
