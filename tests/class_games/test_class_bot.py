"""Test the bot that plays like a class: same frequencies, no look at hidden cards, and no names in its file."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from durak_widget import DurakError, Game, Rules, Table, analysis, bots, gametheory, lessons
from durak_widget.bots.heuristic_bots import get_card_prices
from durak_widget.class_games.decision_table import classify_cost
from durak_widget.class_games.imitation_bot import ImitationModel, classify_move
from support.spoken import english_text

if TYPE_CHECKING:
    from pathlib import Path

    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation


def most_expensive(view: Observation, rng: Random) -> Move:
    """Play the most expensive card, and never pick up if it can beat."""
    legal, price = view.legal_moves(), get_card_prices(view)
    return next((move for move in legal if classify_cost(move, legal, price) in {"dearest", "only"}), legal[-1])


def taker(view: Observation, rng: Random) -> Move:
    """Pick up four times in five, and lead with the cheapest card."""
    legal = view.legal_moves()
    if any(move.verb == "take" for move in legal) and rng.random() < 0.8:
        return legal[-1]
    return bots.get("careful").choose(view, rng)


def play_class_games(by: Any, games: int = 20, rules: str = "podkidnoy") -> Any:
    """Return the games of such a class against careful bots."""
    names = ["you", "careful"]
    return lessons.games([bots.play(Game(rules, seed=seed), [by, "careful"], seed) for seed in range(games)], names=names, budget=0)


@pytest.fixture(scope="module")
def classes() -> dict[str, Any]:
    """Return two classes that play differently."""
    return {"dearest": play_class_games(most_expensive), "taker": play_class_games(taker)}


def share(bot: Any, what: Any, seeds: range, rules: str = "podkidnoy") -> tuple[int, int]:
    """Return how often a bot does something in new games, of all times that it could."""
    did = could = 0
    for seed in seeds:
        game = Game(rules, seed=seed)
        for row in lessons.games([bots.play(game, [bot, "careful"], seed)], budget=0):
            if row["seat"] == 0 and (answer := what(row)) is not None:
                did, could = did + answer, could + 1
    return did, could


def took(row: Any) -> bool | None:
    """Return whether the player picked up although they could beat everything."""
    return row["took"] if row["could_beat"] else None


def led_expensive_card(row: Any) -> bool | None:
    """Return whether the player led with the most expensive of several cards."""
    return row["place"] == "dearest" if row["role"] == "leads" and row["place"] != "only" else None


def test_the_bot_plays_as_often_as_the_class_did(classes: dict[str, Any]) -> None:
    """Its shares are within four standard deviations of the class's, and far from the other class's."""
    for name, found in classes.items():
        bot = lessons.class_bot(found)
        for what in (took, led_expensive_card):
            theirs = [answer for row in found.where(who="you") if (answer := what(row)) is not None]
            did, could = share(bot, what, range(1000, 1010))
            part = sum(theirs) / len(theirs)
            spread = 4 * (max(part * (1 - part), 0.01) / could) ** 0.5 + 0.06  # the bot's smoothing, and other situations
            assert abs(did / could - part) < spread, (name, what.__name__, did, could, part)


def test_two_different_classes_give_two_different_bots(classes: dict[str, Any]) -> None:
    """A chi-square test with one degree of freedom gives over 50."""
    tables = [share(lessons.class_bot(found), took, range(1000, 1010)) for found in classes.values()]
    yes, of = map(sum, zip(*tables, strict=True))
    expected = [(yes * all_ / of, (of - yes) * all_ / of) for _, all_ in tables]
    chi = sum(
        (did - right) ** 2 / right + ((all_ - did) - wrong) ** 2 / wrong
        for (did, all_), (right, wrong) in zip(tables, expected, strict=True)
    )
    assert chi > 50


def test_chances_equal_the_counted_shares(classes: dict[str, Any]) -> None:
    """They are counted by hand, and add up to 100."""
    found = classes["taker"]
    bot = lessons.class_bot(found)
    view = Game.from_position(hands=["9s 8d", "6c 8c Kd Ah 7d 7s"], trump="h", table="7c", talon="9d 9h Th").view(1)
    chances = dict(zip(map(str, view.legal_moves()), bot.implementation.get_chances(view), strict=True))
    assert sum(chances.values()) == 100
    frequency = bot.implementation.find_frequency(view, "take")
    assert frequency.total > 10
    assert abs(chances["take"] - 100 * frequency.times_chosen / frequency.total) < 10
    assert bot.explain(view, "take") == english_text("class.play.chose", count=str(frequency.times_chosen), all=str(frequency.total))
    frequencies = Counter(str(bot.choose(view, Random(seed))) for seed in range(2000))
    for move, chance in chances.items():
        assert abs(frequencies[move] / 20 - chance) < 5


def test_the_bot_does_not_depend_on_hidden_cards(classes: dict[str, Any]) -> None:
    """It chooses the same in every world it can't distinguish. It needs no history."""
    bot = lessons.class_bot(classes["dearest"])
    game = bots.play(Game(seed=3), ["careful", "random"], 3)
    for ply in range(0, game.ply, 6):
        game.goto(ply)
        view = game.view(game.actor)
        world = analysis.worlds(view).sample(Random(ply))
        chances = bot.implementation.get_chances(view)
        assert bot.implementation.get_chances(world.view(view.seat)) == chances
        assert bot.implementation.get_chances(game.view(view.seat, memory=False)) == chances


def test_the_same_seed_gives_the_same_game(classes: dict[str, Any]) -> None:
    """This is so at a table and among bots."""
    bot = lessons.class_bot(classes["taker"])
    courses = [bots.play(Game(seed=5), [bot, "careful"], 5).moves for _ in range(2)]
    assert courses[0] == courses[1]
    assert len({bots.play(Game(seed=5), [bot, "random"], seed).moves for seed in range(5)}) > 1
    tables = [Table(seats={0: "first", 1: bot}, seed=7) for _ in range(2)]
    for table in tables:
        while table.step():
            pass
    assert tables[0].game.moves == tables[1].game.moves
    assert tables[0].players == ("first", "class")


def test_the_bot_plays_in_unknown_situations(classes: dict[str, Any]) -> None:
    """Test whole games under rules it has never seen, and a bot made from no games."""
    for rules in ("transfer, players=3", "albanian", "players=4, teams=2v2", "siege", "econ431", "transfer, players=6"):
        for plays in (lessons.class_bot(classes["dearest"]), ImitationModel()):
            game = Game(rules, seed=1)
            assert bots.play(game, [plays] * game.seats, 1).outcome is not None


@pytest.mark.slow
def test_the_bot_is_an_exact_strategy(classes: dict[str, Any]) -> None:
    """Its randomness is one draw out of a hundred, so nothing is estimated."""
    rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    tree = analysis.build_game_tree(rules, dealer=1)
    bot = lessons.class_bot(classes["taker"])
    strategy = analysis.convert_bot_to_strategy(tree, bot)
    assert not strategy.sample_counts
    for place, row in enumerate(strategy.rows):
        assert [int(100 * probability) for probability in row] == bot.implementation.get_chances(analysis.restore_view(tree, place))
    assert gametheory.exploitability(tree, strategy) >= 0


def test_the_saved_bot_has_no_names(tmp_path: Path, classes: dict[str, Any]) -> None:
    """The small file has no student, card or game. Loading it gives the same bot."""
    for student in ("ann", "ben"):
        table = Table(seed=student, keep=tmp_path / student)
        while table.game.outcome is None:
            if not table.step():
                table.play(table.game.legal_moves()[0])
    bot = lessons.class_bot(tmp_path)
    path = tmp_path / "last-year.json"
    bot.save(path)
    text = path.read_text(encoding="utf-8")
    assert not [name for name in ("ann", "ben", "careful", "20") if f'"{name}' in text.lower()]
    again = lessons.class_bot(path, name="last year")
    assert (again.name, again.implementation) == ("last year", bot.implementation)
    lessons.class_bot(classes["taker"]).save(path)
    assert path.stat().st_size < 60_000


@pytest.mark.release
def test_the_source_of_the_bot_can_be_chosen() -> None:
    """People come before bots, or you name the player."""
    sample = lessons.games()
    assert lessons.class_bot(who="random").implementation != lessons.class_bot(who="careful").implementation
    both = lessons.class_bot(who=["random", "careful"]).implementation.decisions
    assert both == sum(lessons.class_bot(who=bot).implementation.decisions for bot in ("random", "careful"))
    mixed = lessons.games([bots.play(Game(seed=1), ["first", "random"], 1)], names=["you", "random"])
    chosen = [row for row in mixed if row["who"] == "you" and row["possible"] > 1]
    assert lessons.class_bot(mixed).implementation.decisions == len(chosen)
    assert sample.where(possible=1).rows
    with pytest.raises(DurakError, match="nobody called 'carefull'"):
        lessons.class_bot(who="carefull")
    with pytest.raises(DurakError, match=r"who must be .*, not 7"):
        lessons.class_bot(who=7)  # type: ignore[arg-type] # that is what is wrong
    with pytest.raises(DurakError, match="nothing to learn from"):
        lessons.class_bot([Game(seed=1)])


WRONG = [
    "",
    "[]",
    "{}",
    "[" * 100_000,
    json.dumps({"format": "durak_widget.class_bot/1"}),
    json.dumps({"format": "durak_widget.class_bot/1", "decisions": -1, "chosen": {}, "offered": {}}),
    json.dumps({"format": "durak_widget.class_bot/1", "decisions": True, "chosen": {}, "offered": {}}),
    json.dumps({"format": "durak_widget.class_bot/1", "decisions": 1, "chosen": {"": {"take": 1e9}}, "offered": {}}),
    json.dumps({"format": "durak_widget.class_bot/1", "decisions": 1, "chosen": {"": ["take"]}, "offered": {}}),
    json.dumps({"format": "durak_widget.class_bot/1", "decisions": 1, "chosen": {}, "offered": {"take": 10**30}}),
]


def test_a_file_that_is_not_a_bot_is_refused_with_a_message(tmp_path: Path) -> None:
    """Test many kinds of files."""
    for text in WRONG:
        path = tmp_path / "bot.json"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DurakError, match=r"^'[^\n]*' was not written by bot\.save: [^\n]+$"):
            lessons.class_bot(path)
        with pytest.raises(DurakError, match="no such file"):
            lessons.class_bot(tmp_path / "no.json")


def test_kinds_of_moves_follow_from_what_the_player_sees() -> None:
    """Test the most expensive and the cheapest card, trumps, several cards, and moves without cards."""
    view = Game.from_position("econ431", hands=["9c 9d Qs Ah", "Tc"], trump="h").view(0)
    found = {str(move): classify_move(move, view.legal_moves(), view) for move in view.legal_moves()}
    assert found["attack 9c"] == "attack cheapest"
    assert found["attack Qs"] == "attack middle"
    assert found["attack Ah"] == "attack dearest trump"
    view = Game.from_position(hands=["Ks", "6c 7h"], trump="h", table="Qd").view(1)
    assert [classify_move(move, view.legal_moves(), view) for move in view.legal_moves()] == ["beat only trump", "take"]
