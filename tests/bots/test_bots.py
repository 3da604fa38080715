"""Test bots: how a caller gets one, how bots play a whole game, and the simple bots."""

from __future__ import annotations

from random import Random

import pytest

from durak_widget import BotError, Card, DurakError, Game, Rules, bots
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.engine.compiled_rules import compile_rules

OWN = bots.names()
"""The bots of this package: those that can be had by name before anybody registers one."""


# Getting a bot


def test_the_bots_of_the_package_have_names() -> None:
    """`get` returns a bot by its name, and the bot has that name."""
    assert OWN[:3] == ("random", "first", "careful")
    assert [bots.get(name).name for name in OWN] == list(OWN)
    assert repr(bots.get("careful")) == "<Bot careful>"


def test_a_function_is_a_bot() -> None:
    """Its name is that of the function, and it may return its move as text."""

    def takes(view, rng):
        return str(view.legal_moves()[-1])

    bot = bots.get(takes)
    assert bot.name == "takes"
    game = Game.from_position(hands=["7c", "8c Kh"], table="7d")
    assert str(bot.choose(game.view(1), Random(1))) == "take"


def test_an_object_with_choose_is_a_bot() -> None:
    """An object, with or without its own name; and a class, which is instantiated."""

    class Mine:
        def choose(self, view, rng):
            return rng.choice(view.legal_moves()[:1])

    named = Mine()
    named.name = "mine, the second"
    assert [bots.get(bot).name for bot in (Mine(), named, Mine)] == ["Mine", "mine, the second", "Mine"]
    view = Game(seed=7).view(0)
    assert bots.get(Mine).choose(view, Random(1)) is view.legal_moves()[0]


def test_get_returns_a_bot_unchanged() -> None:
    """Code that accepts names and bots can pass either to `get`."""
    bot = bots.get("careful")
    assert bots.get(bot) is bot


def test_a_bot_may_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class, a function or an object gets a name; a notebook cell that runs again registers it again."""
    monkeypatch.setattr("durak_widget.bots.bot._registered_bots", {})
    for answer in (0, -1):

        @bots.register("mine")
        class Mine:
            def __init__(self, *, answer: int = answer) -> None:
                self.answer = answer

            def choose(self, view, rng):
                return rng.choice([view.legal_moves()[self.answer]])

    bots.register("last")(lambda view, _rng: view.legal_moves()[-1])
    bots.register("the same")(bots.get("careful"))
    assert bots.names() == (*OWN, "mine", "last", "the same")
    view = Game(seed=7).view(0)
    mine, other, last = bots.get("mine"), bots.get("mine", answer=2), bots.get("last")
    assert [bot.name for bot in (mine, other, last)] == ["mine", "mine(answer=2)", "last"]
    moves = view.legal_moves()
    assert [bot.choose(view, Random(1)) for bot in (mine, other, last)] == [moves[-1], moves[2], moves[-1]]
    assert bots.get("the same").choose(view, Random(1)) is bots.get("careful").choose(view, Random(1))


@pytest.mark.parametrize(
    ("bot", "given_with", "says"),
    [
        ("carefull", {}, "there is no bot 'carefull'. Did you mean 'careful'? bots.names() lists them all"),
        ("", {}, "there is no bot ''. bots.names() lists them all"),
        (7, {}, "7 is not a bot; give a name (random"),
        (None, {}, "None"),
        (int, {}, "<class 'int'>"),
        (type("Mute", (), {}), {}, "bot; give a name"),
        ("careful", {"misrly": True}, "'misrly'. Did you mean 'miserly'?"),
        ("careful", {"miserly": "no"}, "True or False, not 'no'"),
        ("random", {"depth": 3}, "takes no settings; leave"),
        (CarefulBot(), {"miserly": True}, "CarefulBot"),
    ],
)
def test_an_argument_that_is_not_a_bot_is_refused(bot: object, given_with: dict, says: str) -> None:
    """The error says what is accepted."""
    with pytest.raises(BotError) as caught:
        bots.get(bot, **given_with)
    assert says in str(caught.value)
    assert isinstance(caught.value, DurakError)


@pytest.mark.parametrize(
    ("name", "says"),
    [("careful", "this package already has a bot"), ("", "name of a bot,"), (print, "<built-in")],
)
def test_a_registered_name_must_be_free(name: object, says: str) -> None:
    """Names of the package's bots cannot be replaced, and a name is a text."""
    with pytest.raises(BotError, match=says):
        bots.register(name)


def test_a_bot_that_cannot_choose_gives_the_reason() -> None:
    """It is not its turn, the view is covered, or the game is over."""
    bot, game = bots.get("careful"), Game.from_position(hands=["7c", "8d Kd"], trump="s")
    for view, says in (
        (game.view(1), "view is that of seat.*seat 0"),
        (game.view(0).without_hand(), "the view is covered"),
        (bots.play(Game(seed=1), [bot, bot]).view(0), "the game is over"),
    ):
        with pytest.raises(BotError, match=says):
            bot.choose(view, Random(1))


@pytest.mark.parametrize("chosen", ["attack 8d", "resign", None, 0])
def test_an_illegal_choice_of_a_bot_is_an_error(chosen: object) -> None:
    """The error names the bot and quotes its choice, and no other move is played."""

    def cheat(view, rng):
        return chosen

    with pytest.raises(BotError, match=r"cheat chose.*seat 0"):
        bots.get(cheat).choose(Game.from_position(hands=["7c", "8d Kd"]).view(0), Random(1))


@pytest.mark.parametrize("name", ["you", " ", "x ", "\ud800", "\x00", "a\nb", "x" * 61])
def test_a_name_is_short_and_printable(name: str) -> None:
    """A name appears in menus and beside a seat, and `you` means the user: other names are refused, and nothing is registered."""
    with pytest.raises(BotError) as caught:
        bots.register(name)
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()
    assert name not in bots.names()


def test_a_bot_with_an_invalid_name_gets_a_default() -> None:
    """A function called `you`, an object with an endless name, a setting that is not printable."""

    def you(view, rng):
        return view.legal_moves()[0]

    class Mine:
        def __init__(self, *, name: object = "x" * 1000) -> None:
            self.name = name

        def choose(self, view, _):
            return view.legal_moves()[0]

    bots_found = [bots.get(bot) for bot in (you, Mine(), Mine(name="\ud800"), Mine(name=" "))]
    assert [bot.name for bot in bots_found] == ["a bot"] * 4
    assert bots.get(Mine, name="\ud800").name == "Mine(name='\\ud800')"
    assert bots.get(Mine, name="x" * 1000).name == "Mine(name='xxxxxxxxxxxxxxxxxx…)"
    with pytest.raises(BotError, match="screen"):
        bots.Bot("you", you)


def test_other_methods_of_a_bot_can_be_called() -> None:
    """The bot keeps its implementation, with its settings and other methods."""

    class Wise:
        def choose(self, view, _):
            return view.legal_moves()[0]

        def why(self, view, move):
            return f"{move} is the first of {len(view.legal_moves())}"

        def _secret(self):
            return "no"

    bot, view = bots.get(Wise()), Game(seed=7).view(0)
    assert (bot.has_method("why"), bot.has_method("value"), bot.has_method("_secret"), bots.get("first").has_method("why")) == (
        True,
        False,
        False,
        False,
    )
    assert bot.call_method("why", view, bot.choose(view, Random(1))) == "attack Jc is the first of 6"
    with pytest.raises(BotError, match=r"Wise.*'value'"):
        bot.call_method("value", view)
    assert bots.get("careful", miserly=True).implementation.miserly is True


# A whole game


def test_a_game_is_played_to_its_end_and_is_reproducible() -> None:
    """With names, bots, functions, objects, in a list or by seat: the same seed plays the same game, another seed another."""
    rules = Rules(players=4)
    row = ["random", bots.get("careful"), lambda view, rng: rng.choice(view.legal_moves()), CarefulBot()]
    games = [bots.play(Game(rules, seed=5), seated, rng) for seated, rng in ((row, 1), (dict(enumerate(row)), 1), (row, 2))]
    assert all(game.outcome is not None for game in games)
    assert games[0].moves == games[1].moves != games[2].moves
    rng, other_rng = Random(1), Random(1)
    assert bots.play(Game(rules, seed=5), row, rng).moves == bots.play(Game(rules, seed=5), row, other_rng).moves
    game = Game(rules, seed=5)
    assert bots.play(game, row) is game
    assert bots.play(game, row) is game, "one that is over is over"


@pytest.mark.parametrize("seated", ["careful", ["careful"], ["careful"] * 3, {0: "careful"}, {0: "first", 2: "first"}, None, 7, {"0": 1}])
def test_every_seat_needs_a_bot(seated: object) -> None:
    """Otherwise nothing is played, and the error says which seats there are."""
    game = Game(seed=1)
    with pytest.raises(BotError, match=r"2 seats|seats 0 to 1|which bot is on which seat"):
        bots.play(game, seated, 1)
    assert game.ply == 0


@pytest.mark.parametrize("given_as", [int, Random], ids=["a seed", "a generator"])
def test_no_bot_can_read_the_deck_from_its_generator(given_as) -> None:
    """The generator of a bot is not that of the shuffle, although both come from one seed: in twenty games no bot finds the deck."""
    read, decks_found = [], []

    def deck_reading_bot(view, rng):
        twin, deck = Random(), list(compile_rules(view.rules).deck)
        twin.setstate(rng.getstate())
        twin.shuffle(deck)
        decks_found.append(deck)
        return view.legal_moves()[0]

    for seed in range(20):
        game = Game(seed=seed)
        dealt = game.copy()
        dealt.goto(0)
        bots.play(game, [deck_reading_bot, deck_reading_bot], given_as(seed))
        shuffled = list(compile_rules(game.rules).deck)
        Random(seed).shuffle(shuffled)
        assert {Card.from_code(bit.bit_length() - 1) for bit in shuffled[-len(dealt.talon) :]} == set(dealt.talon), "so is a deck shuffled"
        read += [deck for deck in decks_found if deck == shuffled]
    assert (read, len(decks_found) > 400) == ([], True)


def test_a_bots_generator_is_its_own() -> None:
    """A bot that drains or reseeds its generator changes nothing for the others."""
    drawn_numbers: dict[int, list[float]] = {}

    def reseeding_bot(view, rng):
        rng.seed(0)
        return view.legal_moves()[0]

    def recording_bot(view, rng):
        drawn_numbers[len(drawn_numbers)] = [rng.random()]
        return view.legal_moves()[0]

    bots.play(Game(seed=1), [recording_bot, "first"], 1)
    alone = dict(drawn_numbers)
    drawn_numbers.clear()
    bots.play(Game(seed=1), [recording_bot, reseeding_bot], 1)
    assert drawn_numbers == alone


# The simple bots


def test_the_random_bot_chooses_each_move_equally_often() -> None:
    """Six cards to open with: each about a sixth of the time."""
    view, rng, bot = Game(seed=7).view(0), Random(1), bots.get("random")
    chosen = [bot.choose(view, rng) for _ in range(6000)]
    assert all(900 < chosen.count(move) < 1100 for move in view.legal_moves())


def test_the_first_bot_plays_the_first_legal_move() -> None:
    """In the order of the rule book."""
    view = Game(seed=7).view(0)
    assert bots.get("first").choose(view, Random(1)) is view.legal_moves()[0]


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: bots.play(7, ["first", "first"]), "bots play a Game, not 7"),
        (lambda: bots.play(Game(seed=1), range(10**12)), "1000000000000"),
        (lambda: bots.get("first").call_method(None), "first has no method None"),
        (lambda: bots.Bot(7, bots.get("first")), "short printable text"),
    ],
)
def test_invalid_arguments_are_refused(ask, says: str) -> None:
    """One sentence each, without a delay."""
    with pytest.raises(BotError) as caught:
        ask()
    assert says in str(caught.value)
    assert not bots.get("first").has_method(7)
