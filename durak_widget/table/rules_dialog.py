"""The dialog for rules and players: explains the current rules and offers other rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.bots.bot import OPPONENT_BOTS, PERSON_NAME, get
from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.errors import DurakError, RulesError, as_whole_number, short_repr
from durak_widget.i18n import Translator
from durak_widget.rules import rules_form
from durak_widget.rules.ruleset import Rules, find_nearest_preset, format_rules_title
from durak_widget.table.intents import IntentError
from durak_widget.table.players import Players
from durak_widget.widgets import opponent_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.table.intents import Intent
    from durak_widget.table.players import Player
    from durak_widget.table.session import Session

_DEFAULT_BOT: Final = "careful"
_MAX_SEED_DIGITS: Final = 18


class RulesDraft(NamedTuple):
    """A draft of other rules and players, which the user may choose to play with."""

    preset: str
    """The preset of rules that the draft started from."""
    options: dict[str, Any]
    """All options of the drafted rules, even if they can't be combined."""
    rules_or_refusal: Rules | str
    """The rules that result from the options, or a text that says why the options can't be combined."""
    seats: list[str]
    """The name of each seat's player: `you` for a person, or the name of a bot."""
    seed: str
    """The number that deals the same cards again; empty for a random deal."""
    number: int = 0
    """The number by which the page identifies the draft."""


def parse_rules_dialog_option(door: bool | str | Iterable[str]) -> bool | list[str]:  # noqa: FBT001 - as `Table` takes it
    """Return True if the rules are shown at the start, False if not, or the presets to offer.

    >>> parse_rules_dialog_option("siege"), parse_rules_dialog_option(True), parse_rules_dialog_option(())
    (['siege'], True, False)
    """
    if isinstance(door, bool):
        return door
    try:
        names = [door] if isinstance(door, str) else list(door)
    except TypeError:
        msg = f'door={short_repr(door)}: say True, to have the rules lie open, or the presets to offer, such as ("albanian", "siege")'
        raise DurakError(msg) from None
    return [rules_form.require_preset(name) for name in names] or False


def parse_draft(session: Session, draft: Mapping[str, object]) -> RulesDraft:
    """Return the draft that the page describes; without a description, use the current rules."""
    current_rules = session.match.rules
    seed, seats = draft.get("seed", ""), draft.get("seats", [])
    if not isinstance(seed, str) or not (seed == "" or (seed.isascii() and seed.isdigit() and len(seed) <= _MAX_SEED_DIGITS)):
        raise IntentError(f"a seed is a whole number of at most {_MAX_SEED_DIGITS} digits, not {short_repr(seed)}")
    if not isinstance(seats, list) or not all(isinstance(player, str) for player in seats):
        raise IntentError(f"seats is a list of who plays each seat, not {short_repr(seats)}")
    number = as_whole_number(draft.get("nr", 0))
    if number is None:
        raise IntentError(f"nr is a whole number, not {short_repr(draft['nr'])}")
    raw_options = draft.get("options", None if "preset" in draft else current_rules.changes())
    try:
        preset = rules_form.require_preset(draft.get("preset", find_nearest_preset(current_rules)))
        options = (
            rules_form.get_preset_options(preset, draft.get("players", 2))
            if raw_options is None
            else rules_form.require_options(raw_options)
        )
    except RulesError as error:
        raise IntentError(str(error)) from None
    try:
        rules: Rules | str = Rules(**options)
    except RulesError as error:
        rules = (
            Translator(session.appearance.language).translate(f"rules.refused.{error.code}", **error.facts) if error.code else str(error)
        )
    return RulesDraft(preset, options, rules, _choose_players(session, seats, options["players"]), seed, number)


def _choose_players(session: Session, seats: list[str], count: int) -> list[str]:
    """Return the player of each seat: the chosen one, else the current one or a careful bot.

    If that leaves no person, it is you and careful bots.
    """
    candidates = seats or list(session.players.next_names)
    players = (candidates + [_DEFAULT_BOT] * count)[:count]
    return [PERSON_NAME, *[_DEFAULT_BOT] * (count - 1)] if PERSON_NAME in candidates and PERSON_NAME not in players else players


def deal_draft(session: Session, draft: RulesDraft) -> tuple[Match, Players]:
    """Return the match and players of a draft; a player who keeps a seat stays the same."""
    names, get_next_bot = session.players.next_names, session.players.get_next_bot
    seated: dict[int, Player] = {
        seat: (None if player == PERSON_NAME else get_next_bot(seat) if names[seat : seat + 1] == (player,) else get(player))
        for seat, player in enumerate(draft.seats)
    }
    seed = int(draft.seed) if draft.seed else session.deal_rng.getrandbits(32)
    rules = Rules(**draft.options)
    return Match.from_game(Game(rules, seed=seed), seed=seed), Players(len(seated), seated)


def build_rules_message(session: Session, draft: RulesDraft) -> dict[str, Any]:
    """Return a message with the rules in words and, unless a task is set, the rules form."""
    rules, language = session.match.rules, session.appearance.language
    explanation, default_heading = rules.explain(language), Translator(language).translate("rules.all")  # No heading for the basic game
    message: dict[str, Any] = {
        "kind": "door",
        "nr": draft.number,
        "language": language,
        "title": format_rules_title(rules, language),
        "line": Rules.presets(language)[rules.name] if rules.name else "",
        "told": [[heading.rstrip(":") or default_heading, [text for _, _, text in rows]] for heading, rows in explanation.groups if rows],
        "plain": not rules.changes(),
    }
    return message if session.task is not None else {**message, "form": _build_form(session, draft, language)}


def _build_form(session: Session, draft: RulesDraft, language: str) -> dict[str, Any]:
    lines, titles = Rules.presets(language), dict(rules_form.list_presets(language))
    preset_options = rules_form.get_preset_options(draft.preset, draft.options["players"])
    offers = session.appearance.door if isinstance(session.appearance.door, list) else []
    form: dict[str, Any] = {
        "preset": draft.preset,
        "presets": rules_form.list_presets(language),
        "line": lines[draft.preset],
        "offers": [[name, titles[name], lines[name]] for name in offers],
        "groups": [
            {
                "name": group,
                "heading": Translator(language).translate(f"rules.group.{group}"),
                "rare": group in rules_form.RARE_GROUPS,
                "changed": any(draft.options[name] != preset_options[name] for name in names),
                "fields": [_field_to_dict(rules_form.build_field(name, draft.options[name], language)) for name in names],
            }
            for group, names in rules_form.OPTION_NAMES_BY_GROUP.items()
        ],
        "options": draft.options,
        "seats": draft.seats,
        "seed": draft.seed,
        "unlike": rules_form.describe_changes(draft.options, draft.preset, language),
    }
    if isinstance(draft.rules_or_refusal, str):
        form["refused"] = draft.rules_or_refusal
    return form


def _field_to_dict(field: rules_form.FormField) -> dict[str, Any]:
    return {**field._asdict(), "offers": [list(offer) for offer in field.offers]}


def start_match_against(session: Session, opponent: str) -> None:
    """Seat another named opponent in place of the current one, and begin a new match."""
    if session.task is not None or not session.players.named_opponents or opponent not in OPPONENT_BOTS:
        return session.refresh()
    session.leave_retry()
    session.players.choose_next(session.players.named_opponents[0][0], opponent)
    session.match = Match(session.match.rules, seed=session.deal_rng.getrandbits(32))
    return session.start_game()


def send_opponents(session: Session, _: Intent) -> None:
    """Send the page which opponents the user has beaten and which opponent is next."""
    record = opponent_record.load_opponent_record()
    session.send(
        {"kind": "people", "beaten": list(record.beaten_opponents) if record else [], "next": record.next_opponent if record else None}
    )
