"""Small messages leave at once: what a kernel says to the page does not wait until what was said before has been acknowledged.

Nagle's algorithm would hold back the picture after a click for up to 40 ms. JupyterLab's server leaves it on.
"""

from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

_open = KernelWebsocketHandler.open


async def _open_at_once(self: KernelWebsocketHandler, *args: str, **kwargs: str) -> None:
    self.set_nodelay(True)
    await _open(self, *args, **kwargs)


KernelWebsocketHandler.open = _open_at_once
