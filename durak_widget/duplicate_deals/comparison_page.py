"""Makes the page that compares the desks with one another, with bots and with the solver.

The value of a deal is exact if both players see all cards and the search finishes. Otherwise it is estimated
from many games between bots.
"""

from __future__ import annotations

from html import escape
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.double_dummy_solver import open_hands
from durak_widget.bots.bot import get, play
from durak_widget.duplicate_deals.dealing_plan import SEATS, TURNED
from durak_widget.duplicate_deals.printable_sheets import CARD_STYLE, Cards
from durak_widget.homework.html_page import Page, decimal, html_table, percent, signed
from durak_widget.i18n import Suit, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from durak_widget.duplicate_deals.dealing_plan import Deals, DeskDeal
    from durak_widget.duplicate_deals.result_table import DeskPlayed, Results
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View

_BEST = 0.005
"""Scores closer to the average than this are not praised."""
GAMES: Final = 200
"""The number of bot games of each deal, which take about a second."""
STRAYS: Final = 0.2
"""The share of random moves; without them the careful bot plays each deal in only one way."""
_SMALL: Final = 16
"""The largest deck that is solved within seconds; for larger decks the search stops early."""
_BUDGETS: Final = {True: 1_500_000, False: 50_000}
_CAREFUL: Final = get("careful")


class DealValue(NamedTuple):
    """The value of a deal for the player who attacks first."""

    exact: int | None
    """The result if both see all cards: 1 won, 0 tied, -1 lost; None if it was not found."""
    won: float
    """The share of bot games that the first attacker won; a tie counts as a half."""


def straying(view: View, rng: Random) -> Move:
    """Return the careful bot's move, or a random legal move one time in five."""
    return rng.choice(view.legal_moves()) if rng.random() < STRAYS else _CAREFUL.choose(view, rng)


def evaluate_deal(laid: DeskDeal, *, games: int = GAMES) -> DealValue:
    """Return what this deal is worth to the player who attacks first.

    >>> from durak_widget import Game
    >>> from durak_widget.duplicate_deals.dealing_plan import DeskDeal
    >>> evaluate_deal(DeskDeal(1, Game("econ431, ranks=JQKA", seed=3)), games=40).exact
    1
    """
    start = laid.game
    score = 0.0
    for number in range(games):
        game = play(start.copy(), [straying, straying], f"{start.seed} {number}")
        assert game.outcome is not None  # noqa: S101 - it was played to its end
        winners = game.outcome.winners
        score += 0.5 if len(winners) != 1 else float(start.attacker in winners)
    return DealValue(open_hands(start, budget=_BUDGETS[len(laid.deck) <= _SMALL]).value, score / max(games, 1))


def evaluate_deals(deals: Iterable[DeskDeal]) -> dict[int, DealValue]:
    """Return the value of each deal, by its number."""
    return {deal.number: evaluate_deal(deal) for deal in deals}


def won_by_attacker(compared: Compared, laid: DeskDeal) -> tuple[float, int]:
    """Return the total score of the first attackers of a deal, and the number of desks.

    A tie counts as a half.
    """
    results = [result for result in compared.results.played if result.deal == laid.number]
    return sum(result.won_by(laid.attacks) for result in results), len(results)


class Compared(Page):
    """The page that compares the results of desks; `.html` is its text, `.results` its data."""

    def __init__(self, results: Results, deals: Deals, worth: Mapping[int, DealValue]) -> None:
        self.results, self.deals, self.worth = results, deals, worth
        voice = Voice(deals.language)
        cards = Cards(voice)
        title = voice.say("class.compare.title")
        count_text = voice.say("class.compare.many", desks=len(results.desks), deals=len(deals), played=len(results.played))
        edition = f" · {deals.edition}" if deals.edition else ""
        body = f'<h1>{escape(title)}</h1><p class="lead">{escape(f"{deals.rules_said}{edition} · {count_text}")}</p>'
        if results.played:
            body += _luck_html(results, voice) + _deals_html(self, voice) + _desks_html(self, voice) + _each_deal_html(self, cards, voice)
        else:
            body += f"<p>{escape(voice.say('class.compare.none'))}</p>"
        if results.troubles:
            problem_items = "".join(f"<li>{escape(trouble)}</li>" for trouble in results.troubles[:100])
            body += f'<h2 class="warn">{escape(voice.say("class.compare.troubles"))}</h2><ul lang="en">{problem_items}</ul>'
        super().__init__(title, cards.defs() + body, language=deals.language, style=CARD_STYLE)


def _luck_html(results: Results, voice: Voice) -> str:
    """Return how much of the results depends on the deals, as HTML."""
    shares = results.shares
    if shares is None:
        explanation = voice.say("class.compare.luck.none")
    else:
        deal, chance = (percent(share) for share in shares)
        explanation = voice.say("class.compare.luck.share", deal=deal, play=percent(1 - shares[0]), chance=chance)
    introduction = voice.say("class.compare.luck.same")
    return f"<h2>{escape(voice.say('class.compare.luck'))}</h2><p>{escape(introduction)} {escape(explanation)}</p>"


def said_exactly(laid: DeskDeal, worth: DealValue, voice: Voice) -> str:
    """Return the solver's result of a deal with open cards, as a sentence."""
    defender = SEATS[1 - SEATS.index(laid.attacks)]
    if worth.exact is None:
        return voice.say("class.compare.exact.unknown")
    if worth.exact == 0:
        return voice.say("class.compare.exact.drawn")
    return voice.say(
        "class.compare.exact.won" if worth.exact > 0 else "class.compare.exact.lost", who=laid.attacks if worth.exact > 0 else defender
    )


def bar(share: float) -> str:
    """Return a share as a bar; the number must be written beside it."""
    return f'<span class="bar" aria-hidden="true"><i style="width:{100 * share:.0f}%"></i></span>'


def _deals_html(compared: Compared, voice: Voice) -> str:
    head = [voice.say(f"class.{key}") for key in ("desks.deal", "compare.attacker", "compare.won", "compare.exact", "compare.bots")]
    rows = []
    for deal in compared.deals:
        score, desk_count = won_by_attacker(compared, deal)
        score_text = voice.say("class.compare.at", won=f"{score:g}", all=str(desk_count))
        deal_value = compared.worth.get(deal.number)
        share = f"{bar(score / desk_count)} {escape(score_text)}" if desk_count else "–"
        exact_text = escape(said_exactly(deal, deal_value, voice)) if deal_value else "–"
        rows.append([str(deal.number), deal.attacks, share, exact_text, percent(deal_value.won) if deal_value else "–"])
    notes = [voice.say("class.compare.read.exact"), voice.say("class.compare.read.bots", games=str(GAMES))]
    note_html = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return (
        f"<h2>{escape(voice.say('class.compare.deals'))}</h2>{html_table([escape(title) for title in head], rows, numbers=(4,))}{note_html}"
    )


def _cell(one: DeskPlayed | None, score: float, voice: Voice) -> str:
    if one is None:
        return "–"
    outcome = voice.say("class.compare.cell.draw" if not one.durak else f"class.compare.cell.{'B' if one.durak == 'A' else 'A'}")
    return f'{escape(outcome)} <span class="soft">{signed(score, voice)}</span>'


def _desks_html(compared: Compared, voice: Voice) -> str:
    """Return the result of each desk in each deal, against the average, as HTML."""
    results = compared.results
    result_of = {(result.desk, result.deal): result for result in results.played}
    head = [voice.say("class.desks.desk"), *[voice.say("class.desks.deal.n", number=deal.number) for deal in compared.deals]]
    rows, totals = [], {}
    for desk in results.desks:
        scores = results.score(desk)
        totals[desk] = sum(scores.values())
        cells = [_cell(result_of.get((desk, deal.number)), scores.get(deal.number, 0.0), voice) for deal in compared.deals]
        rows.append([str(desk), *cells, f"<b>{signed(totals[desk], voice)}</b>"])
    best = max(map(abs, totals.values()), default=0.0)
    names = [
        f"{voice.say('class.desks.desk')} {desk}, {'A' if total > 0 else 'B'}"
        for desk, total in totals.items()
        if abs(total) > best - _BEST
    ]
    praise = f"<p>{escape(voice.say('class.compare.best', who='; '.join(names)))}</p>" if best > _BEST else ""
    table = html_table([escape(title) for title in [*head, voice.say("class.compare.total")]], rows, numbers=(len(head),))
    note = escape(voice.say("class.compare.read.desks"))
    return f'<h2>{escape(voice.say("class.compare.desks"))}</h2>{praise}{table}<p class="note">{note}</p>'


def _each_deal_html(compared: Compared, cards: Cards, voice: Voice) -> str:
    """Return each deal with its cards and remarks, as HTML."""
    html = ""
    for deal in compared.deals:
        deal_value = compared.worth.get(deal.number)
        facts = [voice.say("class.desks.attacks", who=deal.attacks)]
        if deal.game.trump:
            facts.insert(0, voice.say("screen.trump", suit=Suit(deal.game.trump)))
        if deal_value and deal_value.exact is not None:
            facts.append(f"{voice.say('class.compare.exact')}: {said_exactly(deal, deal_value, voice)}")
        if bout_counts := [result.bouts for result in compared.results.played if result.deal == deal.number and result.bouts]:
            facts.append(voice.say("class.compare.bouts", middle=decimal(median(bout_counts), voice)))
        rows = "".join(
            f'<figure style="margin:.5rem 0"><figcaption class="small">{seat}</figcaption>{cards.row(sorted(hand), width=11)}</figure>'
            for seat, hand in zip(SEATS, deal.game.hands, strict=True)
        )
        turn_up = [deal.game.turn_up] if deal.game.turn_up else []
        if talon_cards := [*deal.talon, *turn_up]:
            captions = [*map(str, range(1, len(deal.talon) + 1)), *[TURNED] * len(turn_up)]
            row_length = 14
            rows_html = "".join(
                cards.row(talon_cards[i : i + row_length], width=9, over=captions[i : i + row_length])
                for i in range(0, len(talon_cards), row_length)
            )
            name = escape(voice.say("class.desks.talon", number=deal.number))
            rows += f'<figure style="margin:.5rem 0"><figcaption class="small">{name}</figcaption>{rows_html}</figure>'
        remarks = [
            f"{result.desk}: {result.remarks}" for result in compared.results.played if result.deal == deal.number and result.remarks
        ]
        remark_items = "".join(f"<li>{escape(remark)}</li>" for remark in remarks)
        remarks_html = f"<h3>{escape(voice.say('class.compare.remarks'))}</h3><ul>{remark_items}</ul>" if remark_items else ""
        name = escape(voice.say("class.desks.deal.n", number=deal.number))
        html += f"<details><summary><b>{name}</b> · {escape(' · '.join(facts))}</summary>{rows}{remarks_html}</details>"
    return f"<h2>{escape(voice.say('class.compare.each'))}</h2>{html}"
