#!/bin/sh
# Opens JupyterLab at the first notebook; arguments go on to JupyterLab.
set -u
cd "$(dirname "$0")/.."
case ${OS:-} in Windows_NT) python=.venv/Scripts/python ;; *) python=.venv/bin/python ;; esac
[ "$(id -u)" != 0 ] || set -- --allow-root "$@"
echo "JupyterLab is starting; Ctrl-C (twice) stops it. Without a browser here, open one of the addresses below."
trap : INT # Ctrl-C is for JupyterLab, which asks whether it is meant
# The settings answer JupyterLab's question about news, so that it neither asks nor calls out; what a user has set goes before them.
set -- --LabApp.app_settings_dir="$PWD/tools/lab_settings" --LabApp.news_url=None "$@"
# What the server is told besides goes on top of the user's own settings, and takes none of them away.
JUPYTER_CONFIG_PATH="$PWD/tools/lab_settings${JUPYTER_CONFIG_PATH:+:$JUPYTER_CONFIG_PATH}"
export JUPYTER_CONFIG_PATH
# The address, not a file name: so the printed links lead to the notebook too, and the file browser shows the project.
# The view of one document: on a phone a lesson has the whole width, and its links lead on in the same view.
# In a workspace of its own: whoever last left JupyterLab with its file browser open has it open in every view of that workspace.
"$python" -m jupyterlab --ServerApp.root_dir="$PWD" --LabApp.default_url=/doc/workspaces/durak/tree/notebooks/00_welcome.ipynb "$@"
status=$?
[ "$status" = 0 ] && echo "make lab: JupyterLab has stopped"
exit "$status"
