"""Runs live class sessions: students answer from their phones, and the class sees itself.

`Room` starts a session. Its questions are game trees and matrices, exercises, and games of numbers such as `Guess`. `PLANS` has whole
hours that are ready to run.

>>> from durak_widget import live
>>> live.Guess(rounds=2).to_spec()["kind"], sorted(live.PLANS)
('guess', ['beer-quiche', 'pennies'])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.lazy_imports import make_lazy_attributes

if TYPE_CHECKING:
    from durak_widget.live.number_games import FirstPriceAuction as FirstPriceAuction
    from durak_widget.live.number_games import Guess as Guess
    from durak_widget.live.number_games import PublicGoods as PublicGoods
    from durak_widget.live.number_games import SecondPriceAuction as SecondPriceAuction
    from durak_widget.live.plans import PLANS as PLANS
    from durak_widget.live.room import Room as Room
    from durak_widget.live.room import rooms as rooms
    from durak_widget.live.teacher_client import RoomError as RoomError

__all__ = ["FirstPriceAuction", "Guess", "PLANS", "PublicGoods", "Room", "RoomError", "SecondPriceAuction", "rooms"]  # noqa: RUF022 - as sorted() has it

_MODULE_OF_NAME: Final = {
    **dict.fromkeys(("FirstPriceAuction", "Guess", "PublicGoods", "SecondPriceAuction"), "number_games"),
    "PLANS": "plans",
    **dict.fromkeys(("Room", "rooms"), "room"),
    "RoomError": "teacher_client",
}
"""The name of the module that defines each public name of this package."""

_REQUIRED_PACKAGES: Final = {"Room": ("tornado", "segno")}
"""The optional packages that a public name of this package requires. `dir` lists a name only if its packages are installed."""

__getattr__, __dir__ = make_lazy_attributes(__name__, _MODULE_OF_NAME, needs=_REQUIRED_PACKAGES)
