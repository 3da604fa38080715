#!/bin/sh
# Installs packages of Debian or Ubuntu, where that may be done without asking; elsewhere it says what to run, and fails.
# It may be done by root where nobody else has an account (in a container), in CI, and where DURAK_MAY_INSTALL=1 says so: by sudo too,
# if that asks for no password. DURAK_MAY_INSTALL=0 is no, everywhere. Where apt-get is at work already, it waits for it: for tests
# run side by side, and each may be the first to miss something.
set -u
command -v apt-get >/dev/null || exit 1

root() { [ "$(id -u)" = 0 ]; }
contained() { [ -e /.dockerenv ] || [ -e /run/.containerenv ] || [ -n "${container:-}" ]; }
alone() { ! getent passwd | cut -d: -f3 | grep -qE '^([1-9][0-9]{3}|[1-5][0-9]{4})$'; } # accounts of people begin at 1000
may() {
    case ${DURAK_MAY_INSTALL:-} in
        '') [ -n "${CI:-}" ] || { root && { contained || alone; }; } ;;
        0 | no | false) return 1 ;;
    esac
}

sudo=''
root || sudo=sudo
if ! may; then
    echo "To have it, run: ${sudo:+sudo }apt-get install $* (or say DURAK_MAY_INSTALL=1 before make, and make does it)" >&2
    exit 1
fi
if [ -n "$sudo" ]; then
    sudo='sudo -n'
    $sudo true 2>/dev/null || { echo "To have it, run: sudo apt-get install $*" >&2; exit 1; }
fi
echo "Installing $* by apt-get" >&2
install="$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -o DPkg::Lock::Timeout=300 -y -q --no-install-recommends $*"
$install </dev/null >/dev/null 2>&1 || { $sudo apt-get update -q </dev/null >/dev/null 2>&1 && $install </dev/null >/dev/null; }
