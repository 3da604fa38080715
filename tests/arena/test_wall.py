"""What a tournament says, and the page for the wall: what it claims, what it escapes, what it needs."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from tournament_tables import FIRST, RAISES

from durak_widget import arena
from durak_widget.arena import result_sentences, standings_page
from durak_widget.i18n import Translator
from durak_widget.tournament_widget.widget import Tournament
from support.spoken import TRANSLATED
from support.tournaments import HOSTILE, Lost, Played, Stood, not_begun, of_four, of_many

VOID = {"meta", "br", "wbr", "circle", "path", "img"}


class Elements(HTMLParser):
    """The elements of a page, and whether each that is begun is ended."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.wrong: list[str] = []
        self.text = ""
        self.feed(page)
        self.wrong += self.open

    def handle_starttag(self, tag, attrs):
        """One more is open."""
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Nothing stays open."""
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        """The last that was opened is closed."""
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"/{tag}")

    def handle_data(self, data):
        """What is read."""
        if not self.open or self.open[-1] != "style":
            self.text += data


def test_a_page_is_whole_and_needs_nothing_else():
    """Each element is ended, nothing is fetched, no script runs, whatever bots are called; every sentence has words."""
    for language in TRANSLATED:
        for result in (of_four(), of_many(), not_begun()):
            page = Elements(standings_page.render_page(result, language))
            assert page.wrong == []
            names = [name for _, attributes in page.found for name in attributes]
            assert not {"src", "href", "onerror", "onclick"} & set(names)
            assert {tag for tag, _ in page.found} & {"script", "img", "link", "iframe", "base"} == set()
            assert "arena." not in page.text.replace("durak_widget.arena", "")
            assert not re.search(r"[{}]", page.text.replace(HOSTILE[-1][8:], "").replace("{bot}", ""))


def test_names_are_shown_as_they_are_called():
    """A name with signs of a page in it is read as it was given; what turns lines round is left out, and it stands apart from what is beside it."""
    page = Elements(standings_page.render_page(of_many()))
    assert HOSTILE[0] in page.text
    assert HOSTILE[2] in page.text
    assert "agnorw &amp; {bot} %s" not in page.text.replace("gnorw &amp; {bot} %s", "")
    assert "\u202e" not in page.text


def test_nobody_is_called_better_without_proof():
    """Ann is better than all; of two who look unlike nothing is said but that they cannot be told apart, and how many games would do."""
    said = result_sentences.format_standings_text(of_four(), Translator())
    assert said == [
        "Ann is better than every other: sure.",
        "Ben is better than Cem: sure.",
        "Cem and Dora cannot be told apart yet: some 600 games more would do.",
        "Each rating is known to within 5 points of 100.",
    ]
    unsure = of_four(standings=Stood(("Ben", "Ann", "Dora", "Cem"), (58.0, 71.0, 34.5, 36.0), 30.0, 200))
    assert result_sentences.format_standings_text(unsure, Translator()) == [
        "Ann, Ben, Cem and Dora cannot be told apart yet.",
        "Some 21000 games more, and each rating would be known to within 5 points of 100.".replace("21000", "21\u202f000"),
    ]
    assert "sure" not in standings_page.render_page(unsure).split("<main>")[1]


def test_a_run_on_top_is_told_as_one():
    """Who stands first within a tie is not said to lead."""
    tied = of_four(standings=Stood(("Ben", "Ann", "Dora", "Cem"), (70.0, 71.0, 34.5, 20.0), 4.0, 200))
    assert result_sentences.format_standings_text(tied, Translator())[:3] == [
        "Ann and Ben cannot be told apart yet: some 600 games more would do.",
        "Each of them is better than every other: sure.",
        "Dora is better than Cem: sure.",
    ]


def test_ties_that_overlap_are_brackets_side_by_side():
    """Who cannot be told apart from either neighbour stands in two brackets."""
    standing = Stood(("a", "b", "c"), (60.0, 55.0, 50.0), 3.0, 100)
    assert standing.tie_groups == ((0, 1), (1, 2))
    assert result_sentences.arrange_tie_brackets(standing) == [[(0, 1)], [(1, 2)]]


def test_who_is_out_stands_there_with_the_reason():
    """Every forfeit with its sentence and its position; who is out has no place where nothing is known, and stays in the table."""
    lost = tuple(Lost("Cem", game, "Cem chose 7♣, which it does not hold", "podkidnoy: <6c>") for game in (3, 9, 17))
    names, known = ("Ann", "Ben", "Cem"), Stood(("Ann", "Ben"), (60.0, 40.0), 3.0, 100)

    class WithoutCem(Stood):
        @property
        def ratings(self):
            return (*known.ratings, None)

        order, tie_groups = known.order, known.tie_groups

        def share(self, i, j):
            return None if 2 in (i, j) else known.share(i, j)

        def is_better(self, i, j):
            return 2 not in (i, j) and known.is_better(i, j)

    page = standings_page.render_page(Played(names, WithoutCem(names, (60.0, 40.0, 0.0), 3.0, 100), forfeits=lost, disqualified=("Cem",)))
    text = Elements(page).text
    assert text.count("which it does not hold.") == 3
    assert "podkidnoy: <6c>" in text
    assert "Cem is out after three forfeits." in text
    assert text.count("Cem (out)") == 1


SPY = """import os, socket, subprocess


def choose(view):
    for tries in (lambda: open("/etc/passwd"), lambda: open("x", "w"), lambda: subprocess.run(["ls"]), lambda: socket.socket()):
        try:
            tries()
        except OSError:
            pass
    return view.legal_moves()[0]
"""


def first(view, rng):
    """The first move of all."""
    return view.legal_moves()[0]


# Bots that play alike


def test_no_number_of_games_separates_two_bots_that_make_the_same_moves():
    """Two files with the same code, beside others: their ratings differ by chance, and no number of games is named."""
    ranking = arena.play({"ann": first, "ben": first, "cem": "careful", "dan": "random"}, "econ431", games=120, seed=3)
    assert ranking.same_move_groups == ((0, 1),)
    assert ranking.estimate_games_to_separate("ann", "ben") is None
    said = ranking.to_text()
    assert re.search("(ann and ben|ben and ann) made the same moves in all their games against each other.", said)
    assert not re.search("(ann and ben|ben and ann) cannot be told apart yet: some", said)


def test_two_bots_alone_that_play_alike_are_said_to():
    """Instead of that they cannot be told apart yet."""
    said = arena.play({"ann": first, "ben": first}, "econ431", games=20).to_text()
    assert "made the same moves" in said
    assert "yet" not in said


def test_many_bots_that_play_alike_are_told_in_one_sentence():
    """Three by their names, the others by their number."""
    names = tuple(f"Bot {number}" for number in range(6))
    result = Played(names, Stood(names, (50.0,) * 6, 3.0, 100), same_move_groups=(tuple(range(6)),))
    [said] = [one for one in result_sentences.format_standings_text(result, Translator()) if "same moves" in one]
    assert said.startswith("Bot 0, Bot 1, Bot 2 and 3 others made the same moves")


def test_after_a_few_deals_nobody_is_said_to_play_alike():
    """Bots that differ may have made the same moves so far; but no number of games is named where all deals came out even."""
    ranking = arena.play({"ann": first, "ben": first, "cem": "careful"}, "econ431", games=18, seed=3)
    assert ranking.same_move_groups == ()
    assert ranking.estimate_games_to_separate("ann", "ben") is None


def test_bots_that_choose_by_chance_do_not_play_alike():
    """The same code, and other moves."""

    def any_move(view, rng):
        return rng.choice(view.legal_moves())

    assert arena.play({"ann": any_move, "ben": any_move}, "econ431", games=40).same_move_groups == ()


# Bots that were refused something


@pytest.fixture(scope="module")
def spied(tmp_path_factory):
    """A tournament in which one bot tried what the sandbox refuses, swallowed the errors and played on; and its file."""
    file = tmp_path_factory.mktemp("spied") / "it.sqlite"
    return arena.play({"ann": "careful", "eva": SPY, "ben": FIRST}, "econ431", games=12, seed="willow 27", file=file), file


@pytest.mark.slow
def test_a_bot_that_was_refused_something_is_named(spied):
    """In the text, in the rows, on the page and in its tables; who did nothing of the kind is not."""
    ranking, _ = spied
    assert ranking.refused_attempts == {"eva": ("files", "programs", "network")}
    assert "\neva tried to open or change files, start programs and use the network: refused." in ranking.to_text()
    assert {row["name"]: row["refused"] for row in ranking.rows()} == {"ann": "", "eva": "files, programs, network", "ben": ""}
    assert "tried to open or change files, start programs and use the network: refused." in standings_page.render_page(ranking)
    assert re.findall(r"(\w+)</bdi> <span class=\"a-quiet\">\(refused\)", standings_page.render_places_table(ranking)) == ["eva"]
    assert "start programs" in ranking._repr_html_()


def test_the_widget_names_it_too(spied):
    """Beside the table."""
    ranking, _ = spied
    tournament = Tournament(SimpleNamespace(ranking=ranking, play_on=lambda **_: iter([ranking])))
    assert any("start programs" in one for one in tournament.sheet["told"])


def test_the_file_keeps_it(spied, tmp_path):
    """Read again and copied; a file of before says nothing of it, and what is odd there is passed over."""
    ranking, file = spied
    assert arena.load(file).refused_attempts == ranking.refused_attempts
    ranking.save(tmp_path / "copy.sqlite")
    assert arena.load(tmp_path / "copy.sqlite").refused_attempts == ranking.refused_attempts
    for odd in ('{"eva": ["gold"], "ben": 7, "nobody": ["files"]}', "[1]", None):
        with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as base, base:
            base.execute("DELETE FROM metadata WHERE key = 'attempts'")
            if odd is not None:
                base.execute("INSERT INTO metadata VALUES ('attempts', ?)", (odd,))
        assert arena.load(tmp_path / "copy.sqlite").refused_attempts == {}


def test_the_name_of_such_a_bot_stays_a_name():
    """Whatever it is called, in each language."""
    for language in TRANSLATED:
        result = of_four(refused_attempts={HOSTILE[0]: ("files",), "Ann": ("programs", "network")}, games_cancelled=2)
        page = standings_page.render_page(result, language)
        assert "<script>" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert "{" not in "".join(result_sentences.format_standings_text(result, Translator(language)))


# Games that are left out


def test_it_is_said_where_the_other_games_went(tmp_path):
    """Games of a bot that is out, now and when the file is read again."""
    ranking = arena.play({"a": "careful", "bad": RAISES, "c": "first"}, "econ431", games=120, file=tmp_path / "it.sqlite")
    assert (ranking.disqualified, ranking.games_played, ranking.games_planned) == (("bad",), ranking.games_planned, ranking.games_played)
    assert ranking.games_cancelled == 120 - ranking.games_planned > 0
    assert f"\n{ranking.games_cancelled} planned games are left out, because a bot in them is out.\n" in ranking.to_text()
    assert arena.load(tmp_path / "it.sqlite").games_cancelled == ranking.games_cancelled


def test_where_nobody_is_out_no_game_is_left_out():
    """All that were planned are played."""
    ranking = arena.play(["careful", "first", "random"], "econ431", games=30)
    assert ranking.games_cancelled == 0
    assert "left out" not in ranking.to_text()


@pytest.mark.slow
def test_games_left_out_and_games_planned_make_up_all():
    """With Swiss rounds as well, in which who is out is not drawn."""
    for system in ("all", "swiss"):
        asked = arena.play({"a": "careful", "b": "hasty", "c": "first", "d": "random"}, "econ431", games=96, system=system)
        ranking = arena.play({"a": "careful", "b": "hasty", "c": "first", "bad": RAISES}, "econ431", games=96, system=system)
        assert ranking.disqualified == ("bad",)
        assert ranking.games_planned + ranking.games_cancelled == asked.games_planned


# Intervals


def test_each_against_each_says_between_which_points_of_100():
    """From 93 to 100, and not 97 give or take 4."""
    shown = standings_page.render_matrix_table(Played(("Ann", "Ben"), Stood(("Ann", "Ben"), (99.0, 1.0), 4.0, 100)))
    assert re.findall(r"<small>([^<]+)</small>", shown.replace("<wbr>", "")) == ["93–100", "0–7"]
    assert "±" not in shown


def test_no_interval_leaves_0_to_100():
    """After a few games, where all of them are won or lost."""
    ranking = arena.play(["careful", "first", "random"], "econ431", games=12)
    bounds = re.findall(r"<small>(\d+)–<wbr>(\d+)</small>", standings_page.render_matrix_table(ranking))
    assert len(bounds) == 6
    assert all(0 <= int(low) <= int(high) <= 100 for low, high in bounds)
