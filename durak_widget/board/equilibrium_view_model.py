"""The equilibria that a tree widget lists: names, payoffs, proofs, gains from deviating.

It also names players with imperfect recall. The package `gametheory` returns keys and indexes; this module puts them
into words, with the names that the tree widget uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.number_format import format_number_in_sentence, format_short_number
from durak_widget.board.strategic_form_panel import build_matrix_wording
from durak_widget.board.strategy_view_model import describe_equilibrium_payoffs, describe_infoset
from durak_widget.gametheory.backward_induction_solver import list_nodes_on_line_of_play
from durak_widget.gametheory.equilibrium_list import MAX_SHOWN_INFOSETS, list_played_actions
from durak_widget.gametheory.player_labels import format_payoffs
from durak_widget.gametheory.solver_selection import MAX_WITHOUT_OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.board.tree_wording import TreeWording
    from durak_widget.gametheory.equilibrium_list import EquilibriumRecord
    from durak_widget.gametheory.solver_selection import GameAnswer
    from durak_widget.gametheory.strategy import Number, Strategy

MAX_LISTED: Final = 50
"""The maximum number of equilibria that the page lists."""


def answer_to_message(answer: GameAnswer, wording: TreeWording) -> dict[str, Any]:
    """Build the message for the page with the list of equilibria of a game.

    >>> from durak_widget.board.tree_wording import TreeWording
    >>> from durak_widget.gametheory.solver_selection import list_equilibria
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("entry")
    >>> message = answer_to_message(list_equilibria(tree), TreeWording(tree))
    >>> [(found["title"], found["kind"], found["payoffs"]) for found in message["equilibria"][:2]]
    [('Subgame-perfect equilibrium', 'pure', ['2', '2']), ('Nash equilibrium', 'pure, not subgame-perfect', ['1', '5'])]
    >>> message["equilibria"][1]["reasons"]
    ['Not subgame-perfect: after “enter”, a player gains by deviating.', 'No player can gain by deviating. We proved this with exact fractions.']
    """
    formatter, say, kind = _EquilibriumWording(wording), wording.voice.translate, answer.kind
    has_imperfect_recall = kind is not None and kind.recall != "perfect"
    unlisted = len(answer.equilibria) - MAX_LISTED
    perfect_payoffs = answer.perfect_payoffs
    return {
        "heading": say("board.answer.best.title") if answer.tree.player_count == 1 else "",
        "title": say("board.answer.behaviour") if has_imperfect_recall else "",
        "imperfect_recall": formatter.describe_imperfect_recall(answer),
        "outcomes": formatter.describe_outcomes(answer),
        "equilibria": [formatter.equilibrium_to_message(equilibrium) for equilibrium in answer.equilibria[:MAX_LISTED]],
        "empty_note": say("board.answer.none") if has_imperfect_recall and not answer.equilibria else "",
        "notes": (
            []
            if perfect_payoffs is None
            else describe_equilibrium_payoffs(
                perfect_payoffs,
                wording,
                wording.player_names,
                formatter.format_payoffs(answer.payoffs or ()) if not perfect_payoffs.complete else "",
            )
        )
        + [say("board.answer.more", count=unlisted)] * (unlisted > 0)
        + [say("board.answer.unasked", count=answer.unchecked_count)] * (answer.unchecked_count > 0)
        + [say(f"board.answer.note.{answer.contents}.{'all' if answer.complete else 'some'}")]
        + [say("board.answer.beginning")] * (has_imperfect_recall and answer.contents == "best")
        + [say("board.answer.outmixed")] * answer.has_gains_by_mixing
        + [say("board.answer.undecided", count=answer.undecided_count)] * (answer.undecided_count > 0),
        "mixed": formatter.mixed_to_message(answer),
    }


class _EquilibriumWording:
    """Describes equilibria in one language."""

    def __init__(self, wording: TreeWording) -> None:
        self.wording, self.say, self.language = wording, wording.voice.translate, wording.voice.language

    def format_payoffs(self, payoffs: Sequence[Number]) -> str:
        """Format the payoff of each player in an equilibrium as a phrase."""
        return format_payoffs(self.wording.player_names, list(map(self.format_in_sentence, payoffs)))

    def describe_outcomes(self, answer: GameAnswer) -> list[str]:
        """Describe the different outcomes (moves and payoffs) in a long list of equilibria.

        Return [] for a short list.
        """
        if len(answer.equilibria) <= MAX_WITHOUT_OUTCOMES:
            return []
        lines = []
        for outcome in answer.outcomes:
            example = outcome.example
            missing_property = "" if example.failed_status is None else f", {self.say(f'board.answer.lacks.{example.failed_status}')}"
            facts = {
                "payoffs": self.format_payoffs(example.payoffs),
                "line": ", ".join(
                    str(self.wording.describe_branch(node)["text"])
                    for node in list_nodes_on_line_of_play(self.wording.tree, example.strategy)
                ),
                "called": self.say(f"board.answer.called.{example.status}") + missing_property,
            }
            is_repeated = outcome.equilibrium_count > 1
            lines.append(
                self.say("board.answer.outcome.many", count=outcome.equilibrium_count, **facts)
                if is_repeated
                else self.say("board.answer.outcome", **facts)
            )
        return [self.say("board.answer.outcomes"), *lines]

    def equilibrium_to_message(self, equilibrium: EquilibriumRecord) -> dict[str, Any]:
        """Build the part of a message for the page that describes one equilibrium."""
        title = self.say(f"board.answer.called.{equilibrium.status}")
        kinds = [] if equilibrium.status in {"near", "nearly"} else ["pure" if equilibrium.strategy.is_pure else "mixed"]
        if equilibrium.classification is not None and equilibrium.classification.message_pattern is not None:
            kinds.append(equilibrium.classification.message_pattern.partition(" ")[0])
        kinds += [f"lacks.{equilibrium.failed_status}"] * (equilibrium.failed_status is not None) + ["lacks.intuitive"] * bool(
            equilibrium.intuitive_refutations
        )
        return {
            "title": title[:1].upper() + title[1:],
            "kind": ", ".join(self.say(f"board.answer.{kind}") for kind in kinds),
            "payoffs": [format_short_number(payoff, self.language) for payoff in equilibrium.payoffs],
            "strategy": self.describe_strategy(equilibrium.strategy),
            "is_unrefuted": equilibrium.failed_status is None and not equilibrium.intuitive_refutations,
            "reasons": [*self._explain_refinements(equilibrium), *self._describe_gains(equilibrium)],
        }

    def describe_strategy(self, strategy: Strategy) -> str:
        """Describe a strategy's actions at each information set; if there are too many, return ""."""
        if len(strategy.infosets) > MAX_SHOWN_INFOSETS:
            return ""
        lines = []
        for infoset_index, row in enumerate(strategy.rows):
            actions, support = self.wording.describe_actions(infoset_index), list_played_actions(row)
            mixture = " + ".join(
                f"{self.format_in_sentence(probability)} {actions[action]['text']}" if len(support) > 1 else str(actions[action]["text"])
                for action, probability in support
            )
            player, knowledge = (
                self.wording.player_names[strategy.infosets[infoset_index].player],
                describe_infoset(self.wording, infoset_index),
            )
            lines.append(f"{player} ({knowledge}): {mixture}" if knowledge else f"{player}: {mixture}")
        return "; ".join(lines)

    def format_in_sentence(self, number: Number) -> str:
        """Format a number for use in a sentence, with a minus sign instead of a hyphen."""
        return format_number_in_sentence(number, self.language)

    def _explain_refinements(self, equilibrium: EquilibriumRecord) -> Iterator[str]:
        """Explain why an equilibrium meets or fails refinements such as subgame perfection."""
        subgame_result, sequential_result, say = equilibrium.subgame_result, equilibrium.sequential_result, self.say
        if subgame_result is not None and not subgame_result.holds and subgame_result.failing_root is not None:
            yield say("board.answer.not.perfect", move=self.wording.describe_branch(subgame_result.failing_root)["text"])
        elif subgame_result is not None and not subgame_result.has_perfect_information:
            yield say("board.answer.subgames")
        if sequential_result is not None and (subgame_result is None or not subgame_result.has_perfect_information):
            weak_result = equilibrium.weak_result
            if equilibrium.status == "sequential":
                yield say("board.answer.trembles")
            elif (
                equilibrium.failed_status == "sequential"
                and weak_result is not None
                and weak_result.holds is False
                and weak_result.failing_infoset is not None
            ):
                yield say("board.answer.not.sequential", **self._describe_infoset(weak_result.failing_infoset))
            elif equilibrium.failed_status == "sequential" and sequential_result.failing_infoset is not None:
                yield say("board.answer.not.consistent", **self._describe_infoset(sequential_result.failing_infoset))
            elif sequential_result.holds is None and equilibrium.failed_status is None:
                yield say("board.answer.open")
            if equilibrium.status == "weak":
                yield say("board.answer.weak")
        yield from dict.fromkeys(
            say("board.answer.refuted", message=refutation.message, by=refutation.type_label)
            for refutation in equilibrium.intuitive_refutations
        )
        if equilibrium.is_signalling_game and not equilibrium.intuitive_refutations and equilibrium.failed_status is None:
            yield say("board.answer.kept")

    def _describe_gains(self, equilibrium: EquilibriumRecord) -> Iterator[str]:
        """Describe each player's gain from deviating, or say that nobody can gain."""
        if not equilibrium.total_gain:
            yield self.say("board.answer.best" if equilibrium.status == "best" else "board.answer.proved")
            return
        if not equilibrium.player_gains:  # With imperfect recall, only gains from deviating at a single information set are computed
            yield self.say("board.answer.error", lost=self.format_in_sentence(equilibrium.total_gain))
            return
        yield self.say("board.answer.gains", gains=self.format_payoffs(equilibrium.player_gains))
        yield self.say("board.answer.distance", lost=self.format_in_sentence(equilibrium.total_gain / len(equilibrium.player_gains)))

    def _describe_infoset(self, infoset: int) -> dict[str, str]:
        """Return who acts at an information set, and what this player knows there."""
        record = self.wording.tree.infosets[infoset]
        return {"name": self.wording.player_names[record.player], "knows": self.wording.describe_infoset(infoset) or str(infoset)}

    def describe_imperfect_recall(self, answer: GameAnswer) -> list[str]:
        """Describe which players have imperfect recall, with an information set as evidence."""
        if answer.kind is None:
            return []
        return [
            self.say(
                f"board.answer.forgets.{'absent' if player_recall.recall == 'absent-minded' else 'imperfect'}",
                **self._describe_infoset(player_recall.infoset),
            )
            for player_recall in answer.kind.player_recalls
            if player_recall.infoset is not None
        ]

    def mixed_to_message(self, answer: GameAnswer) -> dict[str, Any] | None:
        """Build the message that lists a game's mixed equilibria; None if none were computed."""
        if answer.mixed_equilibria is None:
            return None
        wording = build_matrix_wording(self.wording, answer.mixed_equilibria.matrix)
        return {
            "title": self.say("board.answer.plans"),
            "list": [wording.describe_equilibrium(equilibrium) for equilibrium in answer.mixed_equilibria.equilibria[:MAX_LISTED]],
            "notes": [*wording.describe_equilibria(answer.mixed_equilibria), self.say("board.answer.draw")],
        }
