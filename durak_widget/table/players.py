"""The players of a table, the person at the screen, and results against named opponents.

People share one screen; the other players are bots. After a game against the opponents, the module finds
which of them is beaten, who comes next, and what they say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.bots.bot import NEXT_OPPONENT_NAME, OPPONENT_BOTS, PERSON_NAME, get
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.i18n import TranslatableText, get_language, get_opponent_name
from durak_widget.rules import seating
from durak_widget.widgets import opponent_record
from durak_widget.widgets.missed_endgames import resolve_day

if TYPE_CHECKING:
    from collections.abc import Collection

    from durak_widget.bots.bot import Bot, BotLike, ChooseFunction
    from durak_widget.engine.game import Game
    from durak_widget.i18n import Translator
    from durak_widget.widgets.appearance_settings import AppearanceSettings

    Player = str | Bot | BotLike | ChooseFunction | None


class Players:
    """The players of a table, the errors of its bots, and the person at the screen.

    >>> players = Players(3, {1: "you"})
    >>> players.names, players.human_seats
    (('you', 'you', 'careful'), [0, 1])
    """

    def __init__(self, count: int, seats: Mapping[int, Player] | None = None) -> None:
        """Seat the players; by default, a person in seat 0 and careful bots in the other seats."""
        if seats is not None and not isinstance(seats, Mapping):
            raise DurakError(f'seats says who sits where, such as {{0: "you", 1: "careful"}}, not {short_repr(seats)}')
        self._bots: list[Bot | None] = [None, *[get("careful")] * (count - 1)]
        for seat, player in (seats or {}).items():
            self._bots[self.require_seat(seat)] = _find_bot(player)
        people = self.human_seats
        self._default_seat = people[0] if people else 0
        self._present_seat: int | None = None if len(people) > 1 else self._default_seat
        """The seat of the person who has confirmed being at the screen; only this person sees their hand."""
        self._rotated_view: tuple[int, int | None] | None = None
        """The seat to which the view was turned, and the person who had to make a move when the view was turned."""
        self._is_taken_back = False
        self._next_bots: dict[int, Bot | None] = {}
        """The bots chosen for the next game, by seat; None stands for a person."""
        self.troubles: dict[int, str] = {}
        """The problem of each bot that has one, by seat: `late` or `failed`."""
        self.failures: dict[int | str, Exception] = {}
        """The last error of each bot, by seat, and of other user-written code, by name."""

    def require_seat(self, seat: object) -> int:
        """Return a seat's number; raise an error if the seat does not exist."""
        number = as_whole_number(seat)
        if number is None or not 0 <= number < len(self._bots):
            raise DurakError(f"there is no seat {short_repr(seat)}; the seats are 0 to {len(self._bots) - 1}")
        return number

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name of each seat's player: `you` for a person, or the name of a bot."""
        return tuple(PERSON_NAME if bot is None else bot.name for bot in self._bots)

    def get_bot_label(self, seat: int) -> TranslatableText | str:
        """Return the name of a seat's bot in a form that fits into a sentence."""
        key = f"who.{self.names[seat]}"
        return TranslatableText(key) if key in get_language("en").sentences else self.names[seat]

    @property
    def named_opponents(self) -> tuple[tuple[int, str], ...]:
        """Return the seats of named opponents, each with the opponent's key in `bots.opponents`.

        An opponent that sits at two seats is not called by name.

        >>> Players(3, {1: "aunt", 2: "uncle"}).named_opponents, Players(3, {1: "aunt", 2: "aunt"}).named_opponents
        (((1, 'aunt'), (2, 'uncle')), ())
        """
        return find_named_opponents(self.names)

    @property
    def human_seats(self) -> list[int]:
        """Return the numbers of the seats that people play."""
        return [seat for seat, bot in enumerate(self._bots) if bot is None]

    def get_bot(self, seat: int) -> Bot | None:
        """Return the bot that plays a seat; None for a person."""
        return self._bots[seat]

    @property
    def next_names(self) -> tuple[str, ...]:
        """Return the player of each seat in the next game.

        >>> players = Players(2, {1: "nephew"})
        >>> players.choose_next(1, "grandmother"); players.names, players.next_names
        (('you', 'nephew'), ('you', 'grandmother'))
        """
        bots = map(self.get_next_bot, range(len(self._bots)))
        return tuple(PERSON_NAME if bot is None else bot.name for bot in bots)

    def get_next_bot(self, seat: int) -> Bot | None:
        """Return the bot that plays a seat in the next game; None for a person."""
        return self._next_bots.get(seat, self._bots[seat])

    def choose_next(self, seat: object, player: Player) -> None:
        """Choose the player of a seat for the next game and all later games."""
        self._next_bots[self.require_seat(seat)] = _find_bot(player)

    @property
    def has_next_players(self) -> bool:
        """Return whether a player was chosen for any seat in the next game."""
        return bool(self._next_bots)

    def pop_next_players(self) -> dict[int, Bot | None]:
        """Return the players chosen for the next game, by seat, and clear these choices."""
        chosen, self._next_bots = self._next_bots, {}
        return chosen

    def seat_player(self, seat: object, player: Player) -> None:
        """Change a seat's player; if one person remains, that person must confirm being there."""
        number, was_alone = self.require_seat(seat), len(self.human_seats) < 2
        self._bots[number] = _find_bot(player)
        self.troubles.pop(number, None)
        self.failures.pop(number, None)
        people = self.human_seats
        if was_alone and self._present_seat is not None and people == [number]:
            self._present_seat = number  # The person at the screen stays there, because nobody else plays
        elif not was_alone and self._present_seat not in people:
            self._present_seat = None

    def start_game(self) -> None:
        """Prepare for another game: clear bots' problems; people who share a screen confirm again."""
        self.troubles.clear()
        self.failures.clear()
        self._rotated_view = None
        if len(self.human_seats) > 1:
            self._present_seat = None

    def set_present(self, seat: object) -> None:
        """Record that the person who plays or watches a seat is at the screen."""
        self._default_seat = self._present_seat = self.require_seat(seat)
        self._rotated_view = None

    def find_viewer(self, game: Game, appearance: AppearanceSettings) -> tuple[int, bool]:
        """Return the seat shown at the bottom of the table, and whether its hand is covered.

        Where several people share a screen, a hand is covered from the moment when another of them is to act, until that person says that
        they are there, unless covers are switched off. The hand of the only person left is covered in the same way. A person who has
        rotated the table keeps that view until somebody is to act.
        """
        seat, covered = self._find_sitter(game)
        if self.is_view_rotated(game, appearance):
            assert self._rotated_view is not None  # noqa: S101 - as has just been found
            seat, covered = self._rotated_view[0], False
        return seat, appearance.hands == "hidden" or (covered and appearance.covers and appearance.hands != "open")

    def is_view_rotated(self, game: Game, appearance: AppearanceSettings) -> bool:
        """Return whether the table is shown from another seat than that of the person there."""
        if self._rotated_view is None or self._rotated_view[0] not in self._list_viewable_seats(appearance):
            return False
        return self._find_called_person(game) in (None, self._rotated_view[1]) and self._rotated_view[0] != self._find_sitter(game)[0]

    def rotate_view(self, game: Game, appearance: AppearanceSettings) -> bool:
        """Show the table from the next seat whose hand may be seen; return False if there is none."""
        seats, current = self._list_viewable_seats(appearance), self.find_viewer(game, appearance)[0]
        candidates = [seat for seat in (*range(current + 1, len(self._bots)), *range(current)) if seat in seats]
        if candidates:
            self._rotated_view = candidates[0], self._find_called_person(game)
        return bool(candidates)

    def reset_view(self) -> None:
        """Show the table from the person's own seat again."""
        self._rotated_view = None

    def is_spectator(self, seat: int) -> bool:
        """Return whether the viewer only watches: a bot plays their seat, and people play others."""
        return bool(self.human_seats) and self._bots[seat] is not None

    def _list_viewable_seats(self, appearance: AppearanceSettings) -> list[int]:
        """Return the seats from which the table may be shown.

        These are all seats if all hands are open or none is, those of people if covers are off, else none.
        """
        if appearance.hands != "own":
            return list(range(len(self._bots)))
        return [] if appearance.covers else self.human_seats

    def _find_sitter(self, game: Game) -> tuple[int, bool]:
        """Return a person's seat, and True if this person has yet to confirm being at the screen."""
        people, actor = self.human_seats, game.actor
        if self._present_seat is not None and (len(people) < 2 or self._find_called_person(game) in (None, self._present_seat)):
            return self._present_seat, False
        if actor is not None and actor in people:
            return actor, True
        return people[0] if people else self._default_seat, True

    def _find_called_person(self, game: Game) -> int | None:
        """Return the seat of the person who must act now; None for a bot, or while looking back."""
        return game.actor if game.actor in self.human_seats and (game.ply == game.last_ply or self._is_taken_back) else None

    def clear_late(self) -> None:
        """Remove the mark `late` from all bots, because they have a new position to consider."""
        for seat in [seat for seat, trouble in self.troubles.items() if trouble == "late"]:
            del self.troubles[seat]

    def update_presence(self, game: Game, appearance: AppearanceSettings, *, is_taken_back: bool) -> None:
        """Update who is at the screen when another person must make a move.

        The person before has to come back to see their hand; with covers off both look. After a move was taken back, the person to act
        then is called.
        """
        self._is_taken_back = is_taken_back
        called_seat = self._find_called_person(game)
        if self._rotated_view and called_seat not in (None, self._rotated_view[1]):
            self._rotated_view = None
        if len(self.human_seats) > 1 and called_seat not in (None, self._present_seat):
            self._present_seat = None if appearance.covers else called_seat


def _find_bot(player: Player) -> Bot | None:
    """Return the bot with a given name; None for a person at the table."""
    if player is None or player == PERSON_NAME:
        return None
    return get(opponent_record.find_current_opponent() if player == NEXT_OPPONENT_NAME else player)


def find_named_opponents(names: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Return the seats of named opponents, as `Players.named_opponents` does.

    >>> find_named_opponents(("you", "bookkeeper"))
    ((1, 'bookkeeper'),)
    """
    return tuple((seat, name) for seat, name in enumerate(names) if name in OPPONENT_BOTS and names.count(name) == 1)


class OpponentResult(NamedTuple):
    """The result of a game against named opponents, and the remarks that they make on it.

    >>> from durak_widget.i18n import Translator
    >>> OpponentResult((), "", ()).format_lines(Translator())
    []
    """

    remarks: tuple[tuple[int, TranslatableText], ...]
    """The remark that each opponent makes, with the opponent's seat."""
    next_opponent: str
    """The opponent that the user may play next; empty if there is no such opponent."""
    standing: tuple[TranslatableText, ...]
    """The user's progress against the named opponents, as translatable texts."""

    def format_lines(self, voice: Translator) -> list[str]:
        """Return the remarks and the user's progress as sentences."""
        names = dict(voice.opponent_keys)
        sentences = [
            voice.translate("table.rival.says", who=get_opponent_name(names[seat], voice.language), said=remark)
            for seat, remark in self.remarks
        ]
        return [*sentences, *(_format_standing(voice, fact) for fact in self.standing)]


def _format_standing(voice: Translator, fact: TranslatableText) -> str:
    names = {name: get_opponent_name(str(fact.facts[name]), voice.language) for name in ("who", "next") if name in fact.facts}
    return voice.translate(fact.key, **{**fact.facts, **names})


def record_game_result(
    game: Game, players: Players, *, was_dealt: bool, was_helped: bool, late_seats: Collection[int] = ()
) -> OpponentResult:
    """Record one person's finished game; return opponents' remarks and the person's progress.

    A game counts only if it was `was_dealt` here, nobody `was_helped`, and no player came `late_seats` to a seat.
    """
    from durak_widget.table.opponent_remarks import remark_on_result  # noqa: PLC0415 - asked at the end of a game alone

    people, outcome = players.human_seats, game.outcome
    if outcome is None or len(people) != 1 or not players.named_opponents:
        return OpponentResult((), "", ())
    remarks = tuple(
        (seat, remark_on_result(game, seat, key) if seat in late_seats else _choose_new_remark(game, seat, key))
        for seat, key in players.named_opponents
    )
    if was_helped or late_seats or not was_dealt:
        reason = "helped" if was_helped else "late"
        return OpponentResult(remarks, "", (TranslatableText(f"table.rival.{reason}"),) if was_dealt else ())
    own_seat, record, sides = people[0], opponent_record.load_opponent_record(), seating.side_of_seat(game.rules)
    if record is None:
        return OpponentResult(remarks, "", ())
    deal_hash = _hash_deal(game)
    if any(record.has_counted(key, deal_hash) for _, key in players.named_opponents):
        return OpponentResult(remarks, "", (TranslatableText("table.rival.before"),))
    standing: list[TranslatableText] = []
    with suppress(DurakError):  # The game continues even if the results can't be written to the file
        for seat, key in players.named_opponents:
            if sides[seat] == sides[own_seat]:
                continue  # Don't record a result against a partner, who is not an opponent
            won = own_seat in outcome.winners and (game.seats == 2 or seat == outcome.fool)
            if won or own_seat in outcome.losers:
                standing.append(_record_result(record, key, deal_hash, won=won))
    next_opponent = record.next_opponent
    return OpponentResult(
        remarks, next_opponent if next_opponent and _can_meet_next(next_opponent, players, record) else "", tuple(standing[:1])
    )


def _choose_new_remark(game: Game, seat: int, key: str) -> TranslatableText:
    """Return a remark that an opponent has not made in recent games.

    Where nothing can be stored, it is the most typical one.
    """
    from durak_widget.table.opponent_remarks import choose_remark  # noqa: PLC0415 - asked at the end of a game alone

    remark_history: opponent_record.RemarkHistory | None = None
    with suppress(DurakError):
        remark_history = opponent_record.RemarkHistory()
    remark = choose_remark(game, seat, key, remark_history.get_recent(key) if remark_history else ())
    with suppress(DurakError):
        if remark_history:
            remark_history.record_remark(key, remark.key)
    return remark


def _hash_deal(game: Game) -> str:
    """Return a hash of a deal's day, rules and seed; the same deal counts again the next day."""
    return sha256(f"{resolve_day(None)} {game.rules!r} {game.seed!r}".encode()).hexdigest()[:16]


def _record_result(record: opponent_record.OpponentRecord, key: str, deal: str, *, won: bool) -> TranslatableText:
    """Record a result against an opponent, and return the user's progress."""
    was_beaten = key in record.beaten_opponents
    is_beaten = record.record_game(key, won=won, deal=deal)
    next_opponent = record.next_opponent
    if was_beaten or is_beaten:
        stem = "table.rival.again" if was_beaten else "table.rival.beaten"
        if next_opponent is not None:
            return TranslatableText(stem, {"who": key, "next": next_opponent})
        return TranslatableText(f"{stem}.{'all' if key == list(OPPONENT_BOTS)[-1] else 'alone'}", {"who": key})
    return TranslatableText("table.rival.one" if record.count_wins_needed(key) == 1 else "table.rival.two", {"who": key})


def _can_meet_next(following: str, players: Players, record: opponent_record.OpponentRecord) -> bool:
    """Return whether the user has beaten all opponents at the table and none is the next one."""
    seated = {key for _, key in players.named_opponents}
    return seated <= set(record.beaten_opponents) and following not in seated
