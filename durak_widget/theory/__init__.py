"""What may be hidden, who wins, what is it worth.

>>> from durak_widget import theory
>>> "solve" in dir(theory)
True

Each name is fetched from its module when it is first asked for: most need nothing but Python, some numpy and scipy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from durak_widget.theory.needed import needing_numbers

if TYPE_CHECKING:
    from durak_widget.theory.backward import Backward, backward_induction
    from durak_widget.theory.certificate import Certificate, certify
    from durak_widget.theory.cfr import CFR
    from durak_widget.theory.checker import CertificateError, check
    from durak_widget.theory.responses import Response, Standing, best_response, exploitability, nash_conv, value, values
    from durak_widget.theory.sampling import OutcomeSampling
    from durak_widget.theory.solution import Solution, solve
    from durak_widget.theory.strategy import Strategy, StrategyError

__all__ = [
    "CFR",
    "Backward",
    "Certificate",
    "CertificateError",
    "OutcomeSampling",
    "Response",
    "Solution",
    "Standing",
    "Strategy",
    "StrategyError",
    "backward_induction",
    "best_response",
    "certify",
    "check",
    "exploitability",
    "nash_conv",
    "solve",
    "value",
    "values",
]

_HOMES = {
    **dict.fromkeys(("Backward", "backward_induction"), "backward"),
    "CFR": "cfr",
    **dict.fromkeys(("Certificate", "certify"), "certificate"),
    **dict.fromkeys(("CertificateError", "check"), "checker"),
    "OutcomeSampling": "sampling",
    **dict.fromkeys(("Response", "Standing", "best_response", "exploitability", "nash_conv", "value", "values"), "responses"),
    **dict.fromkeys(("Solution", "solve"), "solution"),
    **dict.fromkeys(("Strategy", "StrategyError"), "strategy"),
}
"""Where each public name is at home."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        msg = f"durak_widget.theory has no {name!r}; it has {', '.join(__all__)}"
        raise AttributeError(msg)
    with needing_numbers():
        home = import_module(f"durak_widget.theory.{_HOMES[name]}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return __all__[:]
