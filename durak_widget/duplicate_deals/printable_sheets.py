"""Renders pages to print for a lesson about Durak without computers.

Each card drawing is defined once per page and reused wherever the card appears.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from durak_widget.duplicate_deals.dealing_plan import SEAT_LETTERS, TURN_UP_SIGN
from durak_widget.duplicate_deals.result_table import COLUMNS
from durak_widget.engine.card_svg import CARD_RATIO, FONT_FAMILY, PAPER_CLASS, CardSheet, format_number
from durak_widget.engine.table_svg import INDEX_STYLE, LIGHT_COLORS
from durak_widget.homework.html_page import Page, render_table
from durak_widget.i18n import Suit, TranslatableText, Translator
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.cards import Card
    from durak_widget.duplicate_deals.dealing_plan import DuplicateDeal, DuplicateDeals
    from durak_widget.engine.game import Game

_CHECKBOX: Final = "☐"
_SENTENCE_NUMBERS: Final = range(1, 11)
_SIZE_OPTIONS: Final = frozenset({"ranks", "suits", "hand_size"})
"""The rule options with which the textbook's ten sentences on the rules stay true, whatever the option's value."""
_EXPLAINED_OPTIONS: Final = (
    *("ranks", "hand_size", "trump", "turn_up", "first_attacker", "opening", "spades_by_spades", "transfer", "throw_in_when"),
    *("throw_in_by", "throw_in_after_take", "attack_limit", "draw_order", "out_when", "goal"),
)
"""The rule options that the page always explains; it explains any other option only if the value is unusual."""
_TALON_ROW_LENGTH, _MAX_SHORT_SUIT_LENGTH = 14, 9
"""The number of talon cards in a printed row, and the maximum number of cards in a suit, if two suits share a line
of the dealing plan."""
CARD_CSS: Final = (
    f".{PAPER_CLASS}{{fill:{LIGHT_COLORS['paper']}}}{INDEX_STYLE}.over{{font:600 20px {FONT_FAMILY};fill:var(--soft);text-anchor:middle}}"
)
_SHEET_CSS: Final = (
    CARD_CSS
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
_CARD_WIDTH, _CARD_GAP, _CAPTION_HEIGHT = 100.0, 6.0, 26.0
"""The width of a card, the gap between two cards, and the height of a caption, in SVG units."""


def build_sheets_page(deals: DuplicateDeals) -> Page:
    """Build a document to print: a page for the teacher, the rules, all deals and a form."""
    voice = Translator(deals.language)
    cards = CardDrawings(voice)
    title = voice.translate("class.desks.title")
    sheets = [
        _render_rules_sheet(deals, voice),
        *[_render_deal_sheet(deal, deals, cards, voice) for deal in deals],
        _render_result_form(deals, voice),
    ]
    body = _render_teacher_sheet(deals, title, voice) + "".join(f'<section class="sheet">{sheet}</section>' for sheet in sheets)
    return Page(title, cards.render_definitions() + body, language=deals.language, style=_SHEET_CSS)


def _keep_options_on_one_line(text: str) -> str:
    """Mark command-line options in a text, so that no line ends inside an option."""
    return re.sub(r"--\w+ \S+?(?=[ ),:]|$)", r'<span style="white-space:nowrap">\g<0></span>', text)


def _render_teacher_sheet(deals: DuplicateDeals, title: str, voice: Translator) -> str:
    """Render a page that tells the teacher what to do before and during the lesson."""
    last_sheet = len(deals) + 2
    facts = {
        "desks": deals.desks,
        "count": deals.desks,
        "deals": len(deals),
        "last": last_sheet,
        "form": last_sheet + 1,
        "size": len(deals[1].deck),
    }
    before = "".join(f"<li>{escape(voice.translate(f'class.desks.before.{step}', **facts))}</li>" for step in range(1, 5))
    during = "".join(f"<li>{escape(voice.translate(f'class.desks.hour.{step}', **facts))}</li>" for step in range(1, 7))
    edition = f" · {escape(deals.edition)}" if deals.edition else ""
    return (
        f'<h1>{escape(title)}</h1><p class="lead">{escape(_format_rules_name(deals, voice))}{edition} · {escape(voice.translate("class.desks.many", **facts))}</p>'
        f"<p>{escape(voice.translate('class.desks.why'))}</p>"
        f"<h2>{escape(voice.translate('class.desks.before'))}</h2><ol>{before}</ol><h2>{escape(voice.translate('class.desks.hour'))}</h2><ol>{during}</ol>"
        f'<p class="note">{_keep_options_on_one_line(escape(voice.translate("class.desks.after", csv="--csv results.csv", results="--results results.csv")))}</p>'
    )


def _format_rules_name(deals: DuplicateDeals, voice: Translator) -> str:
    """Return the name of the deals' rules; for rules without a name, list their options."""
    return str(deals.rules.explain(voice.language).heading).partition(". ")[0] if deals.rules.name else deals.rules_text


def list_rule_sentences(deals: DuplicateDeals) -> list[str]:
    """Return the rules by which `deals` are played, as a list of sentences.

    The textbook's rules give ten sentences. Under other rules, each rule has its own sentence.

    >>> from durak_widget.duplicate_deals.dealing_plan import DuplicateDeals
    >>> len(list_rule_sentences(DuplicateDeals())), len(list_rule_sentences(DuplicateDeals(rules="podkidnoy"))) >= 10
    (10, True)
    """
    voice = Translator(deals.language)
    sentence_of: dict[str, str] = {}
    for _, rows in deals.rules.explain(deals.language).groups[:2]:
        sentence_of |= {name: sentence for name, _, sentence in rows}
    textbook_changes, changes = Rules.preset("econ431").changes(), deals.rules.changes()
    if {name: value for name, value in changes.items() if name not in _SIZE_OPTIONS} == {
        name: value for name, value in textbook_changes.items() if name not in _SIZE_OPTIONS
    }:
        facts = {
            "size": len(deals[1].deck),
            "hand": len(deals[1].game.hands[0]),
            "ranks": sentence_of["ranks"],
            "limit": sentence_of["attack_limit"],
        }
        return [voice.translate(f"class.ten.{number}", **facts) for number in _SENTENCE_NUMBERS]
    explained = [sentence_of[name] for name in _EXPLAINED_OPTIONS if name in sentence_of]
    other_sentences = [sentence for name, sentence in sentence_of.items() if name in changes and name not in _EXPLAINED_OPTIONS]
    return [voice.translate("class.ten.beat"), *explained, *other_sentences]


def _render_rules_sheet(deals: DuplicateDeals, voice: Translator) -> str:
    """Render a page with the rules, and with a table in which a desk writes its results."""
    ten = "".join(f"<li>{escape(sentence)}</li>" for sentence in list_rule_sentences(deals))
    head = [escape(voice.translate(f"class.desks.{name}")) for name in ("deal", "durak", "bouts", "remarks")]
    rows = [[str(deal.number), _render_durak_choice(voice), "", ""] for deal in deals]
    return (
        f'<h2>{escape(voice.translate("class.desks.play"))}</h2><ol class="ten">{ten}</ol>'
        f"<h2>{escape(voice.translate('class.desks.slip'))}</h2><p>{escape(voice.translate('class.desks.names'))}</p>{render_table(head, rows, css_class='form')}"
    )


def _render_durak_choice(voice: Translator) -> str:
    """Render three boxes to tick, for who is the fool: player A, player B or (tie) nobody."""
    draw = escape(voice.translate("class.desks.draw"))
    return "&ensp;".join(f"{_CHECKBOX}&nbsp;{name}" for name in (*SEAT_LETTERS, draw))


def _render_deal_sheet(deal: DuplicateDeal, deals: DuplicateDeals, cards: CardDrawings, voice: Translator) -> str:
    """Render one deal's page: how to deal it, and paper strips with the cards to cut out."""
    game, number = deal.game, deal.number
    trump = TranslatableText("screen.trump", {"suit": Suit(game.trump)}) if game.trump else TranslatableText("screen.no_trumps")
    sign = f' <span aria-hidden="true">{_format_suit(game.trump)}</span>' if game.trump else ""
    facts = f"<b>{escape(voice.translate(trump.key, **trump.facts))}</b>{sign} · <b>{escape(voice.translate('class.desks.attacks', who=deal.first_attacker))}</b>"
    steps = [
        voice.translate("class.desks.lay.1", size=len(deal.deck)),
        voice.translate("class.desks.lay.2"),
        voice.translate("class.desks.lay.3", talon=len(deal.talon)),
    ]
    if any(card.is_joker for card in deal.deck):
        steps[0] += " " + voice.translate("class.desks.lay.jokers")
    if game.turn_up:
        steps[-1] += " " + voice.translate(_turn_up_message_key(game))
    steps.append(voice.translate("class.desks.lay.4"))
    step_items = "".join(f"<li>{escape(step)}</li>" for step in steps)
    return (
        f"<h2>{escape(voice.translate('class.desks.deal.of', number=number, last=len(deals)))}</h2>"
        f'<p class="facts">{facts}</p><h3>{escape(voice.translate("class.desks.lay"))}</h3><ol class="small">{step_items}</ol>{_render_dealing_plan(deal, voice)}'
        + "".join(_render_hand_strip(deal, seat, cards, voice) for seat in (0, 1))
        + _render_talon_strip(deal, cards, voice)
    )


def _turn_up_message_key(game: Game) -> str:
    """Return the key of the text that says where to put the turned-up card."""
    return f"class.desks.lay.{'aside' if game.turn_up not in game.talon else 'top' if game.talon[0] is game.turn_up else 'under'}"


def _format_suit(suit: str) -> str:
    return {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[suit] + "\ufe0e"


def _render_dealing_plan(deal: DuplicateDeal, voice: Translator) -> str:
    """Render a plan that says where to put each card of a sorted deck, without naming cards."""
    destinations, row_length = deal.card_destinations, sum(card.suit == deal.deck[0].suit for card in deal.deck)
    groups = [destinations[start : start + row_length] for start in range(0, len(destinations), row_length)]
    rows_html = ""
    for row, group in enumerate(groups):
        cells = "".join(
            f"<li><small>{row * row_length + number}</small><b>{destination}</b></li>" for number, destination in enumerate(group, 1)
        )
        rows_html += f'<li><ol start="{row * row_length + 1}">{cells}</ol></li>'
    css_class = "plan long" if row_length > _MAX_SHORT_SUIT_LENGTH else "plan"
    return f'<ol class="{css_class}" aria-label="{escape(voice.translate("class.desks.plan"))}">{rows_html}</ol>'


def _render_hand_strip(deal: DuplicateDeal, seat: int, cards: CardDrawings, voice: Translator) -> str:
    """Render a player's hand as a paper strip to cut out and fold.

    The other player does not see the cards.
    """
    player = SEAT_LETTERS[seat]
    name = voice.translate("class.desks.hand", who=player, number=deal.number)
    hand = sorted(deal.game.hands[seat])
    return (
        f'<hr class="cut"><div class="strip"><div><p><b>{escape(name)}</b></p><p class="soft small">{escape(voice.translate("class.desks.fold", who=player))}</p></div>'
        f"{cards.render_row(hand, width=min(16.0, 96 / len(hand)))}</div>"
    )


def _render_talon_strip(deal: DuplicateDeal, cards: CardDrawings, voice: Translator) -> str:
    """Render the talon in drawing order, for a look after the game."""
    turn_up = [deal.game.turn_up] if deal.game.turn_up else []
    talon_cards = [*deal.talon, *turn_up]
    if not talon_cards:
        return ""
    names = [*map(str, range(1, len(deal.talon) + 1)), *[TURN_UP_SIGN] * len(turn_up)]
    row_length, width = (_TALON_ROW_LENGTH, 11.6) if len(talon_cards) <= 2 * _TALON_ROW_LENGTH else (21, 7.9)
    rows = "".join(
        cards.render_row(talon_cards[i : i + row_length], width=width, captions=names[i : i + row_length])
        for i in range(0, len(talon_cards), row_length)
    )
    name, instruction = voice.translate("class.desks.talon", number=deal.number), voice.translate("class.desks.talon.fold")
    return f'<hr class="cut"><div class="strip long"><p><b>{escape(name)}</b> <span class="soft small">{escape(instruction)}</span></p>{rows}</div><hr class="cut">'


def _render_result_form(deals: DuplicateDeals, voice: Translator) -> str:
    """Render a form in which the teacher writes the results of all desks."""
    head = [
        escape(voice.translate("class.desks.desk")),
        *[escape(voice.translate("class.desks.deal.n", number=deal.number)) for deal in deals],
        escape(voice.translate("class.desks.remarks")),
    ]
    ticks = "&ensp;".join(f"{_CHECKBOX}{name}" for name in SEAT_LETTERS)
    rows = [[str(desk), *[ticks] * len(deals), ""] for desk in range(1, deals.desks + 1)]
    return (
        f"<h2>{escape(voice.translate('class.desks.form'))}</h2><p>{escape(voice.translate('class.desks.form.how'))}</p>{render_table(head, rows, css_class='form')}"
        f'<p class="note">{escape(voice.translate("class.desks.form.csv", head=",".join(COLUMNS[:3])))}</p>'
    )


class CardDrawings:
    """Draws cards on a page; of each card, all drawings after the first are only references."""

    def __init__(self, voice: Translator) -> None:
        self._card_sheet, self._voice = CardSheet("d", trump=None, letters=voice.letters), voice

    def render_row(self, cards: Sequence[Card], *, width: float, captions: Sequence[str] = ()) -> str:
        """Render cards side by side, each `width` millimetres wide, with optional captions."""
        top = _CAPTION_HEIGHT if captions else 0.0
        step = _CARD_WIDTH + _CARD_GAP
        faces = "".join(self._card_sheet.draw_face(card, 1 + step * position, top + 1, _CARD_WIDTH) for position, card in enumerate(cards))
        caption_texts = "".join(
            f'<text class="over" x="{format_number(1 + step * position + _CARD_WIDTH / 2)}" y="18">{escape(caption)}</text>'
            for position, caption in enumerate(captions)
        )
        total_width, total_height = step * len(cards) - _CARD_GAP + 3, _CARD_WIDTH * CARD_RATIO + top + 4
        description = escape(", ".join(map(self._voice.name_card, cards)))
        return f'<svg class="cards" role="img" aria-label="{description}" viewBox="0 0 {format_number(total_width)} {format_number(total_height)}" style="width:{format_number(width * total_width / _CARD_WIDTH)}mm">{caption_texts}{faces}</svg>'

    def render_definitions(self) -> str:
        """Return the drawings that all rows of cards refer to; call this after the last row."""
        return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{self._card_sheet.render_definitions()}</svg>'
