"""What is told of the equilibria that were found: what each is called and why, how sure that is, what it pays, what leaving it would bring; and who forgets what.

`gametheory` speaks in keys and places; here they become words, by the names that the view has for players, moves and what is known.
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
"""So many equilibria are listed on a page."""


def told_of(answer: GameAnswer, names: Names) -> dict[str, Any]:
    """What a list of equilibria says, in the words of these names.

    >>> from durak_widget.board.tree_wording import Names
    >>> from durak_widget.gametheory.solver_selection import listing_of
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("entry")
    >>> told = told_of(listing_of(tree), Names(tree))
    >>> [(one["said"], one["kind"], one["worth"]) for one in told["found"][:2]]
    [('Subgame-perfect equilibrium', 'pure', ['2', '2']), ('Nash equilibrium', 'pure, not subgame-perfect', ['1', '5'])]
    >>> told["found"][1]["lines"]
    ['Not subgame-perfect: after “enter” somebody gains by leaving it.', 'Nobody gains by leaving it: proved in fractions.']
    """
    said, say, kind = _Told(names), names.spoken.say, answer.kind
    forgets = kind is not None and kind.recall != "perfect"
    more = len(answer.found) - MOST
    perfect = answer.perfect
    return {
        "head": say("board.answer.best.title") if answer.tree.seats == 1 else "",
        "title": say("board.answer.behaviour") if forgets else "",
        "who": said.forgetting(answer),
        "outcomes": said.outcomes(answer),
        "found": [said.one(one) for one in answer.found[:MOST]],
        "none": say("board.answer.none") if forgets and not answer.found else "",
        "notes": (
            []
            if perfect is None
            else perfect_said(perfect, names, names.seats, said.payoffs(answer.worths or ()) if not perfect.complete else "")
        )
        + [say("board.answer.more", count=more)] * (more > 0)
        + [say("board.answer.unasked", count=answer.unasked)] * (answer.unasked > 0)
        + [say(f"board.answer.note.{answer.way}.{'all' if answer.complete else 'some'}")]
        + [say("board.answer.beginning")] * (forgets and answer.way == "best")
        + [say("board.answer.outmixed")] * answer.outmixed
        + [say("board.answer.undecided", count=answer.undecided)] * (answer.undecided > 0),
        "mixed": said.mixed(answer),
    }


class _Told:
    """Equilibria in the words of one language."""

    def __init__(self, names: Names) -> None:
        self.names, self.say, self.language = names, names.spoken.say, names.spoken.language

    def payoffs(self, paid: Sequence[Number]) -> str:
        """What each player gets."""
        return payoffs_said(self.names.seats, list(map(self.number, paid)))

    def outcomes(self, answer: GameAnswer) -> list[str]:
        """What the equilibria of a long list come to; of a short one nothing."""
        if len(answer.found) <= FEW:
            return []
        lines = []
        for outcome in answer.outcomes:
            one = outcome.example
            lacks = "" if one.lacks is None else f", {self.say(f'board.answer.lacks.{one.lacks}')}"
            facts = {
                "payoffs": self.payoffs(one.worth),
                "line": ", ".join(str(self.names.branch(here)["said"]) for here in histories_played(self.names.tree, one.strategy)),
                "called": self.say(f"board.answer.called.{one.called}") + lacks,
            }
            many = outcome.times > 1
            lines.append(
                self.say("board.answer.outcome.many", count=outcome.times, **facts) if many else self.say("board.answer.outcome", **facts)
            )
        return [self.say("board.answer.outcomes"), *lines]

    def one(self, one: Listed) -> dict[str, Any]:
        """An equilibrium of the list."""
        called = self.say(f"board.answer.called.{one.called}")
        kinds = [] if one.called in {"near", "nearly"} else ["pure" if one.strategy.pure else "mixed"]
        if one.named is not None and one.named.messages is not None:
            kinds.append(one.named.messages.partition(" ")[0])
        kinds += [f"lacks.{one.lacks}"] * (one.lacks is not None) + ["lacks.intuitive"] * bool(one.refuted)
        return {
            "said": called[:1].upper() + called[1:],
            "kind": ", ".join(self.say(f"board.answer.{kind}") for kind in kinds),
            "worth": [number_written(worth, self.language) for worth in one.worth],
            "plays": self.plays(one.strategy),
            "holds": one.lacks is None and not one.refuted,
            "lines": [*self._why(one), *self._leaving(one)],
        }

    def plays(self, strategy: Strategy) -> str:
        """What is done at each information set; of a tree with many of them, nothing."""
        if len(strategy.sets) > SHOWN:
            return ""
        lines = []
        for place, row in enumerate(strategy.rows):
            moves, done = self.names.moves(place), moves_made(row)
            mix = " + ".join(
                f"{self.number(likely)} {moves[move]['said']}" if len(done) > 1 else str(moves[move]["said"]) for move, likely in done
            )
            player, known = self.names.seats[strategy.sets[place].seat], place_known(self.names, place)
            lines.append(f"{player} ({known}): {mix}" if known else f"{player}: {mix}")
        return "; ".join(lines)

    def number(self, number: Number) -> str:
        """A number in a sentence."""
        return number_said(number, self.language)

    def _why(self, one: Listed) -> Iterator[str]:
        """What subgames, beliefs and signals make of it."""
        inside, verdict, say = one.subgames, one.verdict, self.say
        if inside is not None and not inside.holds and inside.against is not None:
            yield say("board.answer.not.perfect", move=self.names.branch(inside.against)["said"])
        elif inside is not None and not inside.seen:
            yield say("board.answer.subgames")
        if verdict is not None and (inside is None or not inside.seen):
            weakly = one.weakly
            if one.called == "sequential":
                yield say("board.answer.trembles")
            elif one.lacks == "sequential" and weakly is not None and weakly.holds is False and weakly.against is not None:
                yield say("board.answer.not.sequential", **self._at(weakly.against))
            elif one.lacks == "sequential" and verdict.against is not None:
                yield say("board.answer.not.consistent", **self._at(verdict.against))
            elif verdict.holds is None and one.lacks is None:
                yield say("board.answer.open")
            if one.called == "weak":
                yield say("board.answer.weak")
        yield from dict.fromkeys(say("board.answer.refuted", message=why.message, by=why.by) for why in one.refuted)
        if one.signals and not one.refuted and one.lacks is None:
            yield say("board.answer.kept")

    def _leaving(self, one: Listed) -> Iterator[str]:
        """What each seat would gain by leaving it, and how sure that is."""
        if not one.gain:
            yield self.say("board.answer.best" if one.called == "best" else "board.answer.proved")
            return
        if not one.gains:  # a seat forgets: so much is known of each place alone
            yield self.say("board.answer.error", lost=self.number(one.gain))
            return
        seats = zip(self.names.seats, one.gains, strict=True)
        yield self.say("board.answer.gains", gains=", ".join(f"{name} {self.number(gain)}" for name, gain in seats))
        yield self.say("board.answer.distance", lost=self.number(one.gain / len(one.gains)))

    def _at(self, place: int) -> dict[str, str]:
        """Whose information set it is, and what is known there."""
        one = self.names.tree.sets[place]
        return {"name": self.names.seats[one.seat], "knows": self.names.known(place) or str(place)}

    def forgetting(self, answer: GameAnswer) -> list[str]:
        """Who forgets what, and where."""
        if answer.kind is None:
            return []
        return [
            self.say(f"board.answer.forgets.{'absent' if one.recall == 'absent-minded' else 'imperfect'}", **self._at(one.place))
            for one in answer.kind.memories
            if one.place is not None
        ]

    def mixed(self, answer: GameAnswer) -> dict[str, Any] | None:
        """Of a game in which a seat forgets: equilibria of its plans, apart from the others."""
        if answer.mixed is None:
            return None
        saying = saying_of(self.names, answer.mixed.matrix)
        return {
            "title": self.say("board.answer.plans"),
            "list": [saying.equilibrium(one) for one in answer.mixed.found[:MOST]],
            "notes": [*saying.note(answer.mixed), self.say("board.answer.draw")],
        }
