"""Bots: how one is had, how they play a whole game, and what the simple ones do."""

from __future__ import annotations

from random import Random

import pytest

from durak_widget import BotError, Card, DurakError, Game, Rules, bots
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.engine.compiled_rules import compile_rules

OWN = bots.names()
"""The bots of this package: those that can be had by name before anybody registers one."""


# How one is had


def test_the_bots_of_the_package_have_names() -> None:
    """A bot is had by its name, and says it."""
    assert OWN[:3] == ("random", "first", "careful")
    assert [bots.get(name).name for name in OWN] == list(OWN)
    assert repr(bots.get("careful")) == "<Bot careful>"


def test_a_function_is_a_bot() -> None:
    """It is called by its name, and may say its move in words."""

    def takes(view, rng):
        return str(view.legal_moves()[-1])

    bot = bots.get(takes)
    assert bot.name == "takes"
    game = Game.from_position(hands=["7c", "8c Kh"], table="7d")
    assert str(bot.choose(game.view(1), Random(1))) == "take"


def test_whatever_has_choose_is_a_bot() -> None:
    """An object, with or without a name of its own; and a class, which is made."""

    class Mine:
        def choose(self, view, rng):
            return rng.choice(view.legal_moves()[:1])

    named = Mine()
    named.name = "mine, the second"
    assert [bots.get(bot).name for bot in (Mine(), named, Mine)] == ["Mine", "mine, the second", "Mine"]
    view = Game(seed=7).view(0)
    assert bots.get(Mine).choose(view, Random(1)) is view.legal_moves()[0]


def test_a_bot_is_a_bot() -> None:
    """Whoever takes names and bots alike can hand either to `get`."""
    bot = bots.get("careful")
    assert bots.get(bot) is bot


def test_a_bot_may_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class, a function or an object gets a name and is had by it; a cell that is run again registers it again."""
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
        (7, {}, "7 is not a bot: give a name (random, first, careful"),
        (None, {}, "None is not a bot: give a name"),
        (int, {}, "<class 'int'> is not a bot: give a name"),
        (type("Mute", (), {}), {}, "is not a bot: give a name"),
        ("careful", {"misrly": True}, "careful has no setting 'misrly'. Did you mean 'miserly'? It has miserly"),
        ("careful", {"miserly": "no"}, "miserly is True or False, not 'no'"),
        ("random", {"depth": 3}, "random is made already and takes no settings; leave depth out"),
        (CarefulBot(), {"miserly": True}, "CarefulBot is made already and takes no settings; leave miserly out"),
    ],
)
def test_what_is_no_bot_is_refused(bot: object, given_with: dict, says: str) -> None:
    """The refusal says what there is."""
    with pytest.raises(BotError) as caught:
        bots.get(bot, **given_with)
    assert says in str(caught.value)
    assert isinstance(caught.value, DurakError)


@pytest.mark.parametrize(
    ("name", "says"),
    [("careful", "is a bot of this package"), ("", "takes the name of a bot, not ''"), (print, "takes the name of a bot, not <built-in")],
)
def test_a_name_must_be_free(name: object, says: str) -> None:
    """The names of the package mean the same to all, and a name is a text."""
    with pytest.raises(BotError, match=says):
        bots.register(name)


def test_a_bot_that_may_not_choose_is_told_why() -> None:
    """It is not its turn, the view is covered, or the game is over."""
    bot, game = bots.get("careful"), Game.from_position(hands=["7c", "8d Kd"], trump="s")
    for view, says in (
        (game.view(1), "the view is that of seat 1, and seat 0 is to act"),
        (game.view(0).without_hand(), "the view is covered"),
        (bots.play(Game(seed=1), [bot, bot]).view(0), "the game is over"),
    ):
        with pytest.raises(BotError, match=says):
            bot.choose(view, Random(1))


@pytest.mark.parametrize("chosen", ["attack 8d", "resign", None, 0])
def test_a_bot_that_chooses_what_it_may_not_is_named(chosen: object) -> None:
    """What it chose is quoted, and nothing is played in its stead."""

    def cheat(view, rng):
        return chosen

    with pytest.raises(BotError, match=r"cheat chose .*, which seat 0 may not play"):
        bots.get(cheat).choose(Game.from_position(hands=["7c", "8d Kd"]).view(0), Random(1))


@pytest.mark.parametrize("name", ["you", " ", "x ", "\ud800", "\x00", "a\nb", "x" * 61])
def test_a_name_is_short_and_can_be_shown(name: str) -> None:
    """It stands in menus and beside a seat, and `you` is a person: other names are refused, and nothing is registered."""
    with pytest.raises(BotError) as caught:
        bots.register(name)
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()
    assert name not in bots.names()


def test_a_bot_without_a_proper_name_gets_one() -> None:
    """A function called `you`, an object that calls itself something endless, a setting that cannot be shown."""

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
    with pytest.raises(BotError, match="is who sits before the screen"):
        bots.Bot("you", you)


def test_more_than_a_move_can_be_asked_of_a_bot() -> None:
    """What it was made from is kept: its settings, and whatever else it can do."""

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
    with pytest.raises(BotError, match="Wise has no answer to 'value'; give what it is made from a method of that name"):
        bot.call_method("value", view)
    assert bots.get("careful", miserly=True).implementation.miserly is True


# A whole game


def test_a_game_is_played_to_its_end_and_can_be_played_again() -> None:
    """By names, bots, functions, objects, in a row or by seat: the same seed plays the same game, another one another."""
    rules = Rules(players=4)
    row = ["random", bots.get("careful"), lambda view, rng: rng.choice(view.legal_moves()), CarefulBot()]
    games = [bots.play(Game(rules, seed=5), seated, rng) for seated, rng in ((row, 1), (dict(enumerate(row)), 1), (row, 2))]
    assert all(game.outcome is not None for game in games)
    assert games[0].moves == games[1].moves != games[2].moves
    rng, same = Random(1), Random(1)
    assert bots.play(Game(rules, seed=5), row, rng).moves == bots.play(Game(rules, seed=5), row, same).moves
    game = Game(rules, seed=5)
    assert bots.play(game, row) is game
    assert bots.play(game, row) is game, "one that is over is over"


@pytest.mark.parametrize("seated", ["careful", ["careful"], ["careful"] * 3, {0: "careful"}, {0: "first", 2: "first"}, None, 7, {"0": 1}])
def test_every_seat_has_its_bot(seated: object) -> None:
    """Otherwise nothing is played, and the error says which seats there are."""
    game = Game(seed=1)
    with pytest.raises(BotError, match=r"2 seats|seats 0 to 1|which bot sits where"):
        bots.play(game, seated, 1)
    assert game.ply == 0


@pytest.mark.parametrize("given_as", [int, Random], ids=["a seed", "a generator"])
def test_no_bot_reads_the_deck_from_its_chance(given_as) -> None:
    """What shuffled the cards is not what a bot is given, though both come from one number: of twenty decks it reads none."""
    read, asked = [], []

    def peeker(view, rng):
        twin, deck = Random(), list(compile_rules(view.rules).deck)
        twin.setstate(rng.getstate())
        twin.shuffle(deck)
        asked.append(deck)
        return view.legal_moves()[0]

    for seed in range(20):
        game = Game(seed=seed)
        dealt = game.copy()
        dealt.goto(0)
        bots.play(game, [peeker, peeker], given_as(seed))
        shuffled = list(compile_rules(game.rules).deck)
        Random(seed).shuffle(shuffled)
        assert {Card.from_code(bit.bit_length() - 1) for bit in shuffled[-len(dealt.talon) :]} == set(dealt.talon), "so is a deck shuffled"
        read += [deck for deck in asked if deck == shuffled]
    assert (read, len(asked) > 400) == ([], True)


def test_what_a_bot_does_to_its_chance_is_its_own_affair() -> None:
    """One that drains or reseeds its generator changes nothing for the others."""
    heard: dict[int, list[float]] = {}

    def rude(view, rng):
        rng.seed(0)
        return view.legal_moves()[0]

    def polite(view, rng):
        heard[len(heard)] = [rng.random()]
        return view.legal_moves()[0]

    bots.play(Game(seed=1), [polite, "first"], 1)
    alone = dict(heard)
    heard.clear()
    bots.play(Game(seed=1), [polite, rude], 1)
    assert heard == alone


# The simple ones


def test_the_random_one_takes_each_move_as_often() -> None:
    """Six cards to open with: each about a sixth of the time."""
    view, rng, bot = Game(seed=7).view(0), Random(1), bots.get("random")
    chosen = [bot.choose(view, rng) for _ in range(6000)]
    assert all(900 < chosen.count(move) < 1100 for move in view.legal_moves())


def test_the_first_one_plays_in_the_order_of_the_book() -> None:
    """The first legal move, always."""
    view = Game(seed=7).view(0)
    assert bots.get("first").choose(view, Random(1)) is view.legal_moves()[0]


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: bots.play(7, ["first", "first"]), "bots play a Game, not 7"),
        (lambda: bots.play(Game(seed=1), range(10**12)), "the game has 2 seats, and seated names 1000000000000"),
        (lambda: bots.get("first").call_method(None), "first has no answer to None"),
        (lambda: bots.Bot(7, bots.get("first")), "the name of a bot is a short printable text"),
    ],
)
def test_odd_things_are_refused_in_a_sentence(ask, says: str) -> None:
    """And nothing is waited for."""
    with pytest.raises(BotError) as caught:
        ask()
    assert says in str(caught.value)
    assert not bots.get("first").has_method(7)
