"""Builds the rules dialog, in which the user reads a table's rules and chooses other ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.bots.bot import OPPONENT_BOTS, PERSON_NAME, get
from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.errors import DurakError, RulesError, as_whole_number, short_repr
from durak_widget.i18n import Translator
from durak_widget.rules import rules_form
from durak_widget.rules.rules_summary import summarize_rules
from durak_widget.rules.ruleset import Rules, find_nearest_preset, format_rules_title
from durak_widget.table.intents import IntentError
from durak_widget.table.players import DEFAULT_BOT_NAME, Players, add_players
from durak_widget.widgets import opponent_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.table.intents import Intent
    from durak_widget.table.players import Player
    from durak_widget.table.session import Session

_MAX_SEED_DIGITS: Final = 18
_COMMON_PRESETS: Final = ("podkidnoy", "perevodnoy")
"""The presets that the dialog offers above the rules, unless the table offers others."""


class RulesDraft(NamedTuple):
    """The rules, players and seed that the user is choosing in the rules dialog."""

    preset: str
    """The name of the preset (a named set of rules) from which the user started."""
    options: dict[str, Any]
    """The value of every rule option, even if the options conflict."""
    rules_or_refusal: Rules | str
    """The rules with these options, or a text that says why the options conflict."""
    seats: list[str]
    """The name of each seat's player: `you` for a person, or the name of a bot."""
    seed: str
    """The seed of the deal, as digits; empty for a random deal."""
    number: int = 0
    """The number with which the front end identifies this draft of rules and players."""


def parse_rules_dialog_option(door: bool | str | Iterable[str]) -> bool | list[str]:  # noqa: FBT001 - as `Table` takes it
    """Parse the table's option for the rules dialog: True, False, or presets to offer.

    Return True, False, or the list of presets that the dialog offers.

    >>> parse_rules_dialog_option("siege"), parse_rules_dialog_option(True), parse_rules_dialog_option(())
    (['siege'], True, False)
    """
    if isinstance(door, bool):
        return door
    try:
        names = [door] if isinstance(door, str) else list(door)
    except TypeError:
        msg = f'door must be True, to open the rules at the start, or the presets to offer, such as ("albanian", "siege"), not {short_repr(door)}'
        raise DurakError(msg) from None
    return [rules_form.require_preset(name) for name in names] or False


def parse_draft(session: Session, draft: Mapping[str, object]) -> RulesDraft:
    """Parse the rules and players that the user has chosen in the rules dialog.

    Missing parts are taken from the current match.
    """
    current_rules = session.match.rules
    seed, seats = draft.get("seed", ""), draft.get("seats", [])
    if not isinstance(seed, str) or not (seed == "" or (seed.isascii() and seed.isdigit() and len(seed) <= _MAX_SEED_DIGITS)):
        raise IntentError(f"a seed must be a whole number of at most {_MAX_SEED_DIGITS} digits, not {short_repr(seed)}")
    if not isinstance(seats, list) or not all(isinstance(player, str) for player in seats):
        raise IntentError(f"seats must be a list of the players on each seat, not {short_repr(seats)}")
    number = as_whole_number(draft.get("number", 0))
    if number is None:
        raise IntentError(f"number must be a whole number, not {short_repr(draft['number'])}")
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
    """Return the player of each seat: the user's choice, the current player, or a new player.

    If this would leave out every person, the user plays against careful bots.
    """
    candidates = seats or list(session.players.next_names)
    players = add_players(candidates, count)
    return [PERSON_NAME, *[DEFAULT_BOT_NAME] * (count - 1)] if PERSON_NAME in candidates and PERSON_NAME not in players else players


def deal_draft(session: Session, draft: RulesDraft) -> tuple[Match, Players]:
    """Deal a new match with the rules and players in `draft`; return the match and players.

    A bot that stays in its seat is the same object as before.
    """
    names, get_next_bot = session.players.next_names, session.players.get_next_bot
    player_of_seat: dict[int, Player] = {
        seat: (None if player == PERSON_NAME else get_next_bot(seat) if names[seat : seat + 1] == (player,) else get(player))
        for seat, player in enumerate(draft.seats)
    }
    seed = int(draft.seed) if draft.seed else session.deal_rng.getrandbits(32)
    rules = Rules(**draft.options)
    return Match.from_game(Game(rules, seed=seed), seed=seed), Players(len(player_of_seat), player_of_seat)


def build_rules_message(session: Session, draft: RulesDraft) -> dict[str, Any]:
    """Build the message with the data of the rules dialog.

    It says how the game goes, lists all its rules, and has a form for other rules.
    During an exercise there is no form.
    """
    rules, language = session.match.rules, session.appearance.language
    say = Translator(language).translate
    special, usual = ([sentence for *_, sentence in rows] for _, rows in rules.explain(language).groups[:2])
    message: dict[str, Any] = {
        "kind": "rules_dialog",
        "number": draft.number,
        "language": language,
        "title": format_rules_title(rules, language),
        "summary": Rules.presets(language)[rules.name] if rules.name else "",
        "basics": [" ".join(say(text.key, **text.facts) for text in paragraph) for paragraph in summarize_rules(rules)],
        "special": [say("rules.dialog.special"), special],
        "all": [say("rules.all"), [*special, *usual]],
    }
    return message if session.task is not None else {**message, "form": _build_form(session, draft, language)}


def _build_form(session: Session, draft: RulesDraft, language: str) -> dict[str, Any]:
    """Build the data of the form with which the user changes the rules."""
    lines, titles = Rules.presets(language), dict(rules_form.list_presets(language))
    say = Translator(language).translate
    hidden_names = rules_form.find_hidden_options(draft.options, is_refused=isinstance(draft.rules_or_refusal, str))
    preset_options = rules_form.get_preset_options(draft.preset, draft.options["players"])
    offers = session.appearance.door if isinstance(session.appearance.door, list) else _COMMON_PRESETS
    form: dict[str, Any] = {
        "preset": draft.preset,
        "labels": {name: say(f"rules.dialog.{name}") for name in ("others", "own", "seed", "seed.how", "play")},
        "title": titles[draft.preset],
        "preset_groups": [
            [group, say(f"rules.dialog.presets.{group}"), [[name, titles[name], lines[name]] for name in names]]
            for group, names in rules_form.group_presets().items()
        ],
        "offers": [[name, titles[name], lines[name]] for name in offers],
        "groups": [
            {
                "name": group,
                "heading": say(f"rules.group.{group}"),
                "rare": group in rules_form.RARE_GROUPS,
                "changed": any(draft.options[name] != preset_options[name] for name in names),
                "fields": [
                    _field_to_dict(rules_form.build_field(name, draft.options[name], language))
                    for name in names
                    if name not in hidden_names
                ],
            }
            for group, names in rules_form.OPTION_NAMES_BY_GROUP.items()
            if not hidden_names.issuperset(names)
        ],
        "options": draft.options,
        "seats": draft.seats,
        "seed": draft.seed,
        "changes": rules_form.describe_changes(draft.options, draft.preset, language),
    }
    form["changed"] = say("rules.dialog.changed", count=len(form["changes"])) if form["changes"] else ""
    if isinstance(draft.rules_or_refusal, str):
        form["refused"] = draft.rules_or_refusal
    return form


def _field_to_dict(field: rules_form.FormField) -> dict[str, Any]:
    return {**field._asdict(), "offers": [list(offer) for offer in field.offers]}


def start_match_against(session: Session, opponent: str) -> None:
    """Begin a new match, in which the given named opponent replaces the current opponent."""
    if session.task is not None or not session.players.named_opponents or opponent not in OPPONENT_BOTS:
        return session.refresh()
    session.leave_retry()
    session.players.choose_next(session.players.named_opponents[0][0], opponent)
    session.match = Match(session.match.rules, seed=session.deal_rng.getrandbits(32))
    return session.start_game()


def send_opponents(session: Session, _: Intent) -> None:
    """Tell the front end which named opponents the user has beaten, and who comes next."""
    record = opponent_record.load_opponent_record()
    session.send(
        {
            "kind": "opponents",
            "beaten": list(record.beaten_opponents) if record else [],
            "next_opponent": record.next_opponent if record else None,
        }
    )
