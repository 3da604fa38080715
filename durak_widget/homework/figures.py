"""Numbers as they stand on a teacher's pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from durak_widget.i18n import Voice

_COMMA: Final = frozenset({"ru", "lt"})
"""Where a decimal comma is written."""


def percent(share: float) -> str:
    """A share in whole per cent, half a one rounded up; only none of it is 0, and only all of it 100.

    >>> print(percent(0.125), percent(0.001), percent(0.999))
    13 % <1 % >99 %
    """
    whole = int(100 * share + 0.5)
    said = "<1" if whole == 0 and share > 0 else ">99" if whole == 100 and share < 1 else str(whole)
    return f"{said}\u202f%"


def decimal(number: float, voice: Voice, digits: int = 1) -> str:
    """A number with so many digits behind the point or the comma, at most.

    >>> from durak_widget.i18n import Voice
    >>> decimal(2.5, Voice("lt")), decimal(3.0, Voice())
    ('2,5', '3')
    """
    said = f"{number:.{digits}f}"
    if "." in said:
        said = said.rstrip("0").rstrip(".")
    said = ("0" if said == "-0" else said).replace("-", "−")
    return said.replace(".", ",") if voice.language in _COMMA else said


def signed(number: float, voice: Voice, digits: int = 2) -> str:
    """A number with its sign and just so many digits, so that numbers stand one below the other.

    >>> from durak_widget.i18n import Voice
    >>> signed(0.2, Voice()), signed(-0.25, Voice("ru")), signed(0, Voice())
    ('+0.20', '−0,25', '0')
    """
    if not round(number, digits):
        return "0"
    said = f"{number:+.{digits}f}".replace("-", "−")
    return said.replace(".", ",") if voice.language in _COMMA else said
