"""The rules at the table, and who plays: told in words, and chosen anew by whoever sits there."""

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
    """What shall perhaps be played instead."""

    preset: str
    """From which it was begun."""
    options: dict[str, Any]
    """All of them, whether or not they can be mixed."""
    rules: Rules | str
    """What they make, or why they cannot be mixed."""
    seats: list[str]
    """Who shall sit where: `you`, or the name of a bot."""
    seed: str
    """A number that deals the same cards again; empty for any."""
    number: int = 0
    """Which of its drafts this is for the page."""


def checked_door(door: bool | str | Iterable[str]) -> bool | list[str]:  # noqa: FBT001 - as `Table` takes it
    """Whether the rules lie open from the start, or the presets that are offered first.

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
    """What the page says, read strictly; without anything, what is played now."""
    played = session.match.rules
    seed, seats = draft.get("seed", ""), draft.get("seats", [])
    if not isinstance(seed, str) or not (seed == "" or (seed.isascii() and seed.isdigit() and len(seed) <= _DIGITS)):
        raise IntentError(f"a seed is a whole number of at most {_DIGITS} digits, not {quoted(seed)}")
    if not isinstance(seats, list) or not all(isinstance(who, str) for who in seats):
        raise IntentError(f"seats is a list of who plays each seat, not {quoted(seats)}")
    number = whole_number(draft.get("nr", 0))
    if number is None:
        raise IntentError(f"nr is a whole number, not {quoted(draft['nr'])}")
    given = draft.get("options", None if "preset" in draft else played.changes())
    try:
        preset = rules_form.checked_preset(draft.get("preset", nearest_preset(played)))
        options = rules_form.options_of(preset, draft.get("players", 2)) if given is None else rules_form.checked_options(given)
    except RulesError as error:
        raise IntentError(str(error)) from None
    try:
        rules: Rules | str = Rules(**options)
    except RulesError as error:
        rules = Voice(session.look.language).say(f"rules.refused.{error.code}", **error.facts) if error.code else str(error)
    return Draft(preset, options, rules, _seated(session, seats, options["players"]), seed, number)


def _seated(session: Session, seats: list[str], count: int) -> list[str]:
    """Who shall sit where: those who were chosen, as far as there are seats, else those who sit there, else careful bots; where that leaves no person, you and careful bots."""
    before = seats or list(session.players.next_names)
    found = (before + [_CAREFUL] * count)[:count]
    return [YOU, *[_CAREFUL] * (count - 1)] if YOU in before and YOU not in found else found


def dealt(session: Session, draft: Draft) -> tuple[Match, Players]:
    """The match that it makes, and who plays it; whoever keeps a seat is the same player."""
    names, kept = session.players.next_names, session.players.next_bot
    seated: dict[int, Player] = {
        seat: (None if who == YOU else kept(seat) if names[seat : seat + 1] == (who,) else get(who)) for seat, who in enumerate(draft.seats)
    }
    seed = int(draft.seed) if draft.seed else session.random.getrandbits(32)
    rules = Rules(**draft.options)
    return Match.of(Game(rules, seed=seed), seed=seed), Players(len(seated), seated)


def sheet(session: Session, draft: Draft) -> dict[str, Any]:
    """What the page shows: the rules in words, and, where no task is set, the form."""
    rules, language = session.match.rules, session.look.language
    told, whole = rules.explain(language), Voice(language).say("rules.all")  # the plain game is unlike nothing
    found: dict[str, Any] = {
        "kind": "door",
        "nr": draft.number,
        "language": language,
        "title": rules_title(rules, language),
        "line": Rules.presets(language)[rules.name] if rules.name else "",
        "told": [[heading.rstrip(":") or whole, [said for _, _, said in rows]] for heading, rows in told.groups if rows],
        "plain": not rules.changes(),
    }
    return found if session.setter is not None else {**found, "form": _form(session, draft, language)}


def _form(session: Session, draft: Draft, language: str) -> dict[str, Any]:
    lines, titles = Rules.presets(language), dict(rules_form.presets(language))
    theirs = rules_form.options_of(draft.preset, draft.options["players"])
    offers = session.look.door if isinstance(session.look.door, list) else []
    found: dict[str, Any] = {
        "preset": draft.preset,
        "presets": rules_form.presets(language),
        "line": lines[draft.preset],
        "offers": [[name, titles[name], lines[name]] for name in offers],
        "groups": [
            {
                "name": group,
                "heading": Voice(language).say(f"rules.group.{group}"),
                "rare": group in rules_form.RARE,
                "changed": any(draft.options[name] != theirs[name] for name in names),
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
        found["refused"] = draft.rules
    return found


def _field(field: rules_form.Field) -> dict[str, Any]:
    return {**field._asdict(), "offers": [list(one) for one in field.offers]}


def meet(session: Session, who: str) -> None:
    """Another opponent sits down in the place of the one that was played, and a new match begins."""
    if session.setter is not None or not session.players.called or who not in PEOPLE:
        return session.refresh()
    session.go_on()
    session.players.choose(session.players.called[0][0], who)
    session.match = Match(session.match.rules, seed=session.random.getrandbits(32))
    return session.begin()


def tell_rivals(session: Session, _: Intent) -> None:
    """Who of the opponents has been beaten, and whom one has come to; whoever they are, anybody may be chosen."""
    known = opponent_record.rivals_here()
    session.send({"kind": "people", "beaten": list(known.beaten) if known else [], "next": known.next if known else None})
