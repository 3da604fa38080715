"""Test readers with mutated input: they read it completely or refuse it with their own error."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from durak_widget import (
    Card,
    CardError,
    CardSet,
    DurakError,
    Game,
    GameTextError,
    IllegalMove,
    Match,
    Move,
    PositionError,
    Rules,
    RulesError,
)
from durak_widget.engine.game_record import MAX_CHARACTERS
from support.mixes import played
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Callable

ODD = [
    "",
    " ",
    "\n",
    ";",
    ":",
    ".",
    "|",
    "=",
    "/",
    "*",
    "#",
    "\x00",
    "\ufeff",
    "é",
    "♠",
    "🂡",
    "0",
    "-1",
    "1e9",
    "99999999999",
    "None",
    "6c",
    "Xr",
]
ODD += ["Rules: ", "Deck: ", "Ply: 3", "Result: *", "[" * 50, "{" * 50, "take", "pass", "\u202e", "\ud800"]

GAMES = [
    str(played(Rules.preset(name, players=players), seed, plies))
    for name, players, seed, plies in [
        ("podkidnoy", 2, 1, 30),
        ("weli", 3, 2, 40),
        ("siege", 2, 3, 30),
        ("passport", 4, 4, 30),
        ("poker", 2, 5, 20),
        ("econ431", 2, 6, 90),
        ("teams", 4, 7, 15),
    ]
]
GAMES.append(
    str(
        Game.from_position(
            Rules(players=3), hands=["6c 7c", "9h Ts", "Ah"], trump="h", table="7d/9d 7s", talon="8c 8h", turn_up="8h", throwers_passed=[2]
        )
    )
)
GAMES.append(str(Game.from_position("econ431", hands=["9c Tc", "Jc Qc"], trump="h")))


def mutate(text: str, rng: Random) -> str:
    """Return the text with random changes: parts dropped, repeated, moved or replaced."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at, upto = sorted(rng.choices(range(len(text) + 1), k=2))
        upto = min(upto, at + rng.choice([1, 1, 2, 5, 40, 400]))
        how = rng.randrange(6)
        if how == 0:
            text = text[:at] + text[upto:]
        elif how == 1:
            text = text[:upto] + text[at:upto] + text[upto:]
        elif how == 2:
            text = text[:at] + rng.choice(ODD) + text[upto:]
        elif how == 3:
            text = text[:at] + chr(rng.randrange(0x20, 0x7F)) + text[at + 1 :]
        elif how == 4:
            text = text[:at]
        else:
            lines = text.split("\n")
            rng.shuffle(lines)
            text = "\n".join(lines)
    return text


def read_all(read: Callable[[str], object], good: list[str], error: type[Exception], count: int, seed: int) -> tuple[int, int]:
    """Give a reader that many mutated texts, and return how many it read and refused."""
    rng, fine, refused = Random(seed), 0, 0
    for _ in range(count):
        text = mutate(rng.choice(good), rng)
        try:
            read(text)
            fine += 1
        except error as caught:
            refused += 1
            assert 10 < len(str(caught)) < 1000, (text, str(caught))
    return fine, refused


def read_and_check(text: str) -> None:
    """Read a game, and check that writing and reading it again gives the same."""
    game = Game.parse(text)
    assert str(Game.parse(str(game))) == str(game)


@pytest.mark.parametrize("seed", range(tried(2, 4)))
def test_mutated_games_are_read_or_refused(seed: int) -> None:
    """Thousands of texts are tried."""
    fine, refused = read_all(read_and_check, GAMES, GameTextError, tried(800, 3000), seed)
    assert fine
    assert refused


def test_mutated_rules_are_read_or_refused() -> None:
    """Thousands of texts are tried."""
    good = [str(Rules.preset(name)) for name in Rules.presets()] + [str(Rules(players=3, trump="h", first_bout_limit=5, swaps=2, decks=2))]
    assert all(read_all(Rules.parse, good, RulesError, tried(2000, 12_000), 11))


def test_mutated_moves_are_read_or_refused() -> None:
    """Thousands of texts are tried."""
    good = ["attack 7c 7d", "throw 6d=h", "pass", "beat 7c 10c", "transfer 6h=c", "show 7h", "take", "swap 7c 9d"]
    assert all(read_all(Move, good, IllegalMove, tried(4000, 12_000), 12))


def test_mutated_card_lists_are_read_or_refused() -> None:
    """Thousands of texts are tried."""
    assert all(read_all(CardSet, ["6c Td Xr", "10♦, 6c=h 7s", "As"], CardError, tried(3000, 10_000), 13))
    assert all(read_all(Card, ["6c", "10♦", "6d=h", "Xb"], CardError, 2000, 14))


def test_mutated_positions_are_read_or_refused() -> None:
    """Thousands of texts are tried."""
    good = ["6c 7c | 9h Ts | h | 7d/9d 7s | 8c 8d | 8d | 6h", "6c | 7c | h | 6d | | | ", "Ac Kc | 6h | d | | 6d | 6d | "]

    def read(text: str) -> Game:
        parts = [*text.split("|"), *[""] * 7]
        first, second, trump, table, talon, turn_up, discard = (part.strip() for part in parts[:7])
        return Game.from_position(
            hands=[first, second], trump=trump or None, table=table, talon=talon, turn_up=turn_up or None, discard=discard
        )

    assert all(read_all(read, good, PositionError, tried(1500, 4000), 15))


HOSTILE_TEXTS_ARE_REFUSED = [
    "x" * (MAX_CHARACTERS + 1),
    "Durak 1\n" + "# nothing\n" * 100_000,
    "Durak 1\nDeck: " + "6c " * 300_000 + "\nResult: *",
    "Durak 1\nRules: " + "a" * 100_000 + "=1\nDeck: 6c\nResult: *",
    "Durak 1\nDeck: 6c\n" + "1. " + "take; " * 100_000 + "\nResult: *",
    "Durak 1\n" + "9" * 10_000 + ". take\nResult: *",
    "Durak 2\nDeck: 6c\nResult: *",
    "Durak\n",
    "",
    "(" * 100_000,
    "[Event 'a PGN']\n\n1. e4 e5",
    GAMES[0].replace("Result: *", ""),
    GAMES[0][: len(GAMES[0]) // 2],
    GAMES[5].replace("Result: seat", "Result: seat 9"),
    GAMES[0].replace("Dealer: 0", "Dealer: ²"),
    GAMES[0].replace("1. ", "1. 5 "),
]


def test_hostile_texts_are_refused() -> None:
    """Test huge, deep, cut and foreign ones: one clear error does not repeat the text."""
    for text in HOSTILE_TEXTS_ARE_REFUSED:
        with pytest.raises(GameTextError) as caught:
            Game.parse(text)
        assert len(str(caught.value)) < 1000


def test_binary_files_are_refused(tmp_path) -> None:
    """They give the same kind of error."""
    for data in [b"", b"\x00\xff\xfe\x80", b"\x89PNG\r\n\x1a\n" * 1000, "Durak 1".encode("utf-16")]:
        path = tmp_path / "game.durak"
        path.write_bytes(data)
        with pytest.raises(GameTextError):
            Game.load(path)


def test_a_saved_game_can_be_loaded(tmp_path) -> None:
    """Windows line ends and byte order marks are allowed."""
    game = Game.parse(GAMES[1])
    path = tmp_path / "game.durak"
    game.save(path)
    assert str(Game.load(path)) == GAMES[1]
    path.write_text("\ufeff" + GAMES[1].replace("\n", "\r\n"), encoding="utf-8", newline="")
    assert str(Game.load(path)) == GAMES[1]


def test_values_that_are_no_text_are_refused() -> None:
    """Each reader raises its own error."""
    for thing in [None, 7, b"Durak 1", ["Durak 1"], object()]:
        for read, error in ((Game.parse, GameTextError), (Rules.parse, RulesError), (Move, IllegalMove), (Card, CardError)):
            with pytest.raises(error):
                read(thing)


def test_a_saved_game_is_replaced_completely_or_not_at_all(tmp_path, monkeypatch) -> None:
    """A full disk, or a kill between two writes, leaves the old game."""
    path = tmp_path / "lesson.durak"
    Game(seed=7).save(path)
    before = path.read_text()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(DurakError, match=r"cannot write .*: No space left on device"):
        Game(seed=8).save(path)
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


def test_numbers_are_refused_as_files() -> None:
    """Python would take them for open files; none is closed."""
    for number in [0, 1, 987654]:
        with pytest.raises(DurakError, match=f"'my.durak', not {number}"):
            Game(seed=7).save(number)
        with pytest.raises(DurakError, match="a file must be a text or a path"):
            Game.load(number)


ODD_VALUES_ARE_REFUSED_BY_AN_ERROR_OF_THE_PACKAGE = [
    (lambda: Rules(players=10**5000), "players takes"),
    (lambda: Rules(ranks=10**5000), "ranks takes"),
    (lambda: Rules(ranks=nested_list(5000)), "ranks takes"),
    (lambda: Rules.preset(nested_list(2000)), "there is no preset"),
    (lambda: Rules.preset(10**5000), "there is no preset"),
    (lambda: Rules(**{"\ud800": 1}), "Rules has no option"),
    (lambda: Game(seed="\ud800"), "seed must be"),
    (lambda: Match(seed="\ud800"), "seed must be"),
    (lambda: Match.from_game(7), "a match must begin with a Game, not with 7"),
    (lambda: Match.from_game(Rules()), "a match must begin with a Game"),
    (lambda: Game(seed=7).picture(language=[]), "there are no words in []"),
    (lambda: Game(seed=7).picture(language=nested_list(2000)), "there are no words in"),
    (lambda: Game(seed=7).view(0).role_of("x"), "'x' is not a seat"),
    (lambda: Game(seed=7).view(0).role_of(-1), "-1 is not a seat"),
    (lambda: Game(seed=7).view(0).role_of(2), "2 is not a seat; the seats are 0 to 1"),
]


def test_odd_values_raise_errors_of_the_package() -> None:
    """The message is one sentence of limited length."""
    for ask, says in ODD_VALUES_ARE_REFUSED_BY_AN_ERROR_OF_THE_PACKAGE:
        with pytest.raises(DurakError) as caught:
            ask()
        assert says in str(caught.value)
        assert len(str(caught.value)) < 500


def nested_list(depth: int) -> list:
    """Return a list in a list, that many levels deep."""
    found: list = []
    for _ in range(depth):
        found = [found]
    return found
