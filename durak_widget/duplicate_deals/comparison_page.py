"""Renders a page that compares the desks' results with each other, bots and best play.

The value of a deal is exact if both players see all cards and the search finishes. Otherwise it is estimated
from many games between bots.
"""

from __future__ import annotations

from html import escape
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.double_dummy_solver import solve_double_dummy
from durak_widget.bots.bot import get, play
from durak_widget.duplicate_deals.dealing_plan import SEAT_LETTERS, TURN_UP_SIGN
from durak_widget.duplicate_deals.printable_sheets import CARD_CSS, CardDrawings
from durak_widget.homework.html_page import Page, format_decimal, format_percent, format_signed, render_table
from durak_widget.i18n import Suit, Translator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from durak_widget.duplicate_deals.dealing_plan import DuplicateDeal, DuplicateDeals
    from durak_widget.duplicate_deals.result_table import ClassResults, DeskResult
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation

_MIN_BEST_SCORE = 0.005
"""The page names a best desk only if its score is at least this much above the average of all desks."""
GAMES_PER_DEAL: Final = 200
"""The number of games that bots play with each deal; they take about a second."""
RANDOM_MOVE_SHARE: Final = 0.2
"""The fraction of the bots' moves that are random; without them, all games with a deal would be the same."""
_SMALL_DECK_SIZE: Final = 16
"""The maximum number of cards in a deck with which a deal is solved within seconds; for more cards, the search may
stop without a result."""
_SEARCH_BUDGETS: Final = {True: 1_500_000, False: 50_000}
_CAREFUL_BOT: Final = get("careful")


class DealValue(NamedTuple):
    """The value of a deal for the first attacker, once by best play and once by games of bots."""

    exact_result: int | None
    """The result of best play with all cards open (1 won, 0 tied, -1 lost); None if the search found no result in
    time."""
    win_share: float
    """The fraction of bot games that the first attacker won; a tie counts as half a win."""


def choose_careful_or_random(view: Observation, rng: Random) -> Move:
    """Return the careful bot's move; one time out of five, return a random legal move."""
    return rng.choice(view.legal_moves()) if rng.random() < RANDOM_MOVE_SHARE else _CAREFUL_BOT.choose(view, rng)


def evaluate_deal(deal: DuplicateDeal, *, games: int = GAMES_PER_DEAL) -> DealValue:
    """Compute a deal's value for the first attacker, by best play and by games of bots.

    >>> from durak_widget import Game
    >>> from durak_widget.duplicate_deals.dealing_plan import DuplicateDeal
    >>> evaluate_deal(DuplicateDeal(1, Game("econ431, ranks=JQKA", seed=3)), games=40).exact_result
    1
    """
    start = deal.game
    score = 0.0
    for number in range(games):
        game = play(start.copy(), [choose_careful_or_random, choose_careful_or_random], f"{start.seed} {number}")
        assert game.outcome is not None  # noqa: S101 - it was played to its end
        winners = game.outcome.winners
        score += 0.5 if len(winners) != 1 else float(start.attacker in winners)
    return DealValue(solve_double_dummy(start, budget=_SEARCH_BUDGETS[len(deal.deck) <= _SMALL_DECK_SIZE]).value, score / max(games, 1))


def evaluate_deals(deals: Iterable[DuplicateDeal]) -> dict[int, DealValue]:
    """Return the values of all deals, by the number of the deal."""
    return {deal.number: evaluate_deal(deal) for deal in deals}


def sum_attacker_scores(comparison: ComparisonPage, deal: DuplicateDeal) -> tuple[float, int]:
    """Return the first attackers' total score in a deal, and how many desks played the deal.

    A tie counts as a half.
    """
    results = [result for result in comparison.results.desk_results if result.deal == deal.number]
    return sum(result.score_of(deal.first_attacker) for result in results), len(results)


class ComparisonPage(Page):
    """A web page on the desks' results; the attribute `results` has the results as data."""

    def __init__(self, results: ClassResults, deals: DuplicateDeals, deal_values: Mapping[int, DealValue]) -> None:
        self.results, self.deals, self.deal_values = results, deals, deal_values
        voice = Translator(deals.language)
        cards = CardDrawings(voice)
        title = voice.translate("class.compare.title")
        count_text = voice.translate("class.compare.many", desks=len(results.desks), deals=len(deals), played=len(results.desk_results))
        edition = f" · {deals.edition}" if deals.edition else ""
        body = f'<h1>{escape(title)}</h1><p class="lead">{escape(f"{deals.rules_text}{edition} · {count_text}")}</p>'
        if results.desk_results:
            body += (
                _render_luck(results, voice)
                + _render_deals(self, voice)
                + _render_desks(self, voice)
                + _render_deal_details(self, cards, voice)
            )
        else:
            body += f"<p>{escape(voice.translate('class.compare.none'))}</p>"
        if results.problems:
            problem_items = "".join(f"<li>{escape(trouble)}</li>" for trouble in results.problems[:100])
            body += f'<h2 class="warn">{escape(voice.translate("class.compare.troubles"))}</h2><ul lang="en">{problem_items}</ul>'
        super().__init__(title, cards.render_definitions() + body, language=deals.language, style=CARD_CSS)


def _render_luck(results: ClassResults, voice: Translator) -> str:
    """Render a text that says how much of the desks' results is luck, because of the deals."""
    shares = results.variance_shares
    if shares is None:
        explanation = voice.translate("class.compare.luck.none")
    else:
        deal, chance = (format_percent(share) for share in shares)
        explanation = voice.translate("class.compare.luck.share", deal=deal, play=format_percent(1 - shares[0]), chance=chance)
    introduction = voice.translate("class.compare.luck.same")
    return f"<h2>{escape(voice.translate('class.compare.luck'))}</h2><p>{escape(introduction)} {escape(explanation)}</p>"


def format_exact_result(deal: DuplicateDeal, deal_value: DealValue, voice: Translator) -> str:
    """Return a sentence on who wins a deal by best play with all cards open."""
    defender = SEAT_LETTERS[1 - SEAT_LETTERS.index(deal.first_attacker)]
    if deal_value.exact_result is None:
        return voice.translate("class.compare.exact.unknown")
    if deal_value.exact_result == 0:
        return voice.translate("class.compare.exact.drawn")
    return voice.translate(
        "class.compare.exact.won" if deal_value.exact_result > 0 else "class.compare.exact.lost",
        who=deal.first_attacker if deal_value.exact_result > 0 else defender,
    )


def render_bar(share: float) -> str:
    """Return a bar in HTML that shows a fraction; the caller writes the number beside the bar."""
    return f'<span class="bar" aria-hidden="true"><i style="width:{100 * share:.0f}%"></i></span>'


def _render_deals(comparison: ComparisonPage, voice: Translator) -> str:
    """Render a table of all deals: the results of desks, of best play and of bots' games."""
    head = [voice.translate(f"class.{key}") for key in ("desks.deal", "compare.attacker", "compare.won", "compare.exact", "compare.bots")]
    rows = []
    for deal in comparison.deals:
        score, desk_count = sum_attacker_scores(comparison, deal)
        score_text = voice.translate("class.compare.at", won=f"{score:g}", all=str(desk_count))
        deal_value = comparison.deal_values.get(deal.number)
        share = f"{render_bar(score / desk_count)} {escape(score_text)}" if desk_count else "–"
        exact_text = escape(format_exact_result(deal, deal_value, voice)) if deal_value else "–"
        rows.append([str(deal.number), deal.first_attacker, share, exact_text, format_percent(deal_value.win_share) if deal_value else "–"])
    notes = [voice.translate("class.compare.read.exact"), voice.translate("class.compare.read.bots", games=str(GAMES_PER_DEAL))]
    note_html = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return f"<h2>{escape(voice.translate('class.compare.deals'))}</h2>{render_table([escape(title) for title in head], rows, number_columns=(4,))}{note_html}"


def _render_cell(result: DeskResult | None, score: float, voice: Translator) -> str:
    """Render the table cell with one desk's result in one deal."""
    if result is None:
        return "–"
    outcome = voice.translate(
        "class.compare.cell.draw" if not result.durak else f"class.compare.cell.{'B' if result.durak == 'A' else 'A'}"
    )
    return f'{escape(outcome)} <span class="soft">{format_signed(score, voice)}</span>'


def _render_desks(comparison: ComparisonPage, voice: Translator) -> str:
    """Render a table of the desks' results, each compared with the average in the same deal."""
    results = comparison.results
    result_of = {(result.desk, result.deal): result for result in results.desk_results}
    head = [voice.translate("class.desks.desk"), *[voice.translate("class.desks.deal.n", number=deal.number) for deal in comparison.deals]]
    rows, totals = [], {}
    for desk in results.desks:
        scores = results.relative_scores(desk)
        totals[desk] = sum(scores.values())
        cells = [_render_cell(result_of.get((desk, deal.number)), scores.get(deal.number, 0.0), voice) for deal in comparison.deals]
        rows.append([str(desk), *cells, f"<b>{format_signed(totals[desk], voice)}</b>"])
    best = max(map(abs, totals.values()), default=0.0)
    names = [
        f"{voice.translate('class.desks.desk')} {desk}, {'A' if total > 0 else 'B'}"
        for desk, total in totals.items()
        if abs(total) > best - _MIN_BEST_SCORE
    ]
    praise = f"<p>{escape(voice.translate('class.compare.best', who='; '.join(names)))}</p>" if best > _MIN_BEST_SCORE else ""
    table = render_table([escape(title) for title in [*head, voice.translate("class.compare.total")]], rows, number_columns=(len(head),))
    note = escape(voice.translate("class.compare.read.desks"))
    return f'<h2>{escape(voice.translate("class.compare.desks"))}</h2>{praise}{table}<p class="note">{note}</p>'


def _render_deal_details(comparison: ComparisonPage, cards: CardDrawings, voice: Translator) -> str:
    """Render the cards of each deal, with facts such as who attacks first, as HTML."""
    html = ""
    for deal in comparison.deals:
        deal_value = comparison.deal_values.get(deal.number)
        facts = [voice.translate("class.desks.attacks", who=deal.first_attacker)]
        if deal.game.trump:
            facts.insert(0, voice.translate("screen.trump", suit=Suit(deal.game.trump)))
        if deal_value and deal_value.exact_result is not None:
            facts.append(f"{voice.translate('class.compare.exact')}: {format_exact_result(deal, deal_value, voice)}")
        if bout_counts := [result.bouts for result in comparison.results.desk_results if result.deal == deal.number and result.bouts]:
            facts.append(voice.translate("class.compare.bouts", middle=format_decimal(median(bout_counts), voice)))
        rows = "".join(
            f'<figure style="margin:.5rem 0"><figcaption class="small">{seat}</figcaption>{cards.render_row(sorted(hand), width=11)}</figure>'
            for seat, hand in zip(SEAT_LETTERS, deal.game.hands, strict=True)
        )
        turn_up = [deal.game.turn_up] if deal.game.turn_up else []
        if talon_cards := [*deal.talon, *turn_up]:
            captions = [*map(str, range(1, len(deal.talon) + 1)), *[TURN_UP_SIGN] * len(turn_up)]
            row_length = 14
            rows_html = "".join(
                cards.render_row(talon_cards[i : i + row_length], width=9, captions=captions[i : i + row_length])
                for i in range(0, len(talon_cards), row_length)
            )
            name = escape(voice.translate("class.desks.talon", number=deal.number))
            rows += f'<figure style="margin:.5rem 0"><figcaption class="small">{name}</figcaption>{rows_html}</figure>'
        remarks = [
            f"{result.desk}: {result.remarks}"
            for result in comparison.results.desk_results
            if result.deal == deal.number and result.remarks
        ]
        remark_items = "".join(f"<li>{escape(remark)}</li>" for remark in remarks)
        remarks_html = f"<h3>{escape(voice.translate('class.compare.remarks'))}</h3><ul>{remark_items}</ul>" if remark_items else ""
        name = escape(voice.translate("class.desks.deal.n", number=deal.number))
        html += f"<details><summary><b>{name}</b> · {escape(' · '.join(facts))}</summary>{rows}{remarks_html}</details>"
    return f"<h2>{escape(voice.translate('class.compare.each'))}</h2>{html}"
