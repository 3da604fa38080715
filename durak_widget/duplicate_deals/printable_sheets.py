"""Makes the printed sheets of a lesson without computers: for teacher, desks and deals.

Each card drawing is defined once per page and reused wherever the card appears.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from durak_widget.duplicate_deals.dealing_plan import SEATS, TURNED
from durak_widget.duplicate_deals.result_table import COLUMNS
from durak_widget.engine.card_svg import FONTS, PAPER, RATIO, CardSheet, n
from durak_widget.engine.table_svg import INDEX_STYLE, LIGHT
from durak_widget.homework.html_page import Page, html_table
from durak_widget.i18n import Fact, Suit, Voice
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.cards import Card
    from durak_widget.duplicate_deals.dealing_plan import Deals, DeskDeal
    from durak_widget.engine.game import Game

_BOX: Final = "☐"
_TEN: Final = range(1, 11)
_SIZES: Final = frozenset({"ranks", "suits", "hand_size"})
"""The options that can differ from the textbook's rules while the ten sentences stay true."""
_ASKED: Final = (
    *("ranks", "hand_size", "trump", "turn_up", "first_attacker", "opening", "spades_by_spades", "transfer", "throw_in_when"),
    *("throw_in_by", "throw_in_after_take", "attack_limit", "draw_order", "out_when", "goal"),
)
"""The options that are explained under any rules; other changes are explained too."""
_TALON_A_ROW, _LONG_SUIT = 14, 9
"""The talon cards in a row, and the longest suit that shares a line of the plan."""
CARD_STYLE: Final = f".{PAPER}{{fill:{LIGHT['paper']}}}{INDEX_STYLE}.over{{font:600 20px {FONTS};fill:var(--soft);text-anchor:middle}}"
_SHEET_STYLE: Final = (
    CARD_STYLE
    + ".plan{display:grid;grid-template-columns:repeat(auto-fit,minmax(66mm,1fr));gap:3mm 5mm;list-style:none;padding:0;margin:3mm 0 5mm;max-width:none}.plan>li{margin:0}"
    ".plan ol{display:flex;list-style:none;padding:0;margin:0}.plan ol li{flex:1 1 0;min-width:7mm;margin:0 -1px 0 0;border:1px solid var(--soft);text-align:center;line-height:1.25}"
    ".plan small{display:block;color:var(--soft);font-size:.7rem;background:var(--field)}.plan b{font-size:1.15rem;line-height:1.5}"
    ".cut{border:0;border-top:1.5px dashed var(--soft);margin:2.4mm 0}"
    ".strip{display:grid;grid-template-columns:minmax(0,1fr) auto;break-inside:avoid;align-items:center;min-height:30mm}.strip>div{padding-right:4mm}.strip p{margin:.1rem 0}"
    ".strip svg{border-left:1.5px dotted var(--soft);padding-left:4mm;box-sizing:content-box}"
    ".strip.long{grid-template-columns:minmax(0,1fr)}.strip.long svg{border:0;padding:0;margin-top:1.5mm}.facts{font-size:1.1rem}.facts b{font-weight:650}"
    ".form{width:100%}.form td,.form th{height:9mm;padding:.1rem .4rem;vertical-align:middle;border:1px solid var(--line);white-space:nowrap}.form td:last-child{width:30%}"
    ".ten li{margin:.4rem 0;padding-left:.2rem}"
    "@media (max-width:600px){.strip{grid-template-columns:minmax(0,1fr);gap:2mm}.strip svg{border:0;padding:0}.form td,.form th{white-space:normal}}"
    "@media print{html,body{font-size:15px}ol,p{max-width:none}.small{font-size:.9rem}.plan{grid-template-columns:1fr 1fr}.plan.long{grid-template-columns:1fr;gap:1.6mm;margin:2mm 0 3mm}.long~.strip{min-height:25mm}}"
)
_WIDE, _BETWEEN, _CAPTION = 100.0, 6.0, 26.0
"""The width of a card, the gap between two, and the height of a caption, in drawing units."""


def printed(deals: Deals) -> Page:
    """Return the page to print: sheets for the teacher, the desk, each deal, and the results."""
    voice = Voice(deals.language)
    cards = Cards(voice)
    title = voice.say("class.desks.title")
    sheets = [_play(deals, voice), *[_deal(deal, deals, cards, voice) for deal in deals], _form(deals, voice)]
    body = _teacher(deals, title, voice) + "".join(f'<section class="sheet">{sheet}</section>' for sheet in sheets)
    return Page(title, cards.defs() + body, language=deals.language, style=_SHEET_STYLE)


def _options(said: str) -> str:
    """Return the HTML with command-line options that are not split over two lines."""
    return re.sub(r"--\w+ \S+?(?=[ ),:]|$)", r'<span style="white-space:nowrap">\g<0></span>', said)


def _teacher(deals: Deals, title: str, voice: Voice) -> str:
    """Return what the teacher does before and during the lesson."""
    last_sheet = len(deals) + 2
    facts = {"desks": deals.desks, "deals": len(deals), "last": last_sheet, "form": last_sheet + 1, "size": len(deals[1].deck)}
    before = "".join(f"<li>{escape(voice.say(f'class.desks.before.{step}', **facts))}</li>" for step in range(1, 5))
    during = "".join(f"<li>{escape(voice.say(f'class.desks.hour.{step}', **facts))}</li>" for step in range(1, 7))
    edition = f" · {escape(deals.edition)}" if deals.edition else ""
    return (
        f'<h1>{escape(title)}</h1><p class="lead">{escape(_rules_name(deals, voice))}{edition} · {escape(voice.say("class.desks.many", **facts))}</p>'
        f"<p>{escape(voice.say('class.desks.why'))}</p>"
        f"<h2>{escape(voice.say('class.desks.before'))}</h2><ol>{before}</ol><h2>{escape(voice.say('class.desks.hour'))}</h2><ol>{during}</ol>"
        f'<p class="note">{_options(escape(voice.say("class.desks.after", csv="--csv results.csv", results="--results results.csv")))}</p>'
    )


def _rules_name(deals: Deals, voice: Voice) -> str:
    """Return the name of the rules, or else their options."""
    return str(deals.rules.explain(voice.language).heading).partition(". ")[0] if deals.rules.name else deals.rules_said


def sentences(deals: Deals) -> list[str]:
    """Return how to play, in ten sentences for the rules of the textbook.

    Under other rules, each rule has its own sentence.

    >>> from durak_widget.duplicate_deals.dealing_plan import Deals
    >>> len(sentences(Deals())), len(sentences(Deals(rules="podkidnoy"))) >= 10
    (10, True)
    """
    voice = Voice(deals.language)
    sentence_of: dict[str, str] = {}
    for _, rows in deals.rules.explain(deals.language).groups[:2]:
        sentence_of |= {name: sentence for name, _, sentence in rows}
    textbook_changes, changes = Rules.preset("econ431").changes(), deals.rules.changes()
    if {name: value for name, value in changes.items() if name not in _SIZES} == {
        name: value for name, value in textbook_changes.items() if name not in _SIZES
    }:
        facts = {
            "size": len(deals[1].deck),
            "hand": len(deals[1].game.hands[0]),
            "ranks": sentence_of["ranks"],
            "limit": sentence_of["attack_limit"],
        }
        return [voice.say(f"class.ten.{number}", **facts) for number in _TEN]
    explained = [sentence_of[name] for name in _ASKED if name in sentence_of]
    others = [sentence for name, sentence in sentence_of.items() if name in changes and name not in _ASKED]
    return [voice.say("class.ten.beat"), *explained, *others]


def _play(deals: Deals, voice: Voice) -> str:
    """Return how to play, and a slip to hand in."""
    ten = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences(deals))
    head = [escape(voice.say(f"class.desks.{name}")) for name in ("deal", "durak", "bouts", "remarks")]
    rows = [[str(deal.number), _choice(voice), "", ""] for deal in deals]
    return (
        f'<h2>{escape(voice.say("class.desks.play"))}</h2><ol class="ten">{ten}</ol>'
        f"<h2>{escape(voice.say('class.desks.slip'))}</h2><p>{escape(voice.say('class.desks.names'))}</p>{html_table(head, rows, kind='form')}"
    )


def _choice(voice: Voice) -> str:
    """Return boxes to tick for the durak."""
    draw = escape(voice.say("class.desks.draw"))
    return "&ensp;".join(f"{_BOX}&nbsp;{name}" for name in (*SEATS, draw))


def _deal(laid: DeskDeal, deals: Deals, cards: Cards, voice: Voice) -> str:
    """Return a deal: how to deal the cards, and the strips to cut off."""
    game, number = laid.game, laid.number
    trump = Fact("screen.trump", {"suit": Suit(game.trump)}) if game.trump else Fact("screen.no_trumps")
    sign = f' <span aria-hidden="true">{_sign(game.trump)}</span>' if game.trump else ""
    facts = (
        f"<b>{escape(voice.say(trump.key, **trump.facts))}</b>{sign} · <b>{escape(voice.say('class.desks.attacks', who=laid.attacks))}</b>"
    )
    steps = [
        voice.say("class.desks.lay.1", size=len(laid.deck)),
        voice.say("class.desks.lay.2"),
        voice.say("class.desks.lay.3", talon=len(laid.talon)),
    ]
    if any(card.is_joker for card in laid.deck):
        steps[0] += " " + voice.say("class.desks.lay.jokers")
    if game.turn_up:
        steps[-1] += " " + voice.say(_where(game))
    steps.append(voice.say("class.desks.lay.4"))
    step_items = "".join(f"<li>{escape(step)}</li>" for step in steps)
    return (
        f"<h2>{escape(voice.say('class.desks.deal.of', number=number, last=len(deals)))}</h2>"
        f'<p class="facts">{facts}</p><h3>{escape(voice.say("class.desks.lay"))}</h3><ol class="small">{step_items}</ol>{_plan(laid, voice)}'
        + "".join(_strip(laid, seat, cards, voice) for seat in (0, 1))
        + _talon(laid, cards, voice)
    )


def _where(game: Game) -> str:
    """Return the message key for the turned-up card."""
    return f"class.desks.lay.{'aside' if game.turn_up not in game.talon else 'top' if game.talon[0] is game.turn_up else 'under'}"


def _sign(suit: str) -> str:
    return {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[suit] + "\ufe0e"


def _plan(laid: DeskDeal, voice: Voice) -> str:
    """Return where each card of the sorted deck goes, without naming a card."""
    destinations, row_length = laid.plan, sum(card.suit == laid.deck[0].suit for card in laid.deck)
    groups = [destinations[start : start + row_length] for start in range(0, len(destinations), row_length)]
    rows_html = ""
    for row, group in enumerate(groups):
        cells = "".join(
            f"<li><small>{row * row_length + number}</small><b>{destination}</b></li>" for number, destination in enumerate(group, 1)
        )
        rows_html += f'<li><ol start="{row * row_length + 1}">{cells}</ol></li>'
    css_class = "plan long" if row_length > _LONG_SUIT else "plan"
    return f'<ol class="{css_class}" aria-label="{escape(voice.say("class.desks.plan"))}">{rows_html}</ol>'


def _strip(laid: DeskDeal, seat: int, cards: Cards, voice: Voice) -> str:
    """Return a hand as a strip, to be cut off, folded, and placed with its name up.

    The other player does not see the cards.
    """
    player = SEATS[seat]
    name = voice.say("class.desks.hand", who=player, number=laid.number)
    hand = sorted(laid.game.hands[seat])
    return (
        f'<hr class="cut"><div class="strip"><div><p><b>{escape(name)}</b></p><p class="soft small">{escape(voice.say("class.desks.fold", who=player))}</p></div>'
        f"{cards.row(hand, width=min(16.0, 96 / len(hand)))}</div>"
    )


def _talon(laid: DeskDeal, cards: Cards, voice: Voice) -> str:
    """Return the talon in drawing order, to check or discuss it after the game."""
    turn_up = [laid.game.turn_up] if laid.game.turn_up else []
    talon_cards = [*laid.talon, *turn_up]
    if not talon_cards:
        return ""
    names = [*map(str, range(1, len(laid.talon) + 1)), *[TURNED] * len(turn_up)]
    row_length, width = (_TALON_A_ROW, 11.6) if len(talon_cards) <= 2 * _TALON_A_ROW else (21, 7.9)
    rows = "".join(
        cards.row(talon_cards[i : i + row_length], width=width, over=names[i : i + row_length])
        for i in range(0, len(talon_cards), row_length)
    )
    name, instruction = voice.say("class.desks.talon", number=laid.number), voice.say("class.desks.talon.fold")
    return f'<hr class="cut"><div class="strip long"><p><b>{escape(name)}</b> <span class="soft small">{escape(instruction)}</span></p>{rows}</div><hr class="cut">'


def _form(deals: Deals, voice: Voice) -> str:
    """Return the form that the teacher fills in with a pencil."""
    head = [
        escape(voice.say("class.desks.desk")),
        *[escape(voice.say("class.desks.deal.n", number=deal.number)) for deal in deals],
        escape(voice.say("class.desks.remarks")),
    ]
    ticks = "&ensp;".join(f"{_BOX}{name}" for name in SEATS)
    rows = [[str(desk), *[ticks] * len(deals), ""] for desk in range(1, deals.desks + 1)]
    return (
        f"<h2>{escape(voice.say('class.desks.form'))}</h2><p>{escape(voice.say('class.desks.form.how'))}</p>{html_table(head, rows, kind='form')}"
        f'<p class="note">{escape(voice.say("class.desks.form.csv", head=",".join(COLUMNS[:3])))}</p>'
    )


class Cards:
    """The card drawings of one page."""

    def __init__(self, voice: Voice) -> None:
        self._sheet, self._voice = CardSheet("d", trump=None), voice

    def row(self, cards: Sequence[Card], *, width: float, over: Sequence[str] = ()) -> str:
        """Return cards side by side, with a width in millimetres and optional captions."""
        top = _CAPTION if over else 0.0
        step = _WIDE + _BETWEEN
        faces = "".join(self._sheet.face(card, 1 + step * position, top + 1, _WIDE) for position, card in enumerate(cards))
        caption_texts = "".join(
            f'<text class="over" x="{n(1 + step * position + _WIDE / 2)}" y="18">{escape(caption)}</text>'
            for position, caption in enumerate(over)
        )
        total_width, total_height = step * len(cards) - _BETWEEN + 3, _WIDE * RATIO + top + 4
        description = escape(", ".join(map(self._voice.name, cards)))
        return f'<svg class="cards" role="img" aria-label="{description}" viewBox="0 0 {n(total_width)} {n(total_height)}" style="width:{n(width * total_width / _WIDE)}mm">{caption_texts}{faces}</svg>'

    def defs(self) -> str:
        """Return the definitions of the drawings, to be placed once on the page after all rows."""
        return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{self._sheet.defs()}</svg>'
