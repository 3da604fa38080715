"""Drive a notebook in a browser: run cells, click, ask Python, save and reload."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import shutil
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import kernel_messages
from playwright.sync_api import Error as PlaywrightError

from support.spoken import english_text

if TYPE_CHECKING:
    from pathlib import Path

    from lab_server import Lab
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, WebSocket

HOST = "127.0.0.1"
ZOOM = float(os.environ.get("DURAK_ZOOM", "1"))  # device pixels per CSS pixel; tools/anywhere.py tries others
APPS = {
    "lab": "lab/tree/{}?reset",
    "doc": "doc/tree/{}?reset",
    "notebook": "notebooks/{}",
    "lite": "lab/index.html?path={}",
}  # JupyterLab, its view of one document, Notebook 7, JupyterLite
PATIENCE = 240_000  # milliseconds, for slow actions of Jupyter on a loaded machine; both only matter when a test fails
QUICK = 60_000  # for actions of the table
ANEW = r"Canceled future for kernel_info_request message before replies were done"  # from JupyterLab, about a connection that it renews on a busy machine
CUT_OFF = r"Canceled future for \w+_request message before replies were done"  # from JupyterLab, about a restarted kernel
NOISE = (  # problems of Jupyter itself
    r"\[anywidget\] Failed to initialize model",  # on a loaded machine: after two seconds it warns about a model, but shows it later
    r"Could not restore the debugger state.*/static/lab/",  # its debugger asked a restarted kernel
    r"reading 'schema'.*/static/notebook/",  # Notebook 7 reads a setting of a plugin that it doesn't include
    r"'filebrowser:open-path' not registered.*/static/notebook/",  # Notebook 7 restores a hidden file browser
)

# Wait with the application object of JupyterLab and Notebook 7: clicks on menus are dropped while a kernel starts.
_FIND = "[...(window.jupyterapp?.shell.widgets('main') ?? [])].find((panel) => panel.context?.path === path)"
_IN_TIME = (
    "const inTime = (promise) => Promise.race([promise, new Promise((_, no) => setTimeout(no, ms, new Error(`not done in ${ms} ms`)))]);"
)
_OPEN = "(path) => { window.jupyterapp.commands.execute('docmanager:open', { path }); }"  # `_ready` waits for it; the promise may be lost before
_THERE = f"(path) => Boolean({_FIND}?.sessionContext)"
_LOADED = f"""async ([path, ms]) => {{
    {_IN_TIME}
    const panel = {_FIND};
    await inTime(Promise.all([window.jupyterapp.restored, panel.context.ready, panel.sessionContext.ready]));
    await inTime(panel.sessionContext.session.kernel.info);
}}"""
_RESTART = f"""async ([path, ms]) => {{
    {_IN_TIME}
    await inTime({_FIND}.sessionContext.session.kernel.restart());
}}"""
_IDLE = f"""(path) => {{
    const kernel = {_FIND}?.sessionContext.session?.kernel;
    return kernel?.connectionStatus === 'connected' && kernel.status === 'idle';
}}"""
_RUN_ALL = f"""async ([path, ms]) => {{
    {_IN_TIME}
    const panel = {_FIND};
    window.jupyterapp.shell.activateById(panel.id);
    await inTime(window.jupyterapp.commands.execute('notebook:run-all-cells'));
    return panel.content.model.sharedModel.cells.flatMap((cell) => cell.getOutputs?.() ?? []).filter((output) => output.output_type === 'error');
}}"""
_ASK = f"""async ([path, ms, code, expression]) => {{
    {_IN_TIME}
    const kernel = {_FIND}.sessionContext.session.kernel;
    const request = {{ code, silent: true, store_history: false, stop_on_error: false, user_expressions: {{ value: expression }} }};
    const {{ content }} = await inTime(kernel.requestExecute(request).done);
    return content.status === 'ok' ? content.user_expressions.value : content;
}}"""
_PRINTED = f"""async ([path, ms, code]) => {{
    {_IN_TIME}
    let said = "";
    const asked = {_FIND}.sessionContext.session.kernel.requestExecute({{ code, store_history: false }});
    asked.onIOPub = ({{ header, content }}) => {{ if (header.msg_type === "stream") said += content.text; }};
    await inTime(asked.done);
    return said;
}}"""
_SAVE = f"async ([path, ms]) => {{ {_IN_TIME} await inTime({_FIND}.context.save()); }}"
_RESTART = f"async ([path, ms]) => {{ {_IN_TIME} await inTime({_FIND}.sessionContext.restartKernel()); }}"
_CLOSE = f"""async ([path, ms]) => {{
    {_IN_TIME}
    const panel = {_FIND};
    await inTime(panel?.sessionContext.shutdown());
    panel?.dispose();
}}"""


class Tab:
    """A browser page with its requests, errors and messages."""

    def __init__(self, context: BrowserContext, *, touch: bool) -> None:
        self.touch = touch
        self.app = ""  # the current application; a page of JupyterLab is reused because it loads slowly
        self.problems: list[str] = []
        self.received: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.connected = 0  # earlier requests get no answer any more: they went to another kernel or from another page
        self.page: Page = context.new_page()
        self.page.set_default_timeout(QUICK)
        self.page.on("console", self._console)
        self.page.on("pageerror", self._error)
        self.page.on("request", self._request)
        self.page.on("requestfailed", self._failed)
        self.page.on("websocket", self._websocket)

    def _problem(self, problem: str) -> None:
        if not any(re.search(noise, problem) for noise in NOISE):
            self.problems.append(problem)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._problem(f"error in the console: {message.text} ({message.location.get('url', '')})")

    def _error(self, error: PlaywrightError) -> None:
        address = re.search(r"http\S+", error.stack or "")
        self._problem(f"error of the page: {error.message} ({address[0] if address else ''})")

    def _request(self, request: Request) -> None:
        self._address(request.url)

    def _address(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"data", "blob"} and parts.hostname != HOST:
            self._problem(f"request to another machine: {url}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left while loading
            self._problem(f"failed request: {request.url} ({request.failure})")

    def _websocket(self, socket: WebSocket) -> None:
        self._address(socket.url)
        if "/api/kernels/" in socket.url:
            self.connected = len(self.sent)
            socket.on("framereceived", lambda frame: self.received.append(kernel_messages.decode(frame)))
            socket.on("framesent", lambda frame: self.sent.append(kernel_messages.decode(frame)))

    def forget(self) -> None:
        """Clear the errors and messages."""
        for records in (self.problems, self.received, self.sent):
            records.clear()
        self.connected = 0

    def unanswered(self) -> set[str]:
        """Return the kinds of unanswered requests to the kernel."""
        answered = {message["parent_header"].get("msg_id") for message in self.received if message["header"]["msg_type"].endswith("_reply")}
        requests = [message["header"] for message in self.sent[self.connected :] if message["header"]["msg_type"].endswith("_request")]
        return {header["msg_type"] for header in requests if header["msg_id"] not in answered}


class Notebook:
    """An open notebook whose cells have run."""

    def __init__(self, tab: Tab, lab: Lab, path: str, *, axe: Path, patience: int = PATIENCE) -> None:
        self.tab, self._lab, self._axe, self._patience = tab, lab, axe, patience
        self._expected: list[str] = []
        self._restarted = False
        self.path = path

    @property
    def page(self) -> Page:
        """Return its page."""
        return self.tab.page

    @property
    def received(self) -> list[dict[str, Any]]:
        """Return every message from the kernel, in order: channel, header, …, content, buffers."""
        return self.tab.received

    @property
    def sent(self) -> list[dict[str, Any]]:
        """Return every message to the kernel, in order."""
        return self.tab.sent

    def table(self, n: int = 0) -> Locator:
        """Return the nth Durak table of the page."""
        return self.page.get_by_role("region", name=english_text("screen.region"), exact=True).nth(n)

    def cell(self, n: int) -> Locator:
        """Return the nth cell."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(n)

    # -- Python

    def python(self, expression: str) -> Any:
        """Return the value of an expression in the kernel, or its `repr` if that is not a literal."""
        value = ast.literal_eval(self._ask("", f"repr(({expression}))"))
        try:
            return ast.literal_eval(value)
        except (ValueError, SyntaxError):
            return value

    def execute(self, code: str) -> None:
        """Run statements in the kernel, outside of any cell."""
        self._ask(code, "None")

    def printed(self, code: str) -> str:
        """Return what statements print in the kernel, also in one that answers no expressions, like JupyterLite's."""
        return str(self.page.evaluate(_PRINTED, [self.path, self._patience, code]))

    def until(self, expression: str) -> None:
        """Wait until an expression is true in the kernel. A click and this question take different ways."""
        deadline = time.monotonic() + self._patience / 1000
        while time.monotonic() < deadline:
            if self.python(f"bool(({expression}))"):
                return
        raise AssertionError(f"never true in the kernel: {expression}; problems: {self.problems()}")

    def _ask(self, code: str, expression: str) -> str:
        answer = self.page.evaluate(_ASK, [self.path, self._patience, code, expression])
        if answer["status"] == "error":
            raise AssertionError("\n".join(answer["traceback"]) or f"{answer['ename']}: {answer['evalue']}")
        return answer["data"]["text/plain"]

    # -- the notebook

    def open(self, app: str) -> None:
        """Show it. A running JupyterLab opens it, otherwise the page is loaded."""
        if app == "lab" and self.tab.app == "lab":
            self.page.evaluate(_OPEN, self.path)
        else:
            self._load(app)
        self._ready()

    def look(self, *, viewport: tuple[int, int], reduced_motion: bool, theme: str) -> None:
        """Set the page size, motion, and the light or dark theme."""
        self.page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
        self.page.emulate_media(color_scheme=theme, reduced_motion="reduce" if reduced_motion else "no-preference")
        self.page.wait_for_function(
            "light => document.body.dataset.jpThemeLight === String(light)", arg=theme == "light", timeout=self._patience
        )

    def _load(self, app: str) -> None:
        self.tab.app = app
        self.page.goto(f"{self._lab.url}/{APPS[app].format(self.path)}", timeout=self._patience)

    def _ready(self) -> None:
        self.page.wait_for_function(_THERE, arg=self.path, timeout=self._patience)
        try:
            self.page.evaluate(_LOADED, [self.path, self._patience if self.tab.app == "lite" else QUICK])
        except PlaywrightError as error:  # sometimes a kernel is silent after its start, whatever the notebook
            if "not done in" not in str(error) or self.tab.app == "lite":
                raise
            self.page.evaluate(_RESTART, [self.path, self._patience])
            self.page.evaluate(_LOADED, [self.path, self._patience])
        if self.tab.app != "notebook":
            self.page.evaluate("window.jupyterapp.shell.collapseLeft()")
        self.wait_idle()

    def wait_idle(self) -> None:
        """Wait until the kernel is idle."""
        self.page.wait_for_function(_IDLE, arg=self.path, timeout=self._patience)

    @property
    def file(self) -> Path:
        """Return its file."""
        return self._lab.folder / self.path

    def run_all(self) -> None:
        """Run all cells. An exception fails the test."""
        errors = self.page.evaluate(_RUN_ALL, [self.path, self._patience])
        assert not errors, "\n".join(line for error in errors for line in error["traceback"])

    def save(self) -> None:
        """Save it with its outputs."""
        self.page.evaluate(_SAVE, [self.path, self._patience])

    def reload(self) -> None:
        """Reload the page. The kernel lives on, and the saved outputs are shown."""
        self._load(self.tab.app)
        self._ready()

    def answered(self) -> None:
        """Wait until the kernel has answered every request, also JupyterLab's own, which complains if a restart cuts it off."""
        deadline = time.monotonic() + self._patience / 1000
        while self.tab.unanswered():
            assert time.monotonic() < deadline, f"the kernel does not answer {self.tab.unanswered()}"
            self.page.evaluate("new Promise(requestAnimationFrame)")  # so that pending events are handled

    def restart_kernel(self) -> None:
        """Restart the kernel without running cells, and ignore JupyterLab's complaint about cut-off requests."""
        self.answered()
        self._restarted = True
        self.page.evaluate(_RESTART, [self.path, self._patience])
        self.wait_idle()

    def shut(self) -> None:
        """Close it and stop its kernel."""
        self.page.evaluate(_CLOSE, [self.path, self._patience])

    # -- problems

    def problems(self) -> list[str]:
        """Return errors of console and page, failed requests and requests to other machines."""
        self.page.evaluate("0")  # so that pending events are handled
        return list(self.tab.problems)

    def expects(self, problem: str) -> None:
        """Expect a problem that matches this pattern. Without one the test fails."""
        self._expected.append(problem)

    def complaints(self) -> list[str]:
        """Return unexpected problems, and expected ones that did not occur."""
        problems = self.problems()
        expected = [*self._expected, CUT_OFF if self._restarted else ANEW]
        surprises = [problem for problem in problems if not any(re.search(pattern, problem) for pattern in expected)]
        missing = [
            f"expected and not seen: {pattern}"
            for pattern in self._expected
            if not any(re.search(pattern, problem) for problem in problems)
        ]
        return surprises + missing

    def witness(self, folder: Path) -> list[str]:
        """Return the errors and the path of a screenshot, for the report of a failed test."""
        picture = folder / f"{self.path}.png"
        try:
            self.page.screenshot(path=picture)
            return [*self.problems(), str(picture)]
        except PlaywrightError as error:
            return [*self.tab.problems, f"no picture: {error}"]

    def axe(self, selector: str = "[aria-label='Durak table']") -> list[dict[str, Any]]:
        """Return the axe violations in a part of the page."""
        if not self.page.evaluate("Boolean(window.axe)"):
            self.page.evaluate(self._axe.read_text(encoding="utf-8"))
        return self.page.evaluate("async (selector) => (await axe.run(selector)).violations", selector)


def write(folder: Path, name: str, cells: list[str]) -> None:
    """Write a notebook file with these code cells."""
    content = {
        "cells": [
            {"cell_type": "code", "id": f"cell-{number}", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
            for number, source in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (folder / name).write_text(json.dumps(content), encoding="utf-8")


class Pages:
    """The pages of one browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def context(self, **options: Any) -> BrowserContext:
        """Return a new browser context."""
        return self._browser.new_context(device_scale_factor=ZOOM, **options)


class Tabs(Pages):
    """Pages with notebooks of a JupyterLab. A page without errors is reused."""

    def __init__(self, browser: Browser, lab: Lab, axe: Path) -> None:
        super().__init__(browser)
        self._lab, self._axe = lab, axe
        self._free: list[Tab] = []
        self._number = 0

    def write(self, cells: list[str] | Path, *, touch: bool, app: str) -> Notebook:
        """Return a new notebook, or a copy of a stored one, with a page that has not opened it yet."""
        self._number += 1
        name = f"notebook-{self._number}.ipynb"
        if isinstance(cells, list):
            write(self._lab.folder, name, cells)
        else:
            shutil.copyfile(cells, self._lab.folder / name)
        tab = next((tab for tab in self._free if (tab.touch, tab.app) == (touch, app)), None)
        if tab is None:
            tab = Tab(self.context(has_touch=touch), touch=touch)
        else:
            self._free.remove(tab)
        tab.forget()
        return Notebook(tab, self._lab, name, axe=self._axe)

    def there(self, lab: Lab, path: str, patience: int = PATIENCE) -> Notebook:
        """Return a notebook of another JupyterLab, with a page that has not opened it yet."""
        return Notebook(Tab(self.context(), touch=False), lab, path, axe=self._axe, patience=patience)

    def close(self, notebook: Notebook, *, again: bool) -> None:
        """Close a notebook and stop its kernel. Reuse or close its page."""
        tab = notebook.tab
        if again:
            notebook.shut()
            self._free.append(tab)
        else:
            with contextlib.suppress(PlaywrightError):  # the page may not respond any more
                notebook.shut()
            tab.page.context.close()
