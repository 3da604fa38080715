#!/bin/sh
# test.sh [--slow] OPTIONS: runs pytest with these options; with --slow only what is marked slow. Without a Chromium it leaves out
# the tests in a browser and says so in its last line; in CI that fails.
set -u
cd "$(dirname "$0")/.."
case ${OS:-} in Windows_NT) python=.venv/Scripts/python ;; *) python=.venv/bin/python ;; esac
with_browser='' without_browser='not browser'
if [ "${1:-}" = --slow ]; then
    shift
    with_browser=slow without_browser='slow and not browser'
    export DURAK_TESTS=all
fi

if sh tools/browser.sh >/dev/null; then exec "$python" -m pytest -m "$with_browser" "$@"; fi
if [ -n "${CI:-}" ]; then exit 1; fi
"$python" -m pytest -m "$without_browser" "$@" || exit
echo "Left out: all tests in a browser. They need Chromium or Chrome; install one, then run this again."
