"""A game that is over belongs to those who played it, whoever sits down afterwards."""

from __future__ import annotations

from test_rivals import hear, home, play_on, won  # noqa: F401 - `home` is a fixture

from durak_widget import Table


def heads(scene: dict) -> tuple:
    """What the result card and the head of a scene say of who played."""
    over = scene["over"]
    return over["said"], over["order"], over["rivals"], over["score"], [seat.get("named") for seat in scene["seats"]], scene["call"]


def test_a_game_that_is_over_stays_with_those_who_played_it() -> None:
    """Another opponent is chosen: the result, the words and the score speak of Tim; Grandmother plays the next game, with a score of her own."""
    table = Table(seats={1: "nephew"}, seed=5)
    won(table, 1)
    before = heads(table.scene)
    assert "Tim" in str(before)
    hear(table, "seat", seat=1, who="grandmother")
    assert heads(table.scene) == before
    assert (table.scene["seats"][1]["who"], table.scene["seats"][1]["next"], table.players) == ("nephew", "grandmother", ("you", "nephew"))
    hear(table, "next")
    assert table.players == ("you", "grandmother")
    assert "score" not in table.scene, "she has not played yet"
    assert "next" not in table.scene["seats"][1]
    play_on(table)
    assert sum(row[1] + row[2] + row[3] for row in table.scene["over"]["score"]) == 2, "one game, two rows"


def test_whoever_was_chosen_and_dismissed_changes_nothing() -> None:
    """Tim is chosen again before the next game: the match goes on, and so does its score."""
    table = Table(seats={1: "nephew"}, seed=5)
    won(table, 1)
    match = table.match
    for who in ("grandmother", "nephew"):
        hear(table, "seat", seat=1, who=who)
    hear(table, "next")
    assert table.match is match
    assert table.scene["score"][1][:2] == [[1], 1]


def test_whoever_sits_down_during_a_game_gets_no_score_of_others() -> None:
    """The games that one opponent has lost are not shown as lost by another, named or not."""
    for first, then in [("nephew", "grandmother"), ("careful", "first")]:
        table = Table(seats={1: first}, seed=5)
        play_on(table)
        hear(table, "next")
        hear(table, "seat", seat=1, who=then)
        assert table.players == ("you", then)
        assert "score" not in table.scene


def test_a_game_that_goes_on_otherwise_is_played_by_whoever_was_chosen() -> None:
    """Moves are taken back: as long as they can be redone the game is Tim's, and shows him; with another move Grandmother sits down."""
    table = Table(seats={1: "nephew"}, seed=5)
    won(table, 1)
    before = heads(table.scene)
    hear(table, "seat", seat=1, who="grandmother")
    hear(table, "goto", to=0)
    assert table.players == ("you", "nephew"), "who looks back still sees their game"
    hear(table, "goto", to=table.scene["last"])
    hear(table, "undo")
    assert table.players == ("you", "nephew")
    hear(table, "goto", to=table.scene["last"])
    assert heads(table.scene) == before
    while True:
        hear(table, "undo")
        other = [move for move in table.game.legal_moves() if str(move) != str(table.game.copy().redo())]
        if table.game.actor == 0 and other:
            break
    table.play(other[0])
    assert table.players == ("you", "grandmother")


def test_a_game_of_three_that_is_over_is_shown_whoever_is_chosen_and_whatever_is_taken_back() -> None:
    """A named opponent gives their seat to another, and both ends of the undo stack are looked at."""
    table = Table("podkidnoy, players=3", seats={1: "nephew", 2: "careful"}, seed=5)
    play_on(table)
    before = heads(table.scene)
    hear(table, "seat", seat=1, who="careful")
    hear(table, "seat", seat=2, who="grandmother")
    hear(table, "undo")
    hear(table, "goto", to=table.scene["last"])
    assert heads(table.scene) == before


def test_a_bot_that_was_written_anew_plays_though_its_name_is_the_same() -> None:
    """A notebook's `choose` is changed and seated again: with the next game the new one plays."""
    asked = []

    def bot(mark: str) -> object:
        def choose(view: object, rng: object) -> object:
            asked.append(mark)
            return view.legal_moves()[0]  # type: ignore[attr-defined]

        return choose

    table = Table(seats={1: bot("old")}, seed=5)
    play_on(table)
    asked.clear()
    table.seat_player(1, bot("new"))
    hear(table, "next")
    play_on(table)
    assert set(asked) == {"new"}


def test_the_person_met_last_sits_down() -> None:
    """What the button of the result card says holds, also after somebody else was chosen."""
    table = Table(seats={1: "nephew"}, seed=5)
    won(table, 2)
    hear(table, "seat", seat=1, who="grandmother")
    hear(table, "meet", who="uncle")
    assert table.players == ("you", "uncle")


def test_with_two_players_the_result_says_who_finished_first() -> None:
    """A line with the order comes only where there are more."""
    for players, order in [(2, False), (3, True)]:
        table = Table(f"players={players}", seats={1: "nephew"}, seed=5)
        play_on(table)
        assert bool(table.scene["over"]["order"]) is order
