"""Test a lesson without computers: the plan produces the intended deal, and desks are compared fairly."""

from __future__ import annotations

import re
from random import Random
from statistics import fmean

import pytest

from durak_widget import Card, Game, duplicate_deals
from durak_widget.duplicate_deals.comparison_page import evaluate_deal
from durak_widget.duplicate_deals.dealing_plan import DuplicateDeal, DuplicateDeals
from durak_widget.duplicate_deals.printable_sheets import list_rule_sentences
from durak_widget.duplicate_deals.result_table import ClassResults, DeskResult, format_blank_table, read_results
from durak_widget.errors import DurakError
from durak_widget.grading.command_line import main
from durak_widget.i18n import LANGUAGES
from support.classroom_pages import harmless
from support.spoken import english_text

RULES = ("econ431", "podkidnoy", "albanian", "econ431, ranks=JQKA", "full_jokers", "no_trumps", "bulk", "railway", "weli")
SMALL = "econ431, ranks=QKA, hand_size=3"


def deal_by_plan(laid: DuplicateDeal, sorted_deck: list[Card]) -> tuple[dict[str, set[Card]], list[Card], Card | None]:
    """Return the hands, the talon and the turn-up from dealing a sorted deck card by card to the places of the plan."""
    hands: dict[str, set[Card]] = {"A": set(), "B": set()}
    talon, turned = {}, None
    for card, place in zip(sorted_deck, laid.card_destinations, strict=True):
        if place in hands:
            hands[place].add(card)
        elif place.isdigit():
            talon[int(place)] = card
        else:
            turned = card
    return hands, [talon[place] for place in sorted(talon)], turned


def test_the_plan_produces_the_deal() -> None:
    """Dealing a deck sorted by suits with the plan gives the hands, the talon and the turn-up of the game."""
    for rules in RULES:
        for laid in DuplicateDeals(deals=6, rules=rules):
            suits = {suit: [] for suit in ("c", "d", "h", "s", None)}
            for card in sorted(laid.deck):
                suits[card.suit].append(card)
            hands, talon, turned = deal_by_plan(laid, [card for suit in suits.values() for card in suit])
            assert [hands["A"], hands["B"]] == [set(hand) for hand in laid.game.hands]
            assert turned is laid.game.turn_up
            drawn = [card for card in laid.game.talon if card is not turned]
            assert talon == drawn


def test_the_plan_names_no_card() -> None:
    """Before the first cut line the page shows only places."""
    page = duplicate_deals.sheets(duplicate_deals.deals(deals=1)).html
    before = page[page.index('class="plan"') : page.index('class="cut"')]
    assert "<svg" not in before
    assert not re.search(r"[♣♦♥♠]", before)


def test_every_desk_has_the_same_deals() -> None:
    """Deals depend only on edition, rules and number; a longer series begins with the same deals."""
    few, many = DuplicateDeals(desks=2, deals=2, edition="2027"), DuplicateDeals(desks=30, deals=5, edition=2027)
    assert [laid.card_destinations for laid in few] == [laid.card_destinations for laid in many][:2]
    others = [
        DuplicateDeals(deals=2, edition="2028"),
        DuplicateDeals(deals=2),
        DuplicateDeals(deals=2, edition="2027", rules="econ431, attack_limit=4"),
    ]
    assert len({laid.card_destinations for deals in (few, *others) for laid in deals}) == 8


def test_the_first_attacker_alternates() -> None:
    """In the text's game the dealer defends first, and the deal goes round."""
    assert [laid.first_attacker for laid in DuplicateDeals(deals=4)] == ["A", "B", "A", "B"]


def test_the_sheets_exist_in_every_language() -> None:
    """A page for the teacher, one for the desk, one for each deal and a form; nothing on it runs or is fetched."""
    for language in sorted(LANGUAGES):
        for rules in ("econ431", "podkidnoy"):
            deals = duplicate_deals.deals(desks=7, deals=3, rules=rules, language=language)
            page = harmless(duplicate_deals.sheets(deals).html)
            assert page.tags[0][1]["lang"] == language
            assert sum(tag == "section" for tag, _ in page.tags) == 5
            cards_shown = [fact.get("aria-label") or "" for tag, fact in page.tags if tag == "svg" and fact.get("role") == "img"]
            assert sum(len(cards.split(", ")) for cards in cards_shown) == 3 * len(deals[1].deck)
            assert all(sentence in page.text for sentence in list_rule_sentences(deals))
            assert page.text.count("☐A") == 7 * 3


def test_the_rules_of_the_text_are_ten_sentences() -> None:
    """With any deck; they name its numbers, and other rules have their own sentences."""
    assert len(list_rule_sentences(DuplicateDeals())) == len(list_rule_sentences(DuplicateDeals(rules="econ431, ranks=JQKA"))) == 10
    rules_text = " ".join(list_rule_sentences(DuplicateDeals()))
    assert all(fact in rules_text for fact in ("24 cards", " 5 cards", "9 10 J Q K A", "at most 5"))
    other_rules = DuplicateDeals(rules="econ431, attack_limit=4, draw_order=attacker_first")
    assert any("Only the attacker" in sentence for sentence in list_rule_sentences(other_rules))


def test_rules_that_desks_cannot_play_are_refused() -> None:
    """The error says what would be right."""
    for options, message in (
        ({"desks": 0}, "desks .*0"),
        ({"deals": "4"}, "deals .*'4'"),
        ({"deals": 1000}, "deals .*1000"),
        ({"rules": "podkidnoy, players=3"}, "a desk has two players"),
        ({"rules": "two_decks"}, "one deck"),
        ({"rules": "changeable_trump"}, "under the turned-up"),
        ({"rules": "ecno431"}, "Did you mean 'econ431'"),
        ({"edition": "<b>"}, "edition.*short text"),
        ({"language": "xx"}, "there are no words"),
    ):
        with pytest.raises(DurakError, match=message):
            duplicate_deals.deals(**options)


def random_results(seed: int = 5) -> list[DeskResult]:
    """Return results of 15 desks that play 4 deals, some of them drawn, some not played."""
    rng = Random(seed)
    return [
        DeskResult(desk, deal, rng.choice("AABB "[: 3 + deal % 3]).strip())
        for desk in range(1, 16)
        for deal in range(1, 5)
        if rng.random() < 0.9
    ]


def test_a_desk_is_compared_on_the_same_cards() -> None:
    """On each deal a score is the result minus the average, and scores add up to 0; luck and play together are the whole variance."""
    played = random_results()
    found = ClassResults(tuple(played), ())
    for deal in range(1, 5):
        here = [result.score_of("A") for result in played if result.deal == deal]
        scores = [found.relative_scores(result.desk)[deal] for result in played if result.deal == deal]
        assert scores == pytest.approx([won - fmean(here) for won in here])
        assert sum(scores) == pytest.approx(0)
    everything = [result.score_of("A") for result in played]
    within = sum(score**2 for result in played for deal, score in found.relative_scores(result.desk).items() if deal == result.deal)
    whole = sum((won - fmean(everything)) ** 2 for won in everything)
    assert found.variance_shares == pytest.approx((1 - within / whole, 3 / (len(played) - 1)))
    assert ClassResults((DeskResult(1, 1, "A"), DeskResult(2, 1, "A")), ()).variance_shares is None


def test_the_result_table_round_trips(tmp_path) -> None:
    """The blank table has a row for each desk and deal. Filled in with any spreadsheet, it is read as typed."""
    deals = DuplicateDeals(desks=3, deals=2)
    lines = format_blank_table(deals).splitlines()
    assert len(lines) == 7
    assert read_results(_write_results(tmp_path, "\n".join(lines)), deals) == ClassResults((), ())
    filled = [lines[0], *(line.replace(",,,", f",{'B' if place % 2 else ' a '},7,ok") for place, line in enumerate(lines[1:]))]
    for text in ("\n".join(filled), "\r\n".join(filled), "\n".join(filled).replace(",", ";"), "\n".join(filled).replace(",", "\t")):
        for data in (text.encode(), b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
            found = read_results(_write_results(tmp_path, data), deals)
            assert [result.durak for result in found.desk_results] == ["A", "B"] * 3, text
            assert found.desk_results[0] == DeskResult(1, 1, "A", 7, "ok")
            assert not found.problems


def _write_results(folder, text: str | bytes) -> str:
    place = folder / "results.csv"
    place.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(place)


def test_invalid_results_are_reported_and_left_out(tmp_path) -> None:
    """The other results count."""
    for line, message in (
        ("99,1,A", "there is no desk '99'"),
        ("-1,1,A", "there is no desk '-1'"),
        ("1,0,A", "there is no deal '0'"),
        ("1,1.5,A", "there is no deal '1.5'"),
        ("١,1,A", "there is no desk"),
        ("1,1,C", "B, or 'draw', not 'C'"),
        ("1,1,=cmd()", "must be A or B"),
        (f"{'9' * 5000},1,A", "there is no desk"),
        ("1,2,A", "deal 2"),
        ("1,2,B", "deal 2"),
    ):
        found = read_results(_write_results(tmp_path, f"desk,deal,durak\n1,2,b\n{line}\n2,2,draw\n"), DuplicateDeals(desks=3, deals=2))
        assert [result[:3] for result in found.desk_results] == [(1, 2, "B"), (2, 2, "")]
        assert len(found.problems) == 1
        assert found.problems[0].startswith("line 3: ")
        assert message in found.problems[0]


def test_a_file_that_is_not_a_table_is_refused(tmp_path) -> None:
    """One message each."""
    for data, message in (
        (b"", "has no column 'desk'"),
        (b"\xff\xfe\x00", "has no column"),
        (b"\x00" * 100, "has no column"),
        (b"name;points\nAnn;3", "has no column 'desk'"),
        (b"desk,deal,durak\n" + b"1,1,A\n" * 200_000, "larger than a million bytes"),
        (b'desk,deal,durak\n1,1,"' + b"A" * 200_000, "cannot be read as a table"),
    ):
        with pytest.raises(DurakError, match=message):
            read_results(_write_results(tmp_path, data), DuplicateDeals())


@pytest.mark.parametrize("given", [None, 7, "nowhere/results.csv", [7], [("1",)], {"a": 1}, [(None, None, None)], [("x", "y", "A")]])
def test_invalid_results_from_code_are_refused_or_reported(given: object) -> None:
    """From code too."""
    try:
        found = read_results(given, DuplicateDeals())
    except DurakError as error:
        assert str(error)
    else:
        assert not found.desk_results
        assert found.problems or given == [(None, None, None)]


def test_the_comparison_shows_the_results_of_the_desks() -> None:
    """Results, the exact value on a small deck, and remarks as typed and escaped."""
    deals = duplicate_deals.deals(desks=3, deals=2, rules=SMALL)
    page = duplicate_deals.compare([(1, 1, "B", 5, "<script>alert(1)</script>"), (2, 1, "A"), (3, 1, "B"), (1, 2, "A"), (9, 9, "A")], deals)
    read_back = harmless(page.html)
    assert "2 of 3 desks" in read_back.text
    assert english_text("class.compare.bouts", middle="5") in read_back.text
    assert "<script>alert(1)</script>" in read_back.text
    assert "row 5: there is no desk '9'" in read_back.text
    assert all(value.exact_result in (1, -1) for value in page.deal_values.values())
    assert page.html == duplicate_deals.compare(page.results, deals).html
    assert page.results.relative_scores(2)[1] == pytest.approx(-2 / 3)


@pytest.mark.slow
def test_the_comparison_is_in_the_chosen_language() -> None:
    """With and without results."""
    for language in sorted(LANGUAGES):
        deals = duplicate_deals.deals(desks=2, deals=1, rules=SMALL, language=language)
        for given_results in ([(1, 1, "A"), (2, 1, "B")], [(1, 1, "A"), (2, 1, "A")], [(1, 1, "draw")], []):
            assert harmless(duplicate_deals.compare(given_results, deals).html).tags[0][1]["lang"] == language


def test_the_estimate_of_a_deal_is_reproducible() -> None:
    """The same call gives the same estimate; it is above one half if the attacker has the better cards."""
    strong = DuplicateDeal(1, Game("econ431, ranks=QKA, hand_size=3", deck="Ac Qc Ad Qd Ah Qh Kc Kd Kh Qs Ks As", dealer=1))
    assert evaluate_deal(strong, games=50) == evaluate_deal(strong, games=50)
    assert evaluate_deal(strong, games=50).exact_result == 1
    assert evaluate_deal(strong, games=50).win_share > 0.8


def test_the_command_writes_sheets_and_comparison(tmp_path, capsys) -> None:
    """Sheets and a blank table; then the comparison, with the invalid results; and errors with one message."""
    out, table = tmp_path / "deals.html", tmp_path / "results.csv"
    options = ["deals", "--desks", "2", "--deals", "1", "--rules", SMALL, "--edition", "2027", "--out", str(out)]
    assert main([*options, "--csv", str(table)]) == 0
    assert "Deal 1 of 1" in out.read_text(encoding="utf-8")
    table.write_text(table.read_text(encoding="utf-8").replace("1,1,,,", "1,1,B,,") + "7,1,A\n", encoding="utf-8")
    assert main([*options, "--results", str(table)]) == 0
    assert "line 4: there is no desk '7'" in capsys.readouterr().err
    assert "1 of 1 desks" in out.read_text(encoding="utf-8")
    assert main([*options, "--results", str(tmp_path / "none.csv")]) == 1
    assert main(["deals", "--rules", "ecno431", "--out", str(out)]) == 1
    assert main(["deals", "--deals", "1", "--out", str(tmp_path / "no" / "where.html")]) == 1
    assert "cannot write the page" in capsys.readouterr().err
