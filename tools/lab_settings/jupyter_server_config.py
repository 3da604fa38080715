"""Changes the settings of JupyterLab's server in this project.

Small messages leave at once, and on a phone a lesson has the whole width (`custom/custom.css`).

What a kernel says to the page does not wait until what was said before has been acknowledged: Nagle's algorithm would hold back the picture after a click
for up to 40 ms, and JupyterLab's server leaves it on. A style sheet of the user's own goes before ours.
"""

from pathlib import Path

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

_open, _begin, _here = KernelWebsocketHandler.open, ServerApp.init_webapp, Path(__file__).resolve().parent


async def _open_at_once(self: KernelWebsocketHandler, *args: str, **kwargs: str) -> None:
    self.set_nodelay(True)
    await _open(self, *args, **kwargs)


def _begin_styled(self: ServerApp) -> None:
    self.static_custom_path = [*self.static_custom_path, str(_here / "custom")]
    _begin(self)


KernelWebsocketHandler.open = _open_at_once
ServerApp.init_webapp = _begin_styled
get_config().LabApp.custom_css = True  # noqa: F821 - as traitlets gives it to each of its files
