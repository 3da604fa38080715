"""Test the settings of JupyterLab's server in `make lab` and Binder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = ROOT / "tools" / "lab_settings"
ASKED = """
import asyncio
from unittest.mock import AsyncMock, MagicMock
from jupyter_server.serverapp import ServerApp
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler
KernelWebsocketHandler.open = opened = AsyncMock()
ServerApp().load_config_file(suppress_errors=False)
page = MagicMock()
asyncio.run(KernelWebsocketHandler.open(page, "kernel"))
opened.assert_awaited_once_with(page, "kernel")
print(page.mock_calls)
"""


@pytest.mark.slow
def test_kernel_messages_are_sent_at_once(tmp_path):
    """The server does not hold small messages back when a page opens its connection."""
    own = {"JUPYTER_CONFIG_PATH": str(SETTINGS), "JUPYTER_CONFIG_DIR": str(tmp_path), "HOME": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", ASKED], env={**os.environ, **own}, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[call.set_nodelay(True)]"


STYLED = """
from pathlib import Path
from jupyter_server.serverapp import ServerApp
began = []
ServerApp.init_webapp = began.append
app = ServerApp()
app.load_config_file(suppress_errors=False)
own = list(app.static_custom_path)
app.init_webapp()
assert (began, app.static_custom_path[:-1]) == ([app], own)
print(app.config.LabApp.custom_css, (Path(app.static_custom_path[-1]) / "custom.css").read_text("utf-8"))
"""


@pytest.mark.slow
def test_lessons_use_the_whole_width_on_phones(tmp_path):
    """The server finds its style sheet beside the settings, after the user's own. Binder has both."""
    own = {"JUPYTER_CONFIG_PATH": str(SETTINGS), "JUPYTER_CONFIG_DIR": str(tmp_path), "HOME": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", STYLED], env={**os.environ, **own}, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"True {(SETTINGS / 'custom' / 'custom.css').read_text(encoding='utf-8')}".strip()
    assert "cp tools/lab_settings/custom/custom.css" in (ROOT / "binder" / "postBuild").read_text(encoding="utf-8")


def test_make_lab_and_binder_start_alike():
    """Both show the first notebook in single-document mode with its own workspace and the server settings."""
    lab, binder = ((ROOT / path).read_text(encoding="utf-8") for path in ("tools/lab.sh", "binder/postBuild"))
    begins = [re.findall(r"/\S+/tree/notebooks/\w+\.ipynb", text) for text in (lab, binder)]
    assert begins == [["/doc/workspaces/durak/tree/notebooks/00_welcome.ipynb"]] * 2
    assert 'JUPYTER_CONFIG_PATH="$PWD/tools/lab_settings' in lab
    assert "cp tools/lab_settings/jupyter_server_config.py" in binder
