"""What the page is told of the strategy that is shown (the trait `solution`): for the histories that are shown, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.belief_view_model import beliefs_told
from durak_widget.board.logit_path_view_model import rational_said
from durak_widget.board.number_format import number_written
from durak_widget.board.strategy_state import way
from durak_widget.board.tree_wording import Names
from durak_widget.gametheory.backward_induction_solver import LISTED
from durak_widget.gametheory.game_properties import zero_sum
from durak_widget.gametheory.infoset_labels import name_of_set
from durak_widget.gametheory.player_labels import payoffs_said
from durak_widget.gametheory.tree import CHANCE
from durak_widget.gametheory.zero_sum_solver import hides
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.board.strategy_state import Known, Strategies
    from durak_widget.gametheory.backward_induction_solver import PerfectPayoffs, Tie
    from durak_widget.gametheory.best_responses import Held
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree


_TIES: Final = 6
"""So many ties are listed."""
_NOTHING: Final = 0.0005
"""A smaller probability is told as one of nearly 0."""


def told(
    plays: Strategies, shown: Sequence[int], *, values: bool = False, beliefs: bool = False, names: Sequence[str] = (), language: str = "en"
) -> dict[str, Any]:
    """What is told of what is shown: `shown` are histories, each after the one before it, and `names` what the seats are called.

    >>> from durak_widget.board.strategy_state import Strategies
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> plays = Strategies(tree)
    >>> plays.likely(0, 0, "1/4")
    >>> said = told(plays, [0, 1, 2])
    >>> said["likely"], said["reach"], said["lit"]
    ({'0': ['1/4', '3/4']}, [1.0, 0.25, 0.75], [])
    """
    known = plays.known
    if known is None:
        return {}
    tree, strategy = plays.tree, known.strategy
    sayer = _Sayer(plays, names or tree.names, language)
    here = dict.fromkeys(tree.info[one] for one in shown if tree.actor[one] >= 0)
    answered = known.answers.get(plays.best_of) if plays.best_of is not None else None
    texts = {place: [sayer.likely(one) for one in strategy.rows[place]] for place in here}
    return {
        "said": sayer.lines(),
        "which": plays.which,
        "likely": {str(place): row for place, row in texts.items()},
        "weight": {str(place): [float(one) for one in strategy.rows[place]] for place in here},
        "reach": _reach(tree, strategy, shown),
        "value": None if not values or known.worths is None else _values(known, tree, shown, sayer),
        "beliefs": None if not beliefs or known.beliefs is None else beliefs_told(known.beliefs, list(here), language),
        "lit": way(tree, strategy, shown) if plays.which == "solution" else [],
        "best": None if answered is None else {str(place): list(answered.moves[place]) for place in here if place in answered.moves},
        "best_of": None if answered is None else plays.best_of,
        "own": sayer.own(),
    }


def of_seat(told: dict[str, Any], tree: Tree, seat: int) -> dict[str, Any]:
    """What is shown of the moves of one seat alone: how the others play is not known."""
    mine = {
        name: {place: row for place, row in told.get(name, {}).items() if tree.sets[int(place)].seat == seat}
        for name in ("likely", "weight")
    }
    return {**told, **mine} if told else told


def unsaid(told: dict[str, Any]) -> dict[str, Any]:
    """What is shown of a solution without what was worked out of it: what it is worth, what it gives away, what answers it best."""
    return {**told, "said": [], "value": None, "beliefs": None, "best": None, "best_of": None, "own": None} if told else told


def _reach(tree: Tree, strategy: Strategy, shown: Sequence[int]) -> list[float]:
    """How likely play comes to each of them: each stands after the one before it, so that no other history is looked at."""
    reach: dict[int, float] = {}
    for here in shown:
        before = tree.parent[here]
        if before < 0:
            reach[here] = 1.0
            continue
        place, move = tree.info[before], here - tree.first[before]
        row = tree.chances[place].probabilities if tree.actor[before] == CHANCE else strategy.rows[place]
        reach[here] = reach[before] * float(row[move])
    return list(reach.values())


def _values(known: Known, tree: Tree, shown: Sequence[int], sayer: _Sayer) -> list[list[str]]:
    """What each of them is worth to each seat."""
    worths = known.worths or ()
    if len(worths) < tree.seats:
        return [[sayer.text(worths[0][here]), sayer.text(-worths[0][here])] for here in shown]
    return [[sayer.text(one[here]) for one in worths] for here in shown]


def method_of(method: str, language: str = "en") -> str:
    """What a method of solving is called.

    >>> method_of("lp"), method_of("cfr+", "lt")
    ('a linear program', 'CFR+')
    """
    return "CFR+" if method == "cfr+" else Voice(language).say(f"board.method.{method}")


def perfect_said(perfect: PerfectPayoffs, names: Names, seats: Sequence[str], shown: str) -> list[str]:
    """Return what the subgame-perfect equilibria of a game pay, and which moves tie, in the language of `names`.

    >>> from durak_widget.gametheory.backward_induction_solver import perfect_payoffs
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("ultimatum")
    >>> for said in perfect_said(perfect_payoffs(tree), Names(tree), tree.names, "Proposer 4, Responder 0"):
    ...     print(said)
    Subgame-perfect equilibria in pure strategies pay: Proposer 3, Responder 1; Proposer 4, Responder 0
    shown here: Proposer 4, Responder 0
    Responder (is offered 0) has equally good moves: accept, reject
    """
    tree, say = names.tree, names.spoken.say
    kind = "sequential" if hides(tree) else "perfect"
    if perfect.complete:
        language = names.spoken.language
        paid = "; ".join(
            payoffs_said(seats, [number_written(one, language).replace("-", "−") for one in payoffs]) for payoffs in perfect.payoffs
        )
        lines = [say(f"board.solved.{kind}", payoffs=paid)] + [say("board.solved.shown", payoffs=shown)] * (
            bool(shown) and len(perfect.payoffs) > 1
        )
    else:
        lines = [say(f"board.solved.{kind}.{'many' if perfect.differ else 'unknown'}", count=LISTED, payoffs=shown)]
        moves = sum(len(tie.moves) for tie in perfect.ties)
        return [*lines, say("board.solved.tie.count", count=len(perfect.ties), moves=moves)]
    for tie in perfect.ties[:_TIES]:
        facts = {"name": seats[tree.sets[tie.place].seat], "moves": _tied(names, tie)}
        knows = place_known(names, tie.place)
        lines.append(say("board.solved.tie", knows=knows, **facts) if knows else say("board.solved.tie.only", **facts))
    if (more := len(perfect.ties) - _TIES) > 0:
        lines.append(say("board.solved.tie.more", count=more))
    return lines


def _tied(names: Names, tie: Tie) -> str:
    """The moves that tie, as the view calls them."""
    own = names.tree.sets[tie.place].moves
    return ", ".join(str(names.move(move, own.index(move))["said"]) for move in tie.moves)


def place_known(names: Names, place: int) -> str:
    """Return what tells an information set from the others of its player, as the view calls it."""
    say = names.spoken.say
    return name_of_set(
        names.tree,
        place,
        names.known,
        lambda history: str(names.branch(history)["said"]),
        lambda moves: say("board.solved.tie.after", moves=moves),
    )


class _Sayer:
    """Numbers and sentences about a solution, in one language."""

    def __init__(self, plays: Strategies, names: Sequence[str], language: str) -> None:
        self._plays, self._names, self._language = plays, names, language
        self._voice = Voice(language)
        self._texts: dict[Number, str] = {}

    def text(self, number: Number) -> str:
        """A number as it is shown; the same one is written once."""
        found = self._texts.get(number)
        if found is None:
            found = self._texts[number] = number_written(number, self._language)
        return found

    def spoken(self, number: Number) -> str:
        """A value in a sentence: with a minus, not a hyphen."""
        return self.text(number).replace("-", "−")

    def payoffs(self, paid: Sequence[Number]) -> str:
        """What each player gets."""
        return payoffs_said(self._names, list(map(self.spoken, paid)))

    def likely(self, number: Number) -> str:
        """A probability as it stands on a branch: what is next to nothing takes no more room than nothing."""
        return "≈0" if 0 < number < _NOTHING else self.text(number)

    def lines(self) -> list[str]:
        """What is said of what is shown, a short line each."""
        plays = self._plays
        of = {"solution": self._of_solution, "path": self._of_path, "own": self._of_own}
        lines = of.get(plays.which, self._of_learning)()
        answered = plays.known.answers.get(plays.best_of) if plays.known is not None and plays.best_of is not None else None
        if answered is not None and plays.best_of is not None:
            lines.append(self._voice.say("board.best", name=self._names[plays.best_of], value=self.spoken(answered.value)))
        return lines

    def _of_solution(self) -> list[str]:
        solution, say = self._plays.solution, self._voice.say
        if solution is None:
            return []
        name, lines, listed = self._names[0], list[str](), self._plays.listed
        if listed is not None:
            worth = zip(self._names, listed.worth, strict=True)
            return [
                " · ".join(say("board.solved.worth", name=one, value=self.spoken(value)) for one, value in worth),
                say(f"board.answer.called.{listed.called}"),
            ]
        if solution.perfect is not None and solution.perfect.differ is not False:
            lines += perfect_said(
                solution.perfect, Names(self._plays.tree, self._language), self._names, self.payoffs(solution.worths or ())
            )
        elif solution.worths is not None:
            worth = zip(self._names, solution.worths, strict=True)
            lines.append(" · ".join(say("board.solved.worth", name=one, value=self.spoken(value)) for one, value in worth))
        elif solution.exact:
            lines.append(say("board.solved.exact", name=name, value=self.spoken(solution.value)))
        else:
            lower, upper = self.spoken(solution.lower), self.spoken(solution.upper)
            key = "board.solved.pure" if solution.method == "pure" else "board.solved.between"
            facts = {"lower": lower, "upper": upper} | ({} if solution.method == "pure" else {"value": self.spoken(solution.value)})
            lines.append(say(key, name=name, **facts))
        lines.append(
            say(
                "board.solved.by",
                method=method_of("hidden" if solution.method == "backward" and hides(solution.tree) else solution.method, self._language),
            )
        )
        if solution.exploitability:
            key = "board.solved.left" if zero_sum(self._plays.tree) else "board.solved.distance"
            lines.append(say(key, lost=self.spoken(solution.exploitability)))
        if solution.perfect is None and solution.backward is not None and solution.backward.ties:
            lines.append(say("board.solved.ties"))
        return lines

    def _of_path(self) -> list[str]:
        way = self._plays.way
        return [] if way is None else [self._voice.say("board.path.at", at=rational_said(way.points[way.at].rationality, self._language))]

    def _of_learning(self) -> list[str]:
        return [self._voice.say("board.learned", method=method_of("cfr+"))]

    def _of_own(self) -> list[str]:
        known = self._plays.own_known
        return [self._voice.say("board.busy") if known is None or known.held is None else self._of(known, known.held)]

    def _of(self, known: Known, held: Held) -> str:
        """What one's own strategy is sure of, and what it gives away."""
        facts = {"name": self._names[held.seat], "sure": self.spoken(held.sure)}
        if held.by not in known.answers:
            return self._voice.say("board.own.forgets", **facts)
        if held.by == held.seat:
            return (
                self._voice.say("board.own.gain", lost=self.spoken(held.lost), **facts)
                if held.lost
                else self._voice.say("board.own.no_gain", **facts)
            )
        if held.lost is None or held.best is None:
            return self._voice.say("board.own.unknown", **facts)
        if not held.lost:
            return self._voice.say("board.own.nothing", **facts)
        return self._voice.say("board.own.lost", lost=self.spoken(held.lost), worth=self.spoken(held.best), **facts)

    def own(self) -> dict[str, Any] | None:
        """What the page is told of one's own strategy, whatever is shown."""
        known = self._plays.own_known
        if known is None:
            return None
        seat, held = self._plays.seat, known.held
        if held is None:
            return {"seat": seat, "exploitability": "", "value": "", "worth": "", "by": None, "said": self._voice.say("board.busy")}
        return {
            "seat": seat,
            "exploitability": "" if held.lost is None else self.text(held.lost),
            "value": self.text(held.sure),
            "worth": self.text(held.best) if held.best is not None and held.by != held.seat else "",
            "by": held.by,
            "said": self._of(known, held),
        }
