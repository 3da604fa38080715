"""The dialog for rules and players: it shows the rules in words and offers others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.bots.bot import PEOPLE, YOU, get
from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.errors import DurakError, RulesError, quoted, whole_number
from durak_widget.i18n import Voice
from durak_widget.rules import rules_form
from durak_widget.rules.ruleset import Rules, nearest_preset, rules_title
from durak_widget.table.intents import IntentError
from durak_widget.table.players import Players
from durak_widget.widgets import opponent_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.table.intents import Intent
    from durak_widget.table.players import Player
    from durak_widget.table.session import Session

_CAREFUL: Final = "careful"
_DIGITS: Final = 18


class Draft(NamedTuple):
    """The rules and players that the user may choose instead."""

    preset: str
    """The preset that it started from."""
    options: dict[str, Any]
    """All options, whether or not they can be combined."""
    rules: Rules | str
    """The rules that the options make, or why they cannot be combined."""
    seats: list[str]
    """The player of each seat: `you`, or the name of a bot."""
    seed: str
    """A number that deals the same cards again; empty for any deal."""
    number: int = 0
    """The number of this draft on the page."""


def checked_door(door: bool | str | Iterable[str]) -> bool | list[str]:  # noqa: FBT001 - as `Table` takes it
    """Return whether the rules are open from the start, or the presets that are offered first.

    >>> checked_door("siege"), checked_door(True), checked_door(())
    (['siege'], True, False)
    """
    if isinstance(door, bool):
        return door
    try:
        names = [door] if isinstance(door, str) else list(door)
    except TypeError:
        msg = f'door={quoted(door)}: say True, to have the rules lie open, or the presets to offer, such as ("albanian", "siege")'
        raise DurakError(msg) from None
    return [rules_form.checked_preset(name) for name in names] or False


def drafted(session: Session, draft: Mapping[str, object]) -> Draft:
    """Return the draft that the page describes; without a description, the current rules."""
    current_rules = session.match.rules
    seed, seats = draft.get("seed", ""), draft.get("seats", [])
    if not isinstance(seed, str) or not (seed == "" or (seed.isascii() and seed.isdigit() and len(seed) <= _DIGITS)):
        raise IntentError(f"a seed is a whole number of at most {_DIGITS} digits, not {quoted(seed)}")
    if not isinstance(seats, list) or not all(isinstance(player, str) for player in seats):
        raise IntentError(f"seats is a list of who plays each seat, not {quoted(seats)}")
    number = whole_number(draft.get("nr", 0))
    if number is None:
        raise IntentError(f"nr is a whole number, not {quoted(draft['nr'])}")
    raw_options = draft.get("options", None if "preset" in draft else current_rules.changes())
    try:
        preset = rules_form.checked_preset(draft.get("preset", nearest_preset(current_rules)))
        options = rules_form.options_of(preset, draft.get("players", 2)) if raw_options is None else rules_form.checked_options(raw_options)
    except RulesError as error:
        raise IntentError(str(error)) from None
    try:
        rules: Rules | str = Rules(**options)
    except RulesError as error:
        rules = Voice(session.look.language).say(f"rules.refused.{error.code}", **error.facts) if error.code else str(error)
    return Draft(preset, options, rules, _seated(session, seats, options["players"]), seed, number)


def _seated(session: Session, seats: list[str], count: int) -> list[str]:
    """Return the player of each seat: the chosen one, the current one or a careful bot.

    If that leaves no person, it is you and careful bots.
    """
    candidates = seats or list(session.players.next_names)
    players = (candidates + [_CAREFUL] * count)[:count]
    return [YOU, *[_CAREFUL] * (count - 1)] if YOU in candidates and YOU not in players else players


def dealt(session: Session, draft: Draft) -> tuple[Match, Players]:
    """Return the match and the players of a draft; a player who keeps a seat stays the same."""
    names, get_next_bot = session.players.next_names, session.players.next_bot
    seated: dict[int, Player] = {
        seat: (None if player == YOU else get_next_bot(seat) if names[seat : seat + 1] == (player,) else get(player))
        for seat, player in enumerate(draft.seats)
    }
    seed = int(draft.seed) if draft.seed else session.random.getrandbits(32)
    rules = Rules(**draft.options)
    return Match.of(Game(rules, seed=seed), seed=seed), Players(len(seated), seated)


def sheet(session: Session, draft: Draft) -> dict[str, Any]:
    """Return the message with the rules in words and, where no task is set, the form."""
    rules, language = session.match.rules, session.look.language
    explanation, default_heading = rules.explain(language), Voice(language).say("rules.all")  # the plain game has no heading
    message: dict[str, Any] = {
        "kind": "door",
        "nr": draft.number,
        "language": language,
        "title": rules_title(rules, language),
        "line": Rules.presets(language)[rules.name] if rules.name else "",
        "told": [[heading.rstrip(":") or default_heading, [text for _, _, text in rows]] for heading, rows in explanation.groups if rows],
        "plain": not rules.changes(),
    }
    return message if session.setter is not None else {**message, "form": _form(session, draft, language)}


def _form(session: Session, draft: Draft, language: str) -> dict[str, Any]:
    lines, titles = Rules.presets(language), dict(rules_form.presets(language))
    preset_options = rules_form.options_of(draft.preset, draft.options["players"])
    offers = session.look.door if isinstance(session.look.door, list) else []
    form: dict[str, Any] = {
        "preset": draft.preset,
        "presets": rules_form.presets(language),
        "line": lines[draft.preset],
        "offers": [[name, titles[name], lines[name]] for name in offers],
        "groups": [
            {
                "name": group,
                "heading": Voice(language).say(f"rules.group.{group}"),
                "rare": group in rules_form.RARE,
                "changed": any(draft.options[name] != preset_options[name] for name in names),
                "fields": [_field(rules_form.field_of(name, draft.options[name], language)) for name in names],
            }
            for group, names in rules_form.GROUPS.items()
        ],
        "options": draft.options,
        "seats": draft.seats,
        "seed": draft.seed,
        "unlike": rules_form.told(draft.options, draft.preset, language),
    }
    if isinstance(draft.rules, str):
        form["refused"] = draft.rules
    return form


def _field(field: rules_form.Field) -> dict[str, Any]:
    return {**field._asdict(), "offers": [list(offer) for offer in field.offers]}


def meet(session: Session, who: str) -> None:
    """Seat another opponent in the place of the current one and begin a new match."""
    if session.setter is not None or not session.players.called or who not in PEOPLE:
        return session.refresh()
    session.go_on()
    session.players.choose(session.players.called[0][0], who)
    session.match = Match(session.match.rules, seed=session.random.getrandbits(32))
    return session.begin()


def tell_rivals(session: Session, _: Intent) -> None:
    """Send which opponents are beaten and which one is next; any may be chosen."""
    record = opponent_record.rivals_here()
    session.send({"kind": "people", "beaten": list(record.beaten) if record else [], "next": record.next if record else None})
