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
"""Less than this above the average is nothing."""
GAMES: Final = 200
"""So many games of each deal are played by bots: about a second."""
STRAYS: Final = 0.2
"""The share of moves that the careful bot leaves to chance: by itself it plays each deal in one way only."""
_SMALL: Final = 16
"""Decks of so many cards are solved within seconds; of larger ones the search is soon given up."""
_BUDGETS: Final = {True: 1_500_000, False: 50_000}
_CAREFUL: Final = get("careful")


class DealValue(NamedTuple):
    """What a deal is worth to the player who attacks first."""

    exact: int | None
    """If both saw all cards: 1 won, 0 drawn, -1 lost; None where that was not found."""
    won: float
    """The share of the bots' games that it won, a draw for a half."""


def straying(view: View, rng: Random) -> Move:
    """The careful bot's move; one time in five any legal one."""
    return rng.choice(view.legal_moves()) if rng.random() < STRAYS else _CAREFUL.choose(view, rng)


def evaluate_deal(laid: DeskDeal, *, games: int = GAMES) -> DealValue:
    """Return what this deal is worth to the player who attacks first.

    >>> from durak_widget import Game
    >>> from durak_widget.duplicate_deals.dealing_plan import DeskDeal
    >>> evaluate_deal(DeskDeal(1, Game("econ431, ranks=JQKA", seed=3)), games=40).exact
    1
    """
    start = laid.game
    won = 0.0
    for number in range(games):
        game = play(start.copy(), [straying, straying], f"{start.seed} {number}")
        assert game.outcome is not None  # noqa: S101 - it was played to its end
        winners = game.outcome.winners
        won += 0.5 if len(winners) != 1 else float(start.attacker in winners)
    return DealValue(open_hands(start, budget=_BUDGETS[len(laid.deck) <= _SMALL]).value, won / max(games, 1))


def evaluate_deals(deals: Iterable[DeskDeal]) -> dict[int, DealValue]:
    """Return the value of each deal, by its number."""
    return {laid.number: evaluate_deal(laid) for laid in deals}


def won_by_attacker(compared: Compared, laid: DeskDeal) -> tuple[float, int]:
    """At how many desks who attacked first won, a draw for a half, and how many played."""
    played = [one for one in compared.results.played if one.deal == laid.number]
    return sum(one.won_by(laid.attacks) for one in played), len(played)


class Compared(Page):
    """What desks made of the same deals; `.html` is the page, `.results` what was read."""

    def __init__(self, results: Results, deals: Deals, worth: Mapping[int, DealValue]) -> None:
        self.results, self.deals, self.worth = results, deals, worth
        voice = Voice(deals.language)
        cards = Cards(voice)
        title = voice.say("class.compare.title")
        many = voice.say("class.compare.many", desks=len(results.desks), deals=len(deals), played=len(results.played))
        edition = f" · {deals.edition}" if deals.edition else ""
        body = f'<h1>{escape(title)}</h1><p class="lead">{escape(f"{deals.rules_said}{edition} · {many}")}</p>'
        if results.played:
            body += _luck_html(results, voice) + _deals_html(self, voice) + _desks_html(self, voice) + _each_deal_html(self, cards, voice)
        else:
            body += f"<p>{escape(voice.say('class.compare.none'))}</p>"
        if results.troubles:
            told = "".join(f"<li>{escape(trouble)}</li>" for trouble in results.troubles[:100])
            body += f'<h2 class="warn">{escape(voice.say("class.compare.troubles"))}</h2><ul lang="en">{told}</ul>'
        super().__init__(title, cards.defs() + body, language=deals.language, style=CARD_STYLE)


def _luck_html(results: Results, voice: Voice) -> str:
    """How much of the results goes with the deal."""
    shares = results.shares
    if shares is None:
        said = voice.say("class.compare.luck.none")
    else:
        deal, chance = (percent(share) for share in shares)
        said = voice.say("class.compare.luck.share", deal=deal, play=percent(1 - shares[0]), chance=chance)
    same = voice.say("class.compare.luck.same")
    return f"<h2>{escape(voice.say('class.compare.luck'))}</h2><p>{escape(same)} {escape(said)}</p>"


def said_exactly(laid: DeskDeal, worth: DealValue, voice: Voice) -> str:
    """What the solver says of a deal with open cards."""
    defends = SEATS[1 - SEATS.index(laid.attacks)]
    if worth.exact is None:
        return voice.say("class.compare.exact.unknown")
    if worth.exact == 0:
        return voice.say("class.compare.exact.drawn")
    return voice.say(
        "class.compare.exact.won" if worth.exact > 0 else "class.compare.exact.lost", who=laid.attacks if worth.exact > 0 else defends
    )


def bar(share: float) -> str:
    """A share as a length; the number stands beside it."""
    return f'<span class="bar" aria-hidden="true"><i style="width:{100 * share:.0f}%"></i></span>'


def _deals_html(compared: Compared, voice: Voice) -> str:
    head = [voice.say(f"class.{key}") for key in ("desks.deal", "compare.attacker", "compare.won", "compare.exact", "compare.bots")]
    rows = []
    for laid in compared.deals:
        won, all_of_them = won_by_attacker(compared, laid)
        at = voice.say("class.compare.at", won=f"{won:g}", all=str(all_of_them))
        worth = compared.worth.get(laid.number)
        share = f"{bar(won / all_of_them)} {escape(at)}" if all_of_them else "–"
        known = escape(said_exactly(laid, worth, voice)) if worth else "–"
        rows.append([str(laid.number), laid.attacks, share, known, percent(worth.won) if worth else "–"])
    notes = [voice.say("class.compare.read.exact"), voice.say("class.compare.read.bots", games=str(GAMES))]
    told = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return f"<h2>{escape(voice.say('class.compare.deals'))}</h2>{html_table([escape(one) for one in head], rows, numbers=(4,))}{told}"


def _cell(one: DeskPlayed | None, score: float, voice: Voice) -> str:
    if one is None:
        return "–"
    won = voice.say("class.compare.cell.draw" if not one.durak else f"class.compare.cell.{'B' if one.durak == 'A' else 'A'}")
    return f'{escape(won)} <span class="soft">{signed(score, voice)}</span>'


def _desks_html(compared: Compared, voice: Voice) -> str:
    """What each desk made of each deal, against the average of all."""
    results = compared.results
    played = {(one.desk, one.deal): one for one in results.played}
    head = [voice.say("class.desks.desk"), *[voice.say("class.desks.deal.n", number=laid.number) for laid in compared.deals]]
    rows, totals = [], {}
    for desk in results.desks:
        scores = results.score(desk)
        totals[desk] = sum(scores.values())
        cells = [_cell(played.get((desk, laid.number)), scores.get(laid.number, 0.0), voice) for laid in compared.deals]
        rows.append([str(desk), *cells, f"<b>{signed(totals[desk], voice)}</b>"])
    best = max(map(abs, totals.values()), default=0.0)
    names = [
        f"{voice.say('class.desks.desk')} {desk}, {'A' if total > 0 else 'B'}"
        for desk, total in totals.items()
        if abs(total) > best - _BEST
    ]
    praise = f"<p>{escape(voice.say('class.compare.best', who='; '.join(names)))}</p>" if best > _BEST else ""
    shown = html_table([escape(one) for one in [*head, voice.say("class.compare.total")]], rows, numbers=(len(head),))
    note = escape(voice.say("class.compare.read.desks"))
    return f'<h2>{escape(voice.say("class.compare.desks"))}</h2>{praise}{shown}<p class="note">{note}</p>'


def _each_deal_html(compared: Compared, cards: Cards, voice: Voice) -> str:
    """Each deal with its cards, and what was remarked."""
    told = ""
    for laid in compared.deals:
        worth = compared.worth.get(laid.number)
        facts = [voice.say("class.desks.attacks", who=laid.attacks)]
        if laid.game.trump:
            facts.insert(0, voice.say("screen.trump", suit=Suit(laid.game.trump)))
        if worth and worth.exact is not None:
            facts.append(f"{voice.say('class.compare.exact')}: {said_exactly(laid, worth, voice)}")
        if counted := [one.bouts for one in compared.results.played if one.deal == laid.number and one.bouts]:
            facts.append(voice.say("class.compare.bouts", middle=decimal(median(counted), voice)))
        rows = "".join(
            f'<figure style="margin:.5rem 0"><figcaption class="small">{who}</figcaption>{cards.row(sorted(hand), width=11)}</figure>'
            for who, hand in zip(SEATS, laid.game.hands, strict=True)
        )
        turned = [laid.game.turn_up] if laid.game.turn_up else []
        if there := [*laid.talon, *turned]:
            over = [*map(str, range(1, len(laid.talon) + 1)), *[TURNED] * len(turned)]
            each = 14
            drawn = "".join(cards.row(there[i : i + each], width=9, over=over[i : i + each]) for i in range(0, len(there), each))
            name = escape(voice.say("class.desks.talon", number=laid.number))
            rows += f'<figure style="margin:.5rem 0"><figcaption class="small">{name}</figcaption>{drawn}</figure>'
        remarks = [f"{one.desk}: {one.remarks}" for one in compared.results.played if one.deal == laid.number and one.remarks]
        said = "".join(f"<li>{escape(remark)}</li>" for remark in remarks)
        listed = f"<h3>{escape(voice.say('class.compare.remarks'))}</h3><ul>{said}</ul>" if said else ""
        name = escape(voice.say("class.desks.deal.n", number=laid.number))
        told += f"<details><summary><b>{name}</b> · {escape(' · '.join(facts))}</summary>{rows}{listed}</details>"
    return f"<h2>{escape(voice.say('class.compare.each'))}</h2>{told}"
