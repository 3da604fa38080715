#!/bin/sh
# Makes .venv and installs the package there, editable, with the extras that are named as arguments.
# What is there already and still fits pyproject.toml is left alone. PYTHON=… names the interpreter.
set -eu
cd "$(dirname "$0")/.."
here=$(pwd -P)
venv=.venv
case ${OS:-} in Windows_NT) bin=$venv/Scripts ;; *) bin=$venv/bin ;; esac

say() { printf '%s\n' "$*"; }
die() { printf '%s\n' "$*" >&2; exit 1; }
asks() { "$1" -c "$2" 2>/dev/null; }
fits() { asks "$1" 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null; }
can_venv() { asks "$1" 'import ensurepip, venv' >/dev/null; }
which_one() { asks "$1" 'import sys; print(sys.base_prefix, sys.version)'; }

find_python() { # the first that can make a virtual environment; failing that, the first that is new enough
    for candidate in ${PYTHON:-python3.15 python3.14 python3.13 python3.12 python3.11 python3.10 python3 python}; do
        if fits "$candidate"; then
            if can_venv "$candidate"; then python=$candidate; return 0; fi
            python=${python:-$candidate}
        fi
    done
    [ -n "$python" ]
}

apt_venv() { # Debian and Ubuntu keep ensurepip in a package of its own
    say "This Python cannot make virtual environments yet"
    sh tools/apt.sh "$(asks "$python" 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
}

make_venv() {
    python=''
    find_python || die "No Python 3.10 or later was found${PYTHON:+ (PYTHON=$PYTHON)}: install one, or name it: make … PYTHON=/where/it/is/python3"
    can_venv "$python" || { apt_venv && can_venv "$python"; } ||
        die "$python cannot make virtual environments (it has no ensurepip): install what it lacks, on Debian and Ubuntu the package python3-venv, then try again"
    say "Making $venv with $("$python" --version)"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    say "$here" >"$venv/.made-for"
}

usable() { # ours, complete, for this place, still running, and of the interpreter asked for
    [ -f "$venv/.made-for" ] && [ "$(cat "$venv/.made-for")" = "$here" ] && fits "$bin/python" || return 1
    [ -z "${PYTHON:-}" ] || [ "$(which_one "$PYTHON")" = "$(which_one "$bin/python")" ]
}

usable || make_venv

missing=''
[ $# -gt 0 ] || set -- bare
for extra; do cmp -s pyproject.toml "$venv/.installed-$extra" || missing="$missing${missing:+,}$extra"; done
[ -n "$missing" ] || exit 0
wanted=".[$missing]"
[ "$missing" != bare ] || wanted=.
say "Installing $wanted into $venv (the first time this can take a minute or two)"
"$bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --editable "$wanted" </dev/null
for extra; do cp pyproject.toml "$venv/.installed-$extra"; done
