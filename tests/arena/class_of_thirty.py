"""Thirty bots of a class: eighteen that play differently, and twelve that are bad in different ways. Each bad bot breaks one limit by far."""

from __future__ import annotations

GOOD = {
    f"good {number}": f"def choose(view, rng):\n    legal = view.legal_moves()\n    return legal[{place}]\n"
    if number < 6
    else f"def choose(view, rng):\n    legal = view.legal_moves()\n    return legal[{place}] if rng.random() < {number / 20} else rng.choice(legal)\n"
    for number, place in enumerate([0, -1, "len(legal) // 2", "1 % len(legal)", "len(legal) // 3", "-2 % len(legal)", *[0] * 6, *[-1] * 6])
}
BAD = {
    "raises": "def choose(view):\n    return 1 / 0\n",
    "raises late": "def choose(view):\n    assert view.bout < 3\n    return view.legal_moves()[0]\n",
    "lies": "def choose(view):\n    return 'attack Xr'\n",
    "answers numbers": "def choose(view):\n    return 3\n",
    "is no Python": "def choose(view:\n",
    "has no bot": "x = 1\n",
    "ends": "import os\ndef choose(view):\n    os._exit(0)\n",
    "hangs": "import time\ndef choose(view):\n    time.sleep(60)\n",
    "computes": "def choose(view):\n    while True:\n        pass\n",
    "forks": "import os\ndef choose(view):\n    while True:\n        os.fork()\n",
    "eats": "def choose(view):\n    return bytearray(10 ** 10)\n",
    "floods": "def choose(view):\n    return ['x' * 50] * 10 ** 5\n",
}
THIRTY = {**GOOD, **BAD}
