"""Derive what a tournament's deals follow from, so that no bot can work them out while it plays."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget import key_derivation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.arena.bot_entrants import Entrant

PLAIN, SLOW = 1, 2
"""The numbers of the derivations, kept in tournament files: from seed and names at once, or from a secret that is slow to find."""
_SECRET_BYTES: Final = 16
_EASY_NUMBER: Final = 2**40


class DealSource(NamedTuple):
    """Where a tournament's deals come from."""

    derivation: int
    seed: int | str
    key: str = ""
    """The secret that deals follow from; empty for the plain derivation."""


def deal_source(entrants: Iterable[Entrant], seed: int | str | None, kept: Mapping[str, Any]) -> DealSource:
    r"""Return where the deals come from; `kept` is what a file says that began the same tournament.

    Deals of our own bots and of the caller's functions follow from the seed, which is 1 if none is given. A bot that is run in a sandbox could
    try many seeds while it plays, so its deals follow from a slow hash of the seed, or from a random secret. A tournament that goes on keeps its secret.

    >>> from durak_widget.arena.bot_entrants import entrants
    >>> deal_source(entrants(["careful", "first"]), None, {})
    DealSource(derivation=1, seed=1, key='')
    >>> deal_source(entrants({"Ann": "def choose(view):\n    return view.legal_moves()[0]", "first": "first"}), "a seed", {}).derivation
    2
    """
    if not any(entrant.kind == "code" for entrant in entrants):
        return DealSource(PLAIN, seed if seed is not None else kept.get("seed", 1))
    if seed is None:
        seed = kept["seed"] if "seed" in kept else secrets.token_hex(_SECRET_BYTES)
    if kept.get("key") and (type(seed), seed) == (type(kept.get("seed")), kept.get("seed")):
        return DealSource(SLOW, seed, str(kept["key"]))  # also where this Python could not derive it
    if key_derivation.AVAILABLE:
        return DealSource(SLOW, seed, _slow_key(seed))
    return DealSource(SLOW, seed, secrets.token_hex(_SECRET_BYTES))


def may_be_guessed(seed: int | str, key: str) -> bool:
    """Return whether a program could find the secret that deals follow from by trying seeds, although each takes a tenth of a second.

    A random secret does not follow from the seed, so it can't be found, however easy the seed is.

    >>> may_be_guessed(1, "0" * 32), may_be_guessed("willow", _slow_key("willow")), may_be_guessed("5f3e9c1d7a2b4068", _slow_key("5f3e9c1d7a2b4068"))
    (False, True, False)
    """
    easy = abs(seed) < _EASY_NUMBER if isinstance(seed, int) else key_derivation.is_easy_to_guess(seed)
    return easy and key_derivation.AVAILABLE and key == _slow_key(seed)


def _slow_key(seed: int | str) -> str:
    """Return the secret that follows from a seed."""
    return key_derivation.slow_hash(f"{type(seed).__name__} {seed}", "durak_widget arena", _SECRET_BYTES).hex()
