"""View model of the equilibria found: names, certainty, payoffs, gains by deviating.

It also says which player has imperfect recall. `gametheory` returns keys and indexes; here they become words, with
the view's names for players, actions and knowledge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.number_format import number_said, number_written
from durak_widget.board.strategic_form_panel import saying_of
from durak_widget.board.strategy_view_model import perfect_said, place_known
from durak_widget.gametheory.backward_induction_solver import histories_played
from durak_widget.gametheory.equilibrium_list import SHOWN, moves_made
from durak_widget.gametheory.player_labels import payoffs_said
from durak_widget.gametheory.solver_selection import FEW

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.board.tree_wording import Names
    from durak_widget.gametheory.equilibrium_list import Listed
    from durak_widget.gametheory.solver_selection import GameAnswer
    from durak_widget.gametheory.strategy import Number, Strategy

MOST: Final = 50
"""The most equilibria listed on a page."""


def told_of(answer: GameAnswer, names: Names) -> dict[str, Any]:
    """Return a list of equilibria as a message for the page.

    >>> from durak_widget.board.tree_wording import Names
    >>> from durak_widget.gametheory.solver_selection import listing_of
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("entry")
    >>> message = told_of(listing_of(tree), Names(tree))
    >>> [(found["said"], found["kind"], found["worth"]) for found in message["found"][:2]]
    [('Subgame-perfect equilibrium', 'pure', ['2', '2']), ('Nash equilibrium', 'pure, not subgame-perfect', ['1', '5'])]
    >>> message["found"][1]["lines"]
    ['Not subgame-perfect: after “enter” somebody gains by leaving it.', 'Nobody gains by leaving it: proved in fractions.']
    """
    formatter, say, kind = _Told(names), names.spoken.say, answer.kind
    has_imperfect_recall = kind is not None and kind.recall != "perfect"
    unlisted = len(answer.found) - MOST
    perfect_payoffs = answer.perfect
    return {
        "head": say("board.answer.best.title") if answer.tree.seats == 1 else "",
        "title": say("board.answer.behaviour") if has_imperfect_recall else "",
        "who": formatter.forgetting(answer),
        "outcomes": formatter.outcomes(answer),
        "found": [formatter.one(equilibrium) for equilibrium in answer.found[:MOST]],
        "none": say("board.answer.none") if has_imperfect_recall and not answer.found else "",
        "notes": (
            []
            if perfect_payoffs is None
            else perfect_said(
                perfect_payoffs, names, names.seats, formatter.payoffs(answer.worths or ()) if not perfect_payoffs.complete else ""
            )
        )
        + [say("board.answer.more", count=unlisted)] * (unlisted > 0)
        + [say("board.answer.unasked", count=answer.unasked)] * (answer.unasked > 0)
        + [say(f"board.answer.note.{answer.way}.{'all' if answer.complete else 'some'}")]
        + [say("board.answer.beginning")] * (has_imperfect_recall and answer.way == "best")
        + [say("board.answer.outmixed")] * answer.outmixed
        + [say("board.answer.undecided", count=answer.undecided)] * (answer.undecided > 0),
        "mixed": formatter.mixed(answer),
    }


class _Told:
    """The wording of equilibria in one language."""

    def __init__(self, names: Names) -> None:
        self.names, self.say, self.language = names, names.spoken.say, names.spoken.language

    def payoffs(self, paid: Sequence[Number]) -> str:
        """Format each player's payoff."""
        return payoffs_said(self.names.seats, list(map(self.number, paid)))

    def outcomes(self, answer: GameAnswer) -> list[str]:
        """Describe the outcomes of a long list of equilibria; [] for a short list."""
        if len(answer.found) <= FEW:
            return []
        lines = []
        for outcome in answer.outcomes:
            example = outcome.example
            missing_property = "" if example.lacks is None else f", {self.say(f'board.answer.lacks.{example.lacks}')}"
            facts = {
                "payoffs": self.payoffs(example.worth),
                "line": ", ".join(str(self.names.branch(node)["said"]) for node in histories_played(self.names.tree, example.strategy)),
                "called": self.say(f"board.answer.called.{example.called}") + missing_property,
            }
            is_repeated = outcome.times > 1
            lines.append(
                self.say("board.answer.outcome.many", count=outcome.times, **facts)
                if is_repeated
                else self.say("board.answer.outcome", **facts)
            )
        return [self.say("board.answer.outcomes"), *lines]

    def one(self, one: Listed) -> dict[str, Any]:
        """Return one equilibrium of the list as a message."""
        title = self.say(f"board.answer.called.{one.called}")
        kinds = [] if one.called in {"near", "nearly"} else ["pure" if one.strategy.pure else "mixed"]
        if one.named is not None and one.named.messages is not None:
            kinds.append(one.named.messages.partition(" ")[0])
        kinds += [f"lacks.{one.lacks}"] * (one.lacks is not None) + ["lacks.intuitive"] * bool(one.refuted)
        return {
            "said": title[:1].upper() + title[1:],
            "kind": ", ".join(self.say(f"board.answer.{kind}") for kind in kinds),
            "worth": [number_written(payoff, self.language) for payoff in one.worth],
            "plays": self.plays(one.strategy),
            "holds": one.lacks is None and not one.refuted,
            "lines": [*self._why(one), *self._leaving(one)],
        }

    def plays(self, strategy: Strategy) -> str:
        """Describe the strategy at each information set; "" if there are many of them."""
        if len(strategy.sets) > SHOWN:
            return ""
        lines = []
        for infoset_index, row in enumerate(strategy.rows):
            actions, support = self.names.moves(infoset_index), moves_made(row)
            mixture = " + ".join(
                f"{self.number(probability)} {actions[action]['said']}" if len(support) > 1 else str(actions[action]["said"])
                for action, probability in support
            )
            player, knowledge = self.names.seats[strategy.sets[infoset_index].seat], place_known(self.names, infoset_index)
            lines.append(f"{player} ({knowledge}): {mixture}" if knowledge else f"{player}: {mixture}")
        return "; ".join(lines)

    def number(self, number: Number) -> str:
        """Format a number for a sentence."""
        return number_said(number, self.language)

    def _why(self, one: Listed) -> Iterator[str]:
        """Explain what subgames, beliefs and signals say about an equilibrium."""
        subgames, verdict, say = one.subgames, one.verdict, self.say
        if subgames is not None and not subgames.holds and subgames.against is not None:
            yield say("board.answer.not.perfect", move=self.names.branch(subgames.against)["said"])
        elif subgames is not None and not subgames.seen:
            yield say("board.answer.subgames")
        if verdict is not None and (subgames is None or not subgames.seen):
            weak_verdict = one.weakly
            if one.called == "sequential":
                yield say("board.answer.trembles")
            elif (
                one.lacks == "sequential" and weak_verdict is not None and weak_verdict.holds is False and weak_verdict.against is not None
            ):
                yield say("board.answer.not.sequential", **self._at(weak_verdict.against))
            elif one.lacks == "sequential" and verdict.against is not None:
                yield say("board.answer.not.consistent", **self._at(verdict.against))
            elif verdict.holds is None and one.lacks is None:
                yield say("board.answer.open")
            if one.called == "weak":
                yield say("board.answer.weak")
        yield from dict.fromkeys(say("board.answer.refuted", message=refutation.message, by=refutation.by) for refutation in one.refuted)
        if one.signals and not one.refuted and one.lacks is None:
            yield say("board.answer.kept")

    def _leaving(self, one: Listed) -> Iterator[str]:
        """Say what each player would gain by deviating, and how certain that is."""
        if not one.gain:
            yield self.say("board.answer.best" if one.called == "best" else "board.answer.proved")
            return
        if not one.gains:  # imperfect recall: only the gain at each single information set is known
            yield self.say("board.answer.error", lost=self.number(one.gain))
            return
        gains_by_player = zip(self.names.seats, one.gains, strict=True)
        yield self.say("board.answer.gains", gains=", ".join(f"{name} {self.number(gain)}" for name, gain in gains_by_player))
        yield self.say("board.answer.distance", lost=self.number(one.gain / len(one.gains)))

    def _at(self, place: int) -> dict[str, str]:
        """Return the player of an information set, and what the player knows there."""
        record = self.names.tree.sets[place]
        return {"name": self.names.seats[record.seat], "knows": self.names.known(place) or str(place)}

    def forgetting(self, answer: GameAnswer) -> list[str]:
        """Say which players have imperfect recall, and where."""
        if answer.kind is None:
            return []
        return [
            self.say(f"board.answer.forgets.{'absent' if memory.recall == 'absent-minded' else 'imperfect'}", **self._at(memory.place))
            for memory in answer.kind.memories
            if memory.place is not None
        ]

    def mixed(self, answer: GameAnswer) -> dict[str, Any] | None:
        """Return the mixed equilibria of a game with imperfect recall, or None."""
        if answer.mixed is None:
            return None
        wording = saying_of(self.names, answer.mixed.matrix)
        return {
            "title": self.say("board.answer.plans"),
            "list": [wording.equilibrium(equilibrium) for equilibrium in answer.mixed.found[:MOST]],
            "notes": [*wording.note(answer.mixed), self.say("board.answer.draw")],
        }
