#!/bin/sh
# Prints the path of a Chromium or Chrome for the browser tests: the one on this machine, else Debian's where that may be installed (tools/apt.sh), else Playwright's.
set -eu
cd "$(dirname "$0")/.."
case ${OS:-} in Windows_NT) python=.venv/Scripts/python ;; *) python=.venv/bin/python ;; esac

works() { [ -n "$1" ] && "$1" --version >/dev/null 2>&1; }
found() { works "$1" || return 1; printf '%s\n' "$1"; exit 0; }

look() { # a name on the PATH may be no more than a hint to install it: what counts is that it answers
    for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
        found "$(command -v "$name" || true)" || true
    done
    found "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" || true
}

playwright_chromium() {
    echo "Fetching Playwright's Chromium instead" >&2
    "$python" -m playwright install chromium </dev/null >&2 || return 1
    found "$("$python" -c 'from playwright.sync_api import sync_playwright as s
with s() as p: print(p.chromium.executable_path)')"
}

look
echo "There is no Chromium or Chrome" >&2
sh tools/apt.sh chromium && look
playwright_chromium || true
echo "No Chromium or Chrome was found or could be installed for the browser tests: install one, so that it is on the PATH." >&2
exit 1
