"""The moments whose scenes are written down: tables at a telling point of a game, each by its name."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any

from durak_widget import Game, Match, Table
from durak_widget.exercises import goals
from durak_widget.lessons import Position
from durak_widget.table.analysis_jobs import ReviewJob

if TYPE_CHECKING:
    from collections.abc import Callable

MOMENTS: dict[str, Callable[[], Table]] = {}


def moment(make: Callable[[], Table]) -> Callable[[], Table]:
    """Register a moment under the name of the function that makes it."""
    MOMENTS[make.__name__] = make
    return make


def moment_file(name: str) -> dict[str, Any]:
    """Return the stored text of a moment: its description, scene and the viewer's legal moves."""
    table = MOMENTS[name]()
    scene, game = table.scene, table.game
    rests = {"covered", "verdict"} & scene.keys() or game.actor != scene["viewer"]
    legal = [] if rests else [str(move) for move in game.legal_moves()]
    table.close()
    return {"about": " ".join((MOMENTS[name].__doc__ or "").split()), "scene": scene, "legal": legal}


@cache
def english_moment(name: str) -> dict[str, Any]:
    """Return the same in English, for tests of real sentences.

    It is made in a thread of its own: where an event loop runs, as in browser tests, tables begin to work in the background.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(moment_file, name).result()


def seated(game: Game | Match, me: int = 0, **look: object) -> Table:
    """Return a table with a person on that seat and bots on all others."""
    count = len((game if isinstance(game, Game) else game.game).hands)
    return Table(game, seats={seat: "you" if seat == me else "first" for seat in range(count)}, seed=1, **look)


def position(rules: str, me: int, *moves: str, **placed: object) -> Table:
    """Return a table with a game from this position after these moves."""
    game = Game.from_position(rules, **placed)
    for move in moves:
        game.play(move)
    return seated(game, me)


def say(table: Table, kind: str, **more: object) -> Table:
    """Return the table after a message."""
    table._handle_custom_msg({"kind": kind, "ply": table.scene["ply"], "game": table.scene["game"], **more}, [])
    return table


# In front of a class


@moment
def open_hands() -> Table:
    """All hands lie open, looked at from a bot's seat, and the bot to act waits for the next step."""
    table = seated(Game("podkidnoy, players=3", seed=7), 0, hands="open", steps=True)
    return say(say(table, "rotate_view"), "rotate_view")


@moment
def hidden_hands() -> Table:
    """Nobody's hand lies open, not that of the person to act either."""
    return seated(Game("podkidnoy", seed=7), 0, hands="hidden")


# A plain game


@moment
def opening() -> Table:
    """A game has been dealt, and it is for the viewer to open."""
    return seated(Game("podkidnoy", seed=7))


@moment
def waiting() -> Table:
    """A game of three has been dealt, and it is for a bot to open."""
    return seated(Game("podkidnoy, players=3", seed=7), 0)


@moment
def defending() -> Table:
    """Two cards lie to be beaten, each by some cards of the hand, one of them by a trump."""
    hands = ["8c Jc Kd", "9c Tc 9s Ts 6h Qd"]
    return position("siege", 1, "attack 7c 7s", hands=[f"7c 7s {hands[0]}", hands[1]], trump="h", talon="8d 8h", turn_up="8h")


@moment
def stuck() -> Table:
    """Nothing in the hand beats what lies there."""
    return position("podkidnoy", 1, hands=["9c Jc", "6c 7c 8s"], trump="h", table="Kc", talon="8d 8h", turn_up="8h")


@moment
def throwing_in() -> Table:
    """All is beaten, and the viewer may throw in, or pass."""
    return position("podkidnoy", 0, hands=["7h 9d 9s Kc", "Jd Qd As"], trump="h", table="7c/9c", talon="8d 8h", turn_up="8h")


@moment
def throwing_in_after_taking() -> Table:
    """The defender takes, and the viewer may still throw in, after the attacker has passed."""
    hands = ["8c Kc", "6c Jd Qd", "7d 7h As"]
    return position("podkidnoy, players=3", 2, "take", "pass", hands=[f"7c {hands[0]}", *hands[1:]], trump="s", table="7s", attacker=0)


@moment
def taken() -> Table:
    """The last move has ended a bout: the cards went to a hand, and others have drawn."""
    placed = {"hands": ["7c 8c Kc", "6c Jd Qd", "9d 9h As"], "trump": "s", "talon": "8d 8h 8s Ts", "turn_up": "Ts"}
    return position("podkidnoy, players=3, hand_size=3", 0, "attack 7c", "take", **placed)


@moment
def beaten() -> Table:
    """The last move has ended a bout: all was beaten, and both have drawn."""
    placed = {"hands": ["7c 8c", "9c Jd"], "trump": "s", "talon": "8d 8h 8s Ts", "turn_up": "Ts"}
    return position("podkidnoy, hand_size=2", 1, "attack 7c", "beat 7c 9c", **placed)


# Other rules


@moment
def several() -> Table:
    """Cards of one rank may open together, trumps among them, which lie last in the hand."""
    return position("siege", 0, hands=["7c 7h 7s 9d 9h Kc", "6c 6d 6h 6s 8c 8d"], trump="h", talon="8s 8h", turn_up="8h")


@moment
def no_more_than_the_limit() -> Table:
    """Of four sevens two may open together, since the defender holds two cards."""
    return position("siege", 0, hands=["7c 7d 7h 7s 9d Kc", "6c 6d"], trump="h")


@moment
def several_of_two_decks() -> Table:
    """So they may with two decks and sixes of any suit: copies, and a choice for each."""
    hands = ["6c 6c 6d 7h 7h 7s", "8c 8c 9d 9d Th"]
    return position("siege, decks=2, weli=sixes", 0, hands=hands, trump="h", talon="8s 8h", turn_up="8h")


@moment
def sixes_of_any_suit() -> Table:
    """A six lies as a heart, and sixes beat it in the suit of one's choice."""
    return position("weli", 1, "attack 6d=h", hands=["6d 9c", "6s 7h 8d Kh"], trump="s", talon="8s 9s", turn_up="9s")


@moment
def bells() -> Table:
    """One six alone is played in any suit."""
    return position("weli, weli=bells", 0, hands=["6c 6d 9c", "6s 7h 8d Kh"], trump="s", talon="8s 9s", turn_up="9s")


@moment
def transferring() -> Table:
    """A card may be beaten, and the attack transferred with two others."""
    hands = ["7c 8c 9c Kd", "7d 7h Jc Qc 9s", "6c 6d 6h Td Th"]
    return position("perevodnoy, players=3", 1, "attack 7c", hands=hands, trump="h", talon="8s 8h", turn_up="8h")


@moment
def showing() -> Table:
    """The attack may be transferred by the trump of its rank without playing it."""
    hands = ["7c 8c 9c Kd", "7d 7h Jc Qc 9s", "6c 6d 6h Td Th"]
    return position("passport, players=3", 1, "attack 7c", hands=hands, trump="h", talon="8s 8h", turn_up="8h")


@moment
def shown() -> Table:
    """It has been, and lies open by the seat that showed it."""
    hands = ["7c 8c 9c Kd", "7d 7h Jc Qc 9s", "6c 6d 6h Td Th"]
    return position("passport, players=3", 2, "attack 7c", "show 7h", hands=hands, trump="h", talon="8s 8h", turn_up="8h")


@moment
def swapping() -> Table:
    """Before the bout any two cards may be swapped with the talon."""
    return seated(Game("poker", seed=7))


@moment
def swapped() -> Table:
    """The other seat has done so; with which two is not told."""
    game = Game("poker", seed=7)
    game.play("swap Jc 9d")
    return seated(game, 1)


@moment
def two_decks() -> Table:
    """Two cards that read alike lie on the table, and two more are in the hand."""
    placed = {"hands": ["9c Kd", "8c 8c Jc Jc Qd"], "trump": "h", "table": "7c 7c/9c", "talon": "8s 8h", "turn_up": "8h"}
    return position("two_decks, throw_in_when=any_time", 1, "pass", **placed)


@moment
def jokers() -> Table:
    """A joker has beaten a red card, and of those in the hand the black one beats the other."""
    placed = {"hands": ["2c Kd", "3c Qd Xr Xb"], "trump": "h", "table": "Jh/Xr Jc", "talon": "8s 8h", "turn_up": "8h"}
    return position("full_jokers, decks=2", 1, **placed)


@moment
def spades() -> Table:
    """Only spades beat spades, and diamonds are always trumps: nothing is turned up."""
    return position("japanese", 1, "attack 9s", hands=["9s Kc", "6d Ad 8s Ts Ks"], talon="8c 8h")


@moment
def no_trumps() -> Table:
    """There are no trumps."""
    return seated(Game("no_trumps", seed=3))


@moment
def turned_up_on_top() -> Table:
    """The turn-up is drawn first."""
    return seated(Game("albanian", seed=3))


@moment
def turned_up_aside() -> Table:
    """All cards but one have been dealt."""
    return seated(Game("railway, players=3", seed=3))


@moment
def hidden_trump() -> Table:
    """A second card lies face down under the turn-up."""
    return seated(Game("changeable_trump", seed=3))


@moment
def bulk() -> Table:
    """Eighteen cards are in the hand."""
    return seated(Game("bulk", seed=3))


@moment
def teams() -> Table:
    """Six seats in teams of three, and the viewer, with two partners, waits."""
    return seated(Game("teams_of_three", seed=3), 0)


@moment
def a_crowd() -> Table:
    """Six seats, of which one is out, one has passed, and the viewer may throw in."""
    hands = ["Kc 9d", "Jd Qd As 6s", "7h", "", "7d 8s", "9h Th"]
    placed = {"hands": hands, "trump": "h", "table": "7c/9c", "throwers_passed": [0]}
    return position("podkidnoy, players=6", 2, **placed)


# Several people, looking back, and the end


@moment
def covered() -> Table:
    """Several people share the screen, and the next one has not said yet that they are there."""
    table = Table("podkidnoy", seats={0: "you", 1: "you"}, seed=7)
    say(table, "uncover_hand")
    return say(table, "move", move="attack Jc")


@moment
def looking_back() -> Table:
    """Two moves lie ahead; making the first again drops nothing."""
    game = Game("podkidnoy", seed=7)
    for move in ("attack Jc", "take"):
        game.play(move)
    return say(seated(game), "goto", to_ply=0)


@moment
def taken_back() -> Table:
    """Two moves have been undone, to go on otherwise."""
    game = Game("podkidnoy", seed=7)
    for move in ("attack Jc", "take"):
        game.play(move)
    return say(seated(game), "undo")


@moment
def refused() -> Table:
    """A card was tried that may not be played."""
    table = position("podkidnoy", 1, hands=["9c Jc", "6c 7c 8s"], trump="h", table="Kc", talon="8d 8h", turn_up="8h")
    return say(table, "explain_refusal", card="7c", target="Kc")


@moment
def thought() -> Table:
    """A hint begins with a thought, and its button then gives the rest."""
    table = position("podkidnoy", 1, hands=["9c Jc", "6c Ac 9h"], trump="h", table="Kc", talon="8d 8h", turn_up="8h")
    return say(table, "hint")


@moment
def hinted() -> Table:
    """Asked again, it names a card and its target, and says why."""
    return say(thought(), "hint")


@moment
def failed() -> Table:
    """A bot has failed, and can be replaced."""
    table = seated(Game("podkidnoy", seed=7))
    table.play("attack Jc")
    table._session._report_bot_error(1, ValueError("out of ideas"))
    return table


@moment
def over_with_epaulettes() -> Table:
    """The other seat is the fool, with sixes on both shoulders."""
    return position("podkidnoy, first_attacker=left_of_dealer", 0, "attack 6c", "take", "throw 6s", hands=["6c 6s", "9d Td"], trump="h")


@moment
def over_as_the_fool() -> Table:
    """The viewer is the fool of four, and the score says who has won how often."""
    match = Match("podkidnoy, players=4", seed=2)
    for number in range(3):
        if number:
            match.next_game()
        while match.game.outcome is None:
            match.game.play(match.game.legal_moves()[0])
    return seated(match, match.game.outcome.fool)


@moment
def over_in_a_draw() -> Table:
    """Both have run out together."""
    return position("podkidnoy", 0, "attack 7c", "beat 7c 9c", hands=["7c", "9c"], trump="h")


@moment
def over_and_turned() -> Table:
    """The viewer gave away what was won, which has been found, and may be tried again."""
    all_but_five = (
        "6c 7c 8c Tc Jc Qc Kc Ac 6d 8d 9d Td Jd Ad 6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs As"  # small enough for a proof
    )
    game = Game.from_position("podkidnoy", hands=["Ks 7d", "9c Qd Kd"], trump="h", discard=all_but_five)
    for move in ("attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd", "take"):
        game.play(move)
    table = seated(game, 0)
    session = table._session
    session._review_job = ReviewJob(lambda work, heard: heard(work()), session.refresh)  # at once, because no loop runs here
    session.start_jobs()
    return table


@moment
def over_for_a_team() -> Table:
    """The viewer's team has lost, and with it the whole match."""
    game = Game.from_position("teams, ranks=A, hand_size=1", hands=["Ac", "", "", "Ad"], trump="s")
    for move in ("attack Ac", "take"):
        game.play(move)
    return seated(game, 1)


@moment
def task_missed() -> Table:
    """A task of one move is decided: its verdict stands in place of the call, and nothing can be played."""
    return task("beat 7c Ah")


@moment
def task_done() -> Table:
    """The same task, done."""
    return task("beat 7c 9c")


def task(*moves: str) -> Table:
    """The table of a task, after these moves of the one who is asked."""
    start = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)
    asked = Position(start, goals.beat_all(trumps=False), solution=["beat 7c 9c"])
    asked.answer(moves)
    return asked.table
