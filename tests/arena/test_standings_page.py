"""Test the text and the HTML page of a tournament: claims, escaping, and no external resources."""

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
from support.spoken import TRANSLATED, english, english_text
from support.tournaments import HOSTILE, Lost, Played, Stood, not_begun, of_four, of_many

VOID = {"meta", "br", "wbr", "circle", "path", "img"}


class PageElements(HTMLParser):
    """The elements of a page, with a check that each start tag has an end tag."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.wrong: list[str] = []
        self.text = ""
        self.feed(page)
        self.wrong += self.open

    def handle_starttag(self, tag, attrs):
        """Record a start tag."""
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Record an element without an end tag."""
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        """Record an end tag."""
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"/{tag}")

    def handle_data(self, data):
        """Record text."""
        if not self.open or self.open[-1] != "style":
            self.text += data


def test_a_page_is_well_formed_and_self_contained():
    """Every element ends, nothing is fetched, no script runs, with any names of bots; every sentence has a text."""
    for language in TRANSLATED:
        for result in (of_four(), of_many(), not_begun()):
            page = PageElements(standings_page.render_page(result, language))
            assert page.wrong == []
            names = [name for _, attributes in page.found for name in attributes]
            assert not {"src", "href", "onerror", "onclick"} & set(names)
            assert {tag for tag, _ in page.found} & {"script", "img", "link", "iframe", "base"} == set()
            assert "arena." not in page.text.replace("durak_widget.arena", "")
            assert not re.search(r"[{}]", page.text.replace(HOSTILE[-1][8:], "").replace("{bot}", ""))


def test_bot_names_are_escaped():
    """A name with HTML characters is shown as given; characters that reverse the text direction are removed, and the name is isolated."""
    page = PageElements(standings_page.render_page(of_many()))
    assert HOSTILE[0] in page.text
    assert HOSTILE[2] in page.text
    assert "agnorw &amp; {bot} %s" not in page.text.replace("gnorw &amp; {bot} %s", "")
    assert "\u202e" not in page.text


def test_no_bot_is_called_better_without_proof():
    """Ann is better than all. For two similar bots the text says only that they cannot be distinguished yet, and how many games would do."""
    summary = result_sentences.format_standings_text(of_four(), Translator())
    assert summary == [
        english_text("arena.better.all", bot="Ann"),
        english_text("arena.better", bot="Ben", other="Cem"),
        english_text("arena.together.until.other", bots="Cem and Dora", games="600"),
        english_text("arena.enough", within="5"),
    ]
    unsure = of_four(standings=Stood(("Ben", "Ann", "Dora", "Cem"), (58.0, 71.0, 34.5, 36.0), 30.0, 200))
    assert result_sentences.format_standings_text(unsure, Translator()) == [
        english_text("arena.together", bots="Ann, Ben, Cem and Dora"),
        english_text("arena.needed.other", games="21000", within="5").replace("21000", "21\u202f000"),
    ]
    assert "sure" not in standings_page.render_page(unsure).split("<main>")[1]


def test_a_tie_at_the_top_is_one_sentence():
    """No bot in a tie is said to lead."""
    tied = of_four(standings=Stood(("Ben", "Ann", "Dora", "Cem"), (70.0, 71.0, 34.5, 20.0), 4.0, 200))
    assert result_sentences.format_standings_text(tied, Translator())[:3] == [
        english_text("arena.together.until.other", bots="Ann and Ben", games="600"),
        english_text("arena.better.they"),
        english_text("arena.better", bot="Dora", other="Cem"),
    ]


def test_overlapping_ties_have_separate_brackets():
    """A bot that cannot be distinguished from either neighbour is in two brackets."""
    standing = Stood(("a", "b", "c"), (60.0, 55.0, 50.0), 3.0, 100)
    assert standing.tie_groups == ((0, 1), (1, 2))
    assert result_sentences.arrange_tie_brackets(standing) == [[(0, 1)], [(1, 2)]]


def test_a_disqualified_bot_is_listed_with_its_reasons():
    """Every forfeit has its reason and position; a disqualified bot without a rating has no place, and stays in the table."""
    lost = tuple(Lost("Cem", game, "Cem chose 7♣, which it does not hold", "podkidnoy: <6c>") for game in (3, 9, 17))
    names, known = ("Ann", "Ben", "Cem"), Stood(("Ann", "Ben"), (60.0, 40.0), 3.0, 100)

    class StandingsWithoutCem(Stood):
        @property
        def ratings(self):
            return (*known.ratings, None)

        order, tie_groups = known.order, known.tie_groups

        def share(self, i, j):
            return None if 2 in (i, j) else known.share(i, j)

        def is_better(self, i, j):
            return 2 not in (i, j) and known.is_better(i, j)

    page = standings_page.render_page(
        Played(names, StandingsWithoutCem(names, (60.0, 40.0, 0.0), 3.0, 100), forfeits=lost, disqualified=("Cem",))
    )
    text = PageElements(page).text
    assert text.count("which it does not hold.") == 3
    assert "podkidnoy: <6c>" in text
    assert english_text("arena.left_out", bot="Cem") in text
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
    """Return the first legal move."""
    return view.legal_moves()[0]


# Bots with equal moves


def test_no_estimate_for_two_bots_with_equal_moves():
    """Two bots with the same code, beside others: their ratings differ by chance, and no number of games is named."""
    ranking = arena.play({"ann": first, "ben": first, "cem": "careful", "dan": "random"}, "econ431", games=120, seed=3)
    assert ranking.same_move_groups == ((0, 1),)
    assert ranking.estimate_games_to_separate("ann", "ben") is None
    summary = ranking.to_text()
    assert any(english("arena.together.same", bots=bots).search(summary) for bots in ("ann and ben", "ben and ann"))
    assert not any(english("arena.together.until.other", bots=bots).search(summary) for bots in ("ann and ben", "ben and ann"))


def test_two_bots_with_equal_moves_are_reported():
    """The text says so, and not that they cannot be distinguished yet."""
    summary = arena.play({"ann": first, "ben": first}, "econ431", games=20).to_text()
    assert english("arena.together.same").search(summary)
    assert "yet" not in summary


def test_many_bots_with_equal_moves_are_one_sentence():
    """Three by their names, the others by their number."""
    names = tuple(f"Bot {number}" for number in range(6))
    result = Played(names, Stood(names, (50.0,) * 6, 3.0, 100), same_move_groups=(tuple(range(6)),))
    [summary] = [
        sentence
        for sentence in result_sentences.format_standings_text(result, Translator())
        if english("arena.together.same.many.other").search(sentence)
    ]
    assert english("arena.together.same.many.other", bots="Bot 0, Bot 1, Bot 2", count="3").match(summary)


def test_a_few_deals_are_too_few_for_equal_moves():
    """Different bots may have made the same moves so far; but no number of games is named if all deals were even."""
    ranking = arena.play({"ann": first, "ben": first, "cem": "careful"}, "econ431", games=18, seed=3)
    assert ranking.same_move_groups == ()
    assert ranking.estimate_games_to_separate("ann", "ben") is None


def test_random_bots_do_not_have_equal_moves():
    """The code is the same, and the moves differ."""

    def random_mover(view, rng):
        return rng.choice(view.legal_moves())

    assert arena.play({"ann": random_mover, "ben": random_mover}, "econ431", games=40).same_move_groups == ()


# Bots with refused attempts


@pytest.fixture(scope="module")
def ranking_with_refusals(tmp_path_factory):
    """Return a tournament in which one bot tried what the sandbox refuses, caught the errors and played on; and its file."""
    file = tmp_path_factory.mktemp("spied") / "it.sqlite"
    return arena.play({"ann": "careful", "eva": SPY, "ben": FIRST}, "econ431", games=12, seed="willow 27", file=file), file


@pytest.mark.slow
def test_a_bot_with_refused_attempts_is_named(ranking_with_refusals):
    """In the text, in the rows, on the page and in its tables; other bots are not."""
    ranking, _ = ranking_with_refusals
    assert ranking.refused_attempts == {"eva": ("files", "programs", "network")}
    parts = [english_text(f"arena.attempts.{name}") for name in ("files", "programs", "network")]
    assert english("arena.attempts", bot="eva", what=f"{parts[0]}, {parts[1]} and {parts[2]}").search(ranking.to_text())
    assert {row["name"]: row["refused"] for row in ranking.rows()} == {"ann": "", "eva": "files, programs, network", "ben": ""}
    assert all(part in standings_page.render_page(ranking) for part in parts)
    assert re.findall(r"(\w+)</bdi> <span class=\"a-quiet\">[^<]", standings_page.render_places_table(ranking)) == ["eva"]
    assert english_text("arena.attempts.programs") in ranking._repr_html_()


def test_the_widget_names_refused_attempts(ranking_with_refusals):
    """Beside the table."""
    ranking, _ = ranking_with_refusals
    tournament = Tournament(SimpleNamespace(ranking=ranking, play_on=lambda **_: iter([ranking])))
    assert any(english_text("arena.attempts.programs") in sentence for sentence in tournament.tournament_view["remarks"])


def test_the_file_keeps_refused_attempts(ranking_with_refusals, tmp_path):
    """Loaded and copied; an older file has none, and invalid entries are ignored."""
    ranking, file = ranking_with_refusals
    assert arena.load(file).refused_attempts == ranking.refused_attempts
    ranking.save(tmp_path / "copy.sqlite")
    assert arena.load(tmp_path / "copy.sqlite").refused_attempts == ranking.refused_attempts
    for odd in ('{"eva": ["gold"], "ben": 7, "nobody": ["files"]}', "[1]", None):
        with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as base, base:
            base.execute("DELETE FROM metadata WHERE key = 'attempts'")
            if odd is not None:
                base.execute("INSERT INTO metadata VALUES ('attempts', ?)", (odd,))
        assert arena.load(tmp_path / "copy.sqlite").refused_attempts == {}


def test_names_with_refused_attempts_are_escaped():
    """With any name, in every language."""
    for language in TRANSLATED:
        result = of_four(refused_attempts={HOSTILE[0]: ("files",), "Ann": ("programs", "network")}, games_cancelled=2)
        page = standings_page.render_page(result, language)
        assert "<script>" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert "{" not in "".join(result_sentences.format_standings_text(result, Translator(language)))


# Cancelled games


def test_cancelled_games_are_reported(tmp_path):
    """Games of a disqualified bot, now and when the file is loaded."""
    ranking = arena.play({"a": "careful", "bad": RAISES, "c": "first"}, "econ431", games=120, file=tmp_path / "it.sqlite")
    assert (ranking.disqualified, ranking.games_played, ranking.games_planned) == (("bad",), ranking.games_planned, ranking.games_played)
    assert ranking.games_cancelled == 120 - ranking.games_planned > 0
    assert f"\n{english_text('arena.cancelled.other', games=str(ranking.games_cancelled))}\n" in ranking.to_text()
    assert arena.load(tmp_path / "it.sqlite").games_cancelled == ranking.games_cancelled


def test_without_disqualification_no_game_is_cancelled():
    """All planned games are played."""
    ranking = arena.play(["careful", "first", "random"], "econ431", games=30)
    assert ranking.games_cancelled == 0
    assert not english("arena.cancelled.other").search(ranking.to_text())


@pytest.mark.slow
def test_cancelled_and_planned_games_add_up():
    """With Swiss rounds too, in which a disqualified bot is not paired."""
    for system in ("all", "swiss"):
        undisturbed = arena.play({"a": "careful", "b": "hasty", "c": "first", "d": "random"}, "econ431", games=96, system=system)
        ranking = arena.play({"a": "careful", "b": "hasty", "c": "first", "bad": RAISES}, "econ431", games=96, system=system)
        assert ranking.disqualified == ("bad",)
        assert ranking.games_planned + ranking.games_cancelled == undisturbed.games_planned


# Intervals


def test_a_matrix_cell_has_the_interval_as_a_range():
    """93 to 100, and not 97 ± 4."""
    html = standings_page.render_matrix_table(Played(("Ann", "Ben"), Stood(("Ann", "Ben"), (99.0, 1.0), 4.0, 100)))
    assert re.findall(r"<small>([^<]+)</small>", html.replace("<wbr>", "")) == ["93–100", "0–7"]
    assert "±" not in html


def test_no_interval_exceeds_0_to_100():
    """After a few games, all won or all lost."""
    ranking = arena.play(["careful", "first", "random"], "econ431", games=12)
    bounds = re.findall(r"<small>(\d+)–<wbr>(\d+)</small>", standings_page.render_matrix_table(ranking))
    assert len(bounds) == 6
    assert all(0 <= int(low) <= int(high) <= 100 for low, high in bounds)
