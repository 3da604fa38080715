"""Manages a table's players, who is at the screen, and results against named opponents.

Several people share one screen; the other players are bots. After a game against named opponents, the module finds out who is beaten, which
opponent comes next, and what the opponents say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.bot import NEXT_OPPONENT_NAME, OPPONENT_BOTS, PERSON_NAME, get
from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.i18n import Seat, TranslatableText, get_language, get_opponent_name
from durak_widget.widgets import opponent_record
from durak_widget.widgets.missed_endgames import resolve_day

if TYPE_CHECKING:
    from collections.abc import Collection

    from durak_widget.bots.bot import Bot, BotLike, ChooseFunction
    from durak_widget.engine.game import Game
    from durak_widget.i18n import Translator
    from durak_widget.widgets.appearance_settings import AppearanceSettings

    Player = str | Bot | BotLike | ChooseFunction | None

DEFAULT_BOT_NAME: Final = "careful"
"""The bot in each seat for which the user has chosen no player."""


class Players:
    """The people and bots in the seats of a table, and which person is at the screen.

    >>> players = Players(3, {1: "you"})
    >>> players.names, players.human_seats
    (('you', 'you', 'careful'), [0, 1])
    """

    def __init__(self, count: int, seats: Mapping[int, Player] | None = None) -> None:
        """Give each seat its player; by default seat 0 has a person, and the others careful bots."""
        if seats is not None and not isinstance(seats, Mapping):
            raise DurakError(f'seats must say who plays on each seat, such as {{0: "you", 1: "careful"}}, not {short_repr(seats)}')
        self._bots: list[Bot | None] = [None, *[get(DEFAULT_BOT_NAME)] * (count - 1)]
        for seat, player in (seats or {}).items():
            self._bots[self.require_seat(seat)] = _find_bot(player)
        people = self.human_seats
        self._default_seat = people[0] if people else 0
        self._present_seat: int | None = None if len(people) > 1 else self._default_seat
        """The seat of the person who has confirmed that they are at the screen; only this person sees their hand."""
        self._rotated_view: tuple[int, int | None] | None = None
        """The seat to which the user has rotated the view, and the person whose turn it was at that moment."""
        self._is_taken_back = False
        self._shown_as: dict[int, str] = {}
        self._next_bots: dict[int, Bot | None] = {}
        """The players that the user has chosen for the next game, by seat; None stands for a person."""
        self.troubles: dict[int, str] = {}
        """The bots that have not answered in time (`late`) or have raised an error (`failed`), by seat."""
        self.failures: dict[int | str, Exception] = {}
        """The last error of each bot (by seat) and of each other piece of user-written code (by name)."""

    def require_seat(self, seat: object) -> int:
        """Return a seat number as an integer; raise an error if the table has no such seat."""
        number = as_whole_number(seat)
        if number is None or not 0 <= number < len(self._bots):
            raise DurakError(f"there is no seat {short_repr(seat)}; the seats are 0 to {len(self._bots) - 1}")
        return number

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name of each seat's player: `you` for a person, or the name of a bot."""
        return tuple(PERSON_NAME if bot is None else bot.name for bot in self._bots)

    def get_bot_label(self, seat: int) -> TranslatableText | str:
        """Return the name of the bot in a seat, as translatable text if a translation exists."""
        key = f"who.{self.names[seat]}"
        return TranslatableText(key) if key in get_language("en").sentences else self.names[seat]

    @property
    def shown_as(self) -> dict[int, str]:
        """Return the bots that are shown as a named opponent: the seat and the opponent's key.

        They have the name and the portrait of that opponent, but play as before. Games against them don't count.

        >>> players = Players(2, {1: "first"})
        >>> players.shown_as = {1: "aunt"}; players.names, players.shown_names, players.named_opponents
        (('you', 'first'), ('you', 'aunt'), ())
        """
        return dict(self._shown_as)

    @shown_as.setter
    def shown_as(self, shown_as: Mapping[int, str]) -> None:
        if not isinstance(shown_as, Mapping):
            raise DurakError(f'shown_as says as whom each bot is shown, such as {{1: "nephew"}}, not {short_repr(shown_as)}')
        shown: dict[int, str] = {}
        for seat, key in shown_as.items():
            if not isinstance(key, str) or key not in OPPONENT_BOTS:
                raise DurakError(
                    f"there is no opponent {short_repr(key)}.{suggest_nearest(key, OPPONENT_BOTS)} bots.people() names them all"
                )
            number = self.require_seat(seat)
            if self._bots[number] is None:
                raise DurakError(
                    f"seat {number} has a person, and shown_as lends the names of opponents to bots only; leave seat {number} out of shown_as"
                )
            shown[number] = key
        shown_names = [shown.get(seat, name) for seat, name in enumerate(self.names)]
        for number, key in shown.items():
            if shown_names.count(key) > 1:
                raise DurakError(
                    f"two seats would be shown as {key!r}, so nobody could tell them apart; choose another opponent for seat {number}. "
                    "bots.people() names them all"
                )
        self._shown_as = shown

    @property
    def shown_names(self) -> tuple[str, ...]:
        """Return the name that the table shows at each seat."""
        return tuple(name if name == PERSON_NAME else self._shown_as.get(seat, name) for seat, name in enumerate(self.names))

    @property
    def shown_opponents(self) -> tuple[tuple[int, str], ...]:
        """Return the seats that show a named opponent, each with a key such as `bookkeeper`."""
        return find_named_opponents(self.shown_names)

    @property
    def named_opponents(self) -> tuple[tuple[int, str], ...]:
        """Return the seats that named opponents play, each with a key such as `bookkeeper`.

        The keys are those of `bots.opponents`. An opponent that plays two seats is left out. A bot that is only shown as an opponent is left
        out, too.

        >>> Players(3, {1: "aunt", 2: "uncle"}).named_opponents, Players(3, {1: "aunt", 2: "aunt"}).named_opponents
        (((1, 'aunt'), (2, 'uncle')), ())
        """
        return tuple((seat, key) for seat, key in find_named_opponents(self.names) if seat not in self._shown_as)

    @property
    def is_duel(self) -> bool:
        """Return whether one person plays against one named opponent.

        Only such games count in the user's record.
        """
        return len(self.names) == 2 and len(self.human_seats) == 1 and bool(self.named_opponents)

    @property
    def human_seats(self) -> list[int]:
        """Return the numbers of the seats that people play."""
        return [seat for seat, bot in enumerate(self._bots) if bot is None]

    def get_bot(self, seat: int) -> Bot | None:
        """Return the bot in a seat; None if a person plays the seat."""
        return self._bots[seat]

    @property
    def next_names(self) -> tuple[str, ...]:
        """Return the name of the player who will have each seat in the next game.

        >>> players = Players(2, {1: "nephew"})
        >>> players.choose_next(1, "grandmother"); players.names, players.next_names
        (('you', 'nephew'), ('you', 'grandmother'))
        """
        bots = map(self.get_next_bot, range(len(self._bots)))
        return tuple(PERSON_NAME if bot is None else bot.name for bot in bots)

    def get_next_bot(self, seat: int) -> Bot | None:
        """Return the bot in a seat in the next game; None if a person will play the seat."""
        return self._next_bots.get(seat, self._bots[seat])

    def choose_next(self, seat: object, player: Player) -> None:
        """Set who plays a seat from the next game on."""
        self._next_bots[self.require_seat(seat)] = _find_bot(player)

    @property
    def has_next_players(self) -> bool:
        """Return whether the user has chosen a player for the next game."""
        return bool(self._next_bots)

    def pop_next_players(self) -> dict[int, Bot | None]:
        """Return the players that the user has chosen for the next game, and forget the choice."""
        next_bots, self._next_bots = self._next_bots, {}
        return next_bots

    def seat_player(self, seat: object, player: Player) -> None:
        """Change the player of a seat at once.

        If the person at the screen no longer plays, the next person must confirm that they are there.
        """
        number, was_alone = self.require_seat(seat), len(self.human_seats) < 2
        self._bots[number] = _find_bot(player)
        self._shown_as = {
            other: key for other, key in self._shown_as.items() if other != number and key != self.names[number]
        }  # Two seats with one name could not be told apart.
        self.troubles.pop(number, None)
        self.failures.pop(number, None)
        people = self.human_seats
        if was_alone and self._present_seat is not None and people == [number]:
            self._present_seat = number  # The person at the screen stays the same, because no other person plays.
        elif not was_alone and self._present_seat not in people:
            self._present_seat = None

    def start_game(self) -> None:
        """Prepare for a new game: forget errors of bots, and show the table from its usual seat.

        If several people share the screen, each has to confirm again that they are there.
        """
        self.troubles.clear()
        self.failures.clear()
        self._rotated_view = None
        if len(self.human_seats) > 1:
            self._present_seat = None

    def set_present(self, seat: object) -> None:
        """Record that the person who plays (or watches) a seat is now at the screen."""
        self._default_seat = self._present_seat = self.require_seat(seat)
        self._rotated_view = None

    def find_viewer(self, game: Game, appearance: AppearanceSettings) -> tuple[int, bool]:
        """Return the seat at the bottom of the screen, and whether the hand there is covered.

        If several people share a screen, the hand is covered when it becomes another person's turn, until this person confirms that they are
        there. The setting `covers` can switch this off. The hand of the last person left is covered in the same way. If a person has rotated the
        table, the view stays until it is a person's turn.
        """
        seat, covered = self._find_sitter(game)
        if self.is_view_rotated(game, appearance):
            assert self._rotated_view is not None  # noqa: S101 - a rotated view has a seat
            seat, covered = self._rotated_view[0], False
        return seat, appearance.hands == "hidden" or (covered and appearance.covers and appearance.hands != "open")

    def is_view_rotated(self, game: Game, appearance: AppearanceSettings) -> bool:
        """Return whether the user now sees the table from another seat than their own."""
        if self._rotated_view is None or self._rotated_view[0] not in self._list_viewable_seats(appearance):
            return False
        return self._find_called_person(game) in (None, self._rotated_view[1]) and self._rotated_view[0] != self._find_sitter(game)[0]

    def rotate_view(self, game: Game, appearance: AppearanceSettings) -> bool:
        """Show the table from the next seat from which the viewer may look at it.

        Return False if there is no such seat.
        """
        seats, current = self._list_viewable_seats(appearance), self.find_viewer(game, appearance)[0]
        candidates = [seat for seat in (*range(current + 1, len(self._bots)), *range(current)) if seat in seats]
        if candidates:
            self._rotated_view = candidates[0], self._find_called_person(game)
        return bool(candidates)

    def reset_view(self) -> None:
        """Show the table from the viewer's own seat again."""
        self._rotated_view = None

    def is_spectator(self, seat: int) -> bool:
        """Return whether the viewer only watches, because a bot plays this seat.

        If bots play all seats, the result is False.
        """
        return bool(self.human_seats) and self._bots[seat] is not None

    def _list_viewable_seats(self, appearance: AppearanceSettings) -> list[int]:
        """Return the seats from which the viewer may now look at the table.

        These are all seats if all hands are open or all are hidden, the seats of people if the setting `covers` is off, and otherwise none.
        """
        if appearance.hands != "own":
            return list(range(len(self._bots)))
        return [] if appearance.covers else self.human_seats

    def _find_sitter(self, game: Game) -> tuple[int, bool]:
        """Return the seat to show at the bottom, and whether its player must confirm presence."""
        people, actor = self.human_seats, game.actor
        if self._present_seat is not None and (len(people) < 2 or self._find_called_person(game) in (None, self._present_seat)):
            return self._present_seat, False
        if actor is not None and actor in people:
            return actor, True
        return people[0] if people else self._default_seat, True

    def _find_called_person(self, game: Game) -> int | None:
        """Return the seat whose turn it is if a person plays it; None for a bot.

        While the user only looks at an earlier position, it is nobody's turn, so the result is None.
        """
        return game.actor if game.actor in self.human_seats and (game.ply == game.last_ply or self._is_taken_back) else None

    def clear_late(self) -> None:
        """Forget which bots took too long to move, because their position has changed."""
        for seat in [seat for seat, trouble in self.troubles.items() if trouble == "late"]:
            del self.troubles[seat]

    def update_presence(self, game: Game, appearance: AppearanceSettings, *, is_taken_back: bool) -> None:
        """Update who is at the screen when it becomes another person's turn.

        If the setting `covers` is on, this person has to confirm first that they are there. If it is off, everyone may look. After moves were taken
        back, the person whose turn it is then has to confirm.
        """
        self._is_taken_back = is_taken_back
        called_seat = self._find_called_person(game)
        if self._rotated_view and called_seat not in (None, self._rotated_view[1]):
            self._rotated_view = None
        if len(self.human_seats) > 1 and called_seat not in (None, self._present_seat):
            self._present_seat = None if appearance.covers else called_seat


def _find_bot(player: Player) -> Bot | None:
    """Return the bot for `player`, which is a bot or a bot's name; None for a person."""
    if player is None or player == PERSON_NAME:
        return None
    return get(opponent_record.find_current_opponent() if player == NEXT_OPPONENT_NAME else player)


def add_players(names: Sequence[str], count: int) -> list[str]:
    """Return the players of `count` seats: those in `names`, then new players.

    The new players are named opponents who do not play yet, the weakest first. If no named opponent plays, they are careful bots.

    >>> add_players(["you", "uncle"], 4), add_players(["you", "first"], 3)
    (['you', 'uncle', 'nephew', 'neighbour'], ['you', 'first', 'careful'])
    """
    others = [key for key in OPPONENT_BOTS if key not in names]
    newcomers = others if len(others) < len(OPPONENT_BOTS) else []
    return [*names, *newcomers, *[DEFAULT_BOT_NAME] * count][:count]


def find_named_opponents(names: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Return the seats that named opponents play, each with a key such as `bookkeeper`.

    >>> find_named_opponents(("you", "bookkeeper"))
    ((1, 'bookkeeper'),)
    """
    return tuple((seat, name) for seat, name in enumerate(names) if name in OPPONENT_BOTS and names.count(name) == 1)


class Quote(NamedTuple):
    """What an opponent says after a game."""

    opponent: str
    """The key of the opponent, such as `bookkeeper`."""
    text: TranslatableText


class OpponentResult(NamedTuple):
    """The result of a game against named opponents: what they say, and the user's progress.

    >>> from durak_widget.i18n import Translator
    >>> OpponentResult().format_quotes(Translator()), OpponentResult().format_standing(Translator())
    ([], '')
    """

    quotes: tuple[Quote, ...] = ()
    """What one opponent says about the game. If the user has just beaten this opponent, the next opponent speaks after them."""
    standing: TranslatableText | None = None
    """How many games the user still has to win, or who has been beaten so far; None if there is nothing to say."""
    next_opponent: str = ""
    """The key of the opponent whom the user may play next; empty if there is none."""
    newly_beaten: tuple[int, str] | None = None
    """The seat and the key of the opponent whom the user has beaten with this game; None if there is none."""
    beaten_opponents: tuple[str, ...] = ()
    """The keys of all opponents that the user has beaten, after the strongest was beaten with this game; otherwise empty."""

    def format_quotes(self, voice: Translator) -> list[list[str]]:
        """Return for each quote the opponent's key, their name, and what they say."""
        return [[quote.opponent, get_opponent_name(quote.opponent, voice.language), _format_quote(quote, voice)] for quote in self.quotes]

    def format_standing(self, voice: Translator) -> str:
        """Translate the user's progress."""
        return "" if self.standing is None else _translate_standing(self.standing, voice)


def _format_quote(quote: Quote, voice: Translator) -> str:
    """Translate a quote, with quotation marks.

    Only a quote without an end mark of its own gets a full stop.
    """
    said = voice.translate(quote.text.key, **quote.text.facts)
    return voice.translate("table.rival.says.ended" if said.endswith(("?", "!", "…")) else "table.rival.says", said=said)


def _translate_standing(standing: TranslatableText, voice: Translator) -> str:
    """Translate a text about the user's progress, whose facts are keys of opponents."""
    named = replace(voice, own_seat=None, opponent_keys=tuple((seat, str(key)) for seat, key in enumerate(standing.facts.values())))
    return named.translate(standing.key, **{name: Seat(seat) for seat, name in enumerate(standing.facts)})


def format_opponent_progress(players: Players, voice: Translator) -> str:
    """Format how many wins the user still needs to beat the opponent.

    Return an empty text if the user doesn't play against exactly one opponent, or has beaten this one.
    """
    record = opponent_record.load_opponent_record()
    if record is None or not players.is_duel:
        return ""
    [(_, key)] = players.named_opponents
    wins_needed = record.count_wins_needed(key)
    if not wins_needed:
        return ""
    return _translate_standing(
        TranslatableText("table.rival.score.one" if wins_needed == 1 else "table.rival.score.two", {"who": key}), voice
    )


def record_game_result(
    game: Game, players: Players, *, was_dealt: bool, was_helped: bool, late_seats: Collection[int] = (), is_reopened: bool = False
) -> OpponentResult:
    """Record the result of a finished game between one person and named opponents.

    The game counts only if the table dealt it (`was_dealt`), the person had no help (`was_helped`), and no seat changed its player during the game
    (`late_seats`). Return what an opponent says, and the person's progress. If the game was already over when it was opened (`is_reopened`),
    nothing is recorded.
    """
    people, outcome = players.human_seats, game.outcome
    if outcome is None or len(people) != 1 or not players.named_opponents:
        return OpponentResult()
    if is_reopened:
        return OpponentResult((_choose_quote(game, players, late_seats, is_reopened=True),))
    if not players.is_duel:  # Against several opponents, one game would count against each of them.
        return OpponentResult((_choose_quote(game, players, late_seats),))
    if was_helped or late_seats or not was_dealt:
        reason = "helped" if was_helped else "late"
        standing = TranslatableText(f"table.rival.{reason}") if was_dealt else None
        return OpponentResult((_choose_quote(game, players, late_seats),), standing)
    record, [(seat, key)] = opponent_record.load_opponent_record(), players.named_opponents
    if record is None:
        return OpponentResult((_choose_quote(game, players),))
    deal_hash = _hash_deal(game)
    if record.has_counted(key, deal_hash):
        return OpponentResult((_choose_quote(game, players),), TranslatableText("table.rival.before"))
    standing = None
    beaten_before = record.beaten_opponents
    with suppress(DurakError):  # The table goes on even if it can't write the results to the file.
        if outcome.winners or outcome.losers:
            standing = _record_result(record, key, deal_hash, won=people[0] in outcome.winners)
    next_opponent = record.next_opponent
    can_meet_next = next_opponent is not None and _can_meet_next(next_opponent, players, record)
    newly_beaten = (seat, key) if key in record.beaten_opponents and key not in beaten_before else None
    quotes: tuple[Quote, ...]
    all_beaten: tuple[str, ...] = ()
    if newly_beaten is None:
        quotes = (_choose_quote(game, players),)
    else:
        quotes = (Quote(newly_beaten[1], TranslatableText(f"people.{newly_beaten[1]}.beaten")),)
        if newly_beaten[1] == list(OPPONENT_BOTS)[-1]:
            all_beaten = record.beaten_opponents
        if next_opponent and can_meet_next:
            quotes += (Quote(next_opponent, TranslatableText(f"people.{next_opponent}.greeting")),)
    return OpponentResult(quotes, standing, next_opponent if next_opponent and can_meet_next else "", newly_beaten, all_beaten)


def allows_free_hints(players: Players) -> bool:
    """Return whether a game counts although the user gets hints, because they are a beginner.

    A beginner has not won any game yet, and plays the weakest opponent.
    """
    record, weakest = opponent_record.load_opponent_record(), next(iter(OPPONENT_BOTS))
    opponents = {key for _, key in players.named_opponents}
    return opponents == {weakest} and (record is None or not record.has_wins)


def _choose_quote(game: Game, players: Players, late_seats: Collection[int] = (), *, is_reopened: bool = False) -> Quote:
    """Choose what one of the named opponents says: the fool, or else the first of them.

    An opponent who joined late says something about the result only. About a reopened game they say the same again.
    """
    from durak_widget.table.opponent_remarks import remark_on_result  # noqa: PLC0415 - asked at the end of a game alone

    fool = game.outcome.fool if game.outcome else None
    seat, key = next((pair for pair in players.named_opponents if pair[0] == fool), players.named_opponents[0])
    return Quote(key, remark_on_result(game, seat, key) if seat in late_seats else _choose_remark(game, seat, key, is_reopened=is_reopened))


def _choose_remark(game: Game, seat: int, key: str, *, is_reopened: bool) -> TranslatableText:
    """Choose a remark that the opponent has not made in recent games, and store this choice.

    If earlier remarks cannot be stored, choose the most typical one. About a reopened game, choose as if the last remark had not been made, because
    it usually was about this game; nothing is stored then.
    """
    from durak_widget.table.opponent_remarks import choose_remark  # noqa: PLC0415 - asked at the end of a game alone

    remark_history: opponent_record.RemarkHistory | None = None
    with suppress(DurakError):
        remark_history = opponent_record.RemarkHistory()
    recent_remarks = remark_history.get_recent(key) if remark_history else ()
    remark = choose_remark(game, seat, key, recent_remarks[:-1] if is_reopened else recent_remarks)
    with suppress(DurakError):
        if remark_history and not is_reopened:
            remark_history.record_remark(key, remark.key)
    return remark


def _hash_deal(game: Game) -> str:
    """Return a hash of today's date, the rules and the seed.

    A deal that the user plays again on the same day has the same hash, so it does not count twice.
    """
    return sha256(f"{resolve_day(None)} {game.rules!r} {game.seed!r}".encode()).hexdigest()[:16]


def _record_result(record: opponent_record.OpponentRecord, key: str, deal: str, *, won: bool) -> TranslatableText | None:
    """Record a win or loss against an opponent; return a text about the progress, or None."""
    was_beaten = key in record.beaten_opponents
    is_beaten = record.record_game(key, won=won, deal=deal)
    next_opponent, is_strongest = record.next_opponent, key == list(OPPONENT_BOTS)[-1]
    if is_beaten:
        if is_strongest:
            return TranslatableText("table.rival.all" if len(record.beaten_opponents) == len(OPPONENT_BOTS) else "table.rival.strongest")
        return TranslatableText("table.rival.next", {"next": next_opponent}) if next_opponent else None
    if was_beaten:
        if next_opponent is not None:
            return TranslatableText("table.rival.again", {"who": key, "next": next_opponent})
        return TranslatableText(f"table.rival.again.{'all' if is_strongest else 'alone'}", {"who": key})
    return TranslatableText("table.rival.one" if record.count_wins_needed(key) == 1 else "table.rival.two", {"who": key})


def _can_meet_next(following: str, players: Players, record: opponent_record.OpponentRecord) -> bool:
    """Return whether the front end may offer a match against the next stronger opponent.

    This needs that the user has beaten all opponents at the table and that the next one is not at the table.
    """
    opponents_at_table = {key for _, key in players.named_opponents}
    return opponents_at_table <= set(record.beaten_opponents) and following not in opponents_at_table
