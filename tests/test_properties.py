"""Laws that hold in every game of every preset and of every mix."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_widget import Card, Game, IllegalMove, Match, Move, Rules, RulesError
from durak_widget.cards import FACES, bits_of, card_of, face_of
from durak_widget.game.refusal import CODES
from durak_widget.game.sight import sight_of
from durak_widget.game.view import View
from mixes import ALL_FACES, cards_everywhere, mixes, played, presets, seeds, snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_PLIES = 600
anything = presets | mixes


@given(anything, seeds)
def test_no_card_is_lost_or_doubled(rules: Rules, seed: int) -> None:
    """Through a whole game every card of the deck lies in exactly one place."""
    game, rng = Game(rules, seed=seed), Random(seed)
    whole = cards_everywhere(game.state)
    assert whole == sum(game.state.kit.deck)
    while game.actor is not None and game.ply < MOST_PLIES:
        game.play(rng.choice(game.legal_moves()))
        state = game.state
        assert cards_everywhere(state) == whole
        held = [*state.hands, state.discard, state.table, *state.talon]
        assert sum(mask.bit_count() for mask in held) + (state.aside != 0) == whole.bit_count()


@given(anything, seeds)
def test_somebody_can_act_or_the_game_is_over(rules: Rules, seed: int) -> None:
    """There is a seat to act with a legal move, or an outcome; never both, never neither."""
    game, rng = Game(rules, seed=seed), Random(seed)
    while game.actor is not None and game.ply < MOST_PLIES:
        assert game.legal_moves()
        assert game.outcome is None
        assert len(set(game.legal_moves())) == len(game.legal_moves())
        game.play(rng.choice(game.legal_moves()))
    assert (game.actor is None) == (game.outcome is not None) == (not game.legal_moves())


@given(anything, seeds)
def test_the_table_is_never_over_the_limit(rules: Rules, seed: int) -> None:
    """Attacking cards stay within the limit, and the defender could still lay a card on each that is not beaten."""
    game, rng = Game(rules, seed=seed), Random(seed)
    while game.actor is not None and game.ply < MOST_PLIES:
        assert len(game.table) <= game.limit
        if not game.taking:
            assert len(game.table.unbeaten) <= len(game.hands[game.defender])
        game.play(rng.choice(game.legal_moves()))


@given(anything, seeds)
def test_nobody_acts_against_itself(rules: Rules, seed: int) -> None:
    """The defender never throws in, attacker and defender are opponents, and only seats with cards act."""
    game, rng = Game(rules, seed=seed), Random(seed)
    side = game.state.kit.side
    while game.actor is not None and game.ply < MOST_PLIES:
        verbs = {move.verb for move in game.legal_moves()}
        assert side[game.attacker] != side[game.defender]
        assert game.hands[game.actor]
        if game.actor == game.defender:
            assert verbs <= {"beat", "take", "transfer", "show"}
        else:
            assert verbs <= {"attack", "throw", "pass", "swap"}
            assert side[game.actor] != side[game.defender]
        game.play(rng.choice(game.legal_moves()))


@given(anything, seeds, st.integers(0, 300))
def test_text_round_trips(rules: Rules, seed: int, plies: int) -> None:
    """A game read back from its text is the same game: rules, deal, moves, and what was undone."""
    game = played(rules, seed, plies)
    game.goto(game.ply * 2 // 3)
    again = Game.parse(str(game))
    assert str(again) == str(game)
    assert again.rules == game.rules
    assert snapshot(again.state) == snapshot(game.state)
    again.goto(again.last_ply)
    game.goto(game.last_ply)
    assert snapshot(again.state) == snapshot(game.state)


@given(anything, seeds)
def test_undo_is_exact(rules: Rules, seed: int) -> None:
    """Going back to any moment gives the very state that was there, and going forward the one after."""
    game, rng = Game(rules, seed=seed), Random(seed)
    moments = [snapshot(game.state)]
    while game.actor is not None and game.ply < 150:
        game.play(rng.choice(game.legal_moves()))
        moments.append(snapshot(game.state))
    last = game.ply
    for _ in range(min(last, 20)):
        undone = game.undo()
        assert snapshot(game.state) == moments[game.ply]
        assert undone in game.legal_moves()
    for ply in {0, last // 2, last // 3, last}:
        game.goto(ply)
        assert snapshot(game.state) == moments[ply]
    if last:
        game.goto(0)
        game.redo()
        assert snapshot(game.state) == moments[1]


@given(anything, seeds, st.integers(0, 200))
def test_a_copy_goes_its_own_way(rules: Rules, seed: int, plies: int) -> None:
    """Playing on in a copy changes nothing in the game that it was taken from."""
    game = played(rules, seed, plies)
    before, copy, rng = snapshot(game.state), game.copy(), Random(seed)
    for _ in range(30):
        if copy.actor is None:
            break
        copy.play(rng.choice(copy.legal_moves()))
    assert snapshot(game.state) == before


@given(anything, seeds, st.integers(0, 250))
def test_views_leak_nothing(rules: Rules, seed: int, plies: int) -> None:
    """A view does not change when cards that the seat has never seen change places."""
    game, rng, eyes = Game(rules, seed=seed), Random(seed), Eyes(rules)
    eyes.look(game)
    while game.actor is not None and game.ply < plies:
        game.play(rng.choice(game.legal_moves()))
        eyes.look(game)
    eyes.check(game, rng)


@pytest.mark.parametrize("name", sorted(Rules.presets()))
def test_views_of_every_preset_leak_nothing(name: str) -> None:
    """The same, for each preset by name, after every move of a game."""
    game, rng = Game(Rules.preset(name), seed=5), Random(5)
    eyes = Eyes(game.rules)
    while game.actor is not None and game.ply < 120:
        eyes.look(game)
        eyes.check(game, rng)
        game.play(rng.choice(game.legal_moves()))


@settings(max_examples=50)
@given(st.integers(2, 4), st.integers(2, 3), st.sampled_from([1, 2]), st.sampled_from(["top", "bottom"]), seeds)
def test_swapped_cards_are_lost_from_sight(players: int, hand_size: int, decks: int, turn_up: str, seed: int) -> None:
    """Where many cards are swapped away, nobody is said to know one that it has lost from sight."""
    rules = Rules(players=players, hand_size=hand_size, ranks="6789T", decks=decks, swaps=9, turn_up=turn_up)
    game, rng, eyes = Game(rules, seed=seed), Random(seed), Eyes(rules)
    eyes.look(game)
    while game.actor is not None and game.ply < MOST_PLIES:
        swaps = [move for move in game.legal_moves() if move.verb == "swap"]
        game.play(rng.choice(swaps or game.legal_moves()))
        eyes.look(game)
        eyes.check(game, rng)


@given(anything, seeds, st.integers(0, 250))
def test_a_perfect_memory_accounts_for_every_card(rules: Rules, seed: int, plies: int) -> None:
    """What is known in hands, in the discard pile, in the talon, on the table and aside, and what is unseen, is the whole deck."""
    game = played(rules, seed, plies)
    for seat in range(rules.players):
        view = game.view(seat)
        cards = Counter(card for some in (*view.memory.known, view.memory.discarded, view.memory.unseen) for card in some)
        cards.update(card for _, card in view.memory.talon)
        cards.update(card.face for pair in view.table for card in pair if card is not None)
        if view.turn_up is not None and view.turn_up not in {card for _, card in view.memory.talon}:
            cards[view.turn_up] += 1
        assert cards == Counter(map(card_of, game.state.kit.deck))


@given(anything, seeds)
def test_an_option_without_effect_has_none(rules: Rules, seed: int) -> None:
    """Where `explain()` says that an option is without effect, another value of it makes the very same game."""
    without = rules.explain().groups[2][1]
    for name, value, _ in without:
        others = [other for other in getattr(_option(name), "says", ()) if other != value] if name != "hand_size" else [value + 1]
        for other in others:
            try:
                changed = rules.replace(**{name: other})
            except RulesError:
                continue
            game, same, rng = Game(rules, seed=seed), Game(changed, seed=seed), Random(seed)
            while game.actor is not None and game.ply < 120:
                assert (same.actor, same.legal_moves()) == (game.actor, game.legal_moves())
                move = rng.choice(game.legal_moves())
                game.play(move)
                same.play(move)
            assert (same.outcome, same.hands) == (game.outcome, game.hands)


@given(anything, seeds)
def test_the_last_end_is_of_this_ply_when_the_last_move_ended_a_bout(rules: Rules, seed: int) -> None:
    """A bout has ended when another has begun, or when the game is over and the table cleared; a game that ends in mid-bout leaves its cards."""
    game, rng = Game(rules, seed=seed), Random(seed)
    assert not game.view(0).ends
    while game.actor is not None and game.ply < MOST_PLIES:
        bout, ends = game.bout, game.view(0).ends
        game.play(rng.choice(game.legal_moves()))
        view = game.view(0)
        ended = game.bout > bout or (game.outcome is not None and not game.table)
        assert bool(view.ends and view.ends[-1].ply == view.ply) == ended
        assert len(view.ends) == len(ends) + ended
        assert not ended or view.ends[-1].bout == bout


def _option(name: str):
    return next(field.metadata["option"] for field in fields(Rules) if field.name == name)


@given(anything, seeds, st.integers(0, 120))
def test_a_covered_view_tells_nothing(rules: Rules, seed: int, plies: int) -> None:
    """Had the viewer held another card in another deal that looked the same to the table, its covered view would be the same."""
    game, rng = played(rules, seed, plies), Random(seed)
    for seat in range(rules.players):
        for other in other_deals(game, seat, rng):
            assert_look_alike(game, other, seat)


@pytest.mark.parametrize("name", sorted(Rules.presets()))
def test_a_covered_view_of_every_preset_tells_nothing(name: str) -> None:
    """The same, for each preset by name, at several moments of a game; there are such deals, and the open views of most of them differ."""
    rng, differ = Random(7), []
    for plies in range(0, 40, 4):
        game = played(Rules.preset(name), 7, plies)
        for seat in range(len(game.hands)):
            for other in other_deals(game, seat, rng):
                assert_look_alike(game, other, seat)
                differ.append(own_cards(other, seat) != own_cards(game, seat))
                assert (other.view(seat) != game.view(seat)) == differ[-1]
    assert sum(differ) > 20


def own_cards(game: Game, seat: int) -> list[object]:
    """Every hand that a seat has held since the deal, and the card that showed the trump suit from a hand."""
    then, held = game.copy(), []
    for ply in range(game.ply + 1):
        then.goto(ply)
        held.append(then.hands[seat])
    then.goto(0)
    return [*held, then.state.seen]


def assert_look_alike(game: Game, other: Game, seat: int) -> None:
    """The covered views of a seat are equal, and so is all that they say."""
    one, same = game.view(seat).covered(), other.view(seat).covered()
    assert one == same
    assert (hash(one), repr(one), one.course, one.ends) == (hash(same), repr(same), same.course, same.ends)


def other_deals(game: Game, seat: int, rng: Random) -> Iterator[Game]:
    """Games that were dealt with a card of this seat's hand in the place of another one, and went the same way before all eyes."""
    deck = _header(game, "Deck")
    held = [place for place, card in enumerate(deck) if card in game.hands[seat]]
    for _ in range(min(8, len(held))):
        one, two = rng.choice(held), rng.randrange(len(deck))
        exchanged = {Card(deck[one]): Card(deck[two]), Card(deck[two]): Card(deck[one])}
        dealt = [deck[{one: two, two: one}.get(place, place)] for place in range(len(deck))]
        other = Game(game.rules, deck=dealt)
        if _goes_the_same_way(game, other, exchanged):
            yield other


def _goes_the_same_way(game: Game, other: Game, exchanged: dict[Card, Card]) -> bool:
    """Play the same moves, with other cards in a swap, which nobody sees; whether all that lies open is the same throughout."""
    again = game.copy()
    again.goto(0)
    for move in game.moves:
        if _open(again) != _open(other):
            return False
        again.play(move)
        if move.verb == "swap":
            move = Move.of("swap", *(exchanged.get(card, card) for card in move.cards))  # noqa: PLW2901 - the same move before all eyes
        if other.why_not(move) is not None:
            return False
        other.play(move)
    return _open(again) == _open(other)


def _open(game: Game) -> tuple[object, ...]:
    """What everybody at the table sees of a moment, and of what was turned over so far."""
    counts = [len(hand) for hand in game.hands]
    turned = [end.turned for end in game.view(0).ends[-1:]]
    return game.actor, game.attacker, game.defender, game.table, game.turn_up, game.trump, counts, turned


class Eyes:
    """What each seat has ever had before its eyes: its hand, the table, the turn-up, the cards named in moves.

    When a seat swaps, the others lose sight of all that it held.
    """

    def __init__(self, rules: Rules) -> None:
        self.seen = [0] * rules.players
        self.hands = [0] * rules.players

    def look(self, game: Game) -> None:
        """Look at the table after each move."""
        state = game.state
        if not game.ply:
            self.open, self.hidden = state.turn_up, state.hidden
            self.seen = [self._shown_from_a_hand(game)] * len(self.seen)
        if self.hidden and not self.open & sum(state.talon):  # the turn-up is drawn, so what lay under it is open
            self.seen = [seen | self.hidden for seen in self.seen]
            self.hidden = 0
        if game.ply and game.moves[-1].verb == "swap":
            who = game.course[-1].seat
            self.seen = [seen if seat == who else seen & ~self.hands[who] for seat, seen in enumerate(self.seen)]
        self.hands = state.hands
        for seat, hand in enumerate(state.hands):
            self.seen[seat] |= hand | state.table | state.discard | state.turn_up
            if game.ply and game.moves[-1].verb != "swap":
                self.seen[seat] |= _both(game.moves[-1].cards)

    def _shown_from_a_hand(self, game: Game) -> int:
        """Where everything is dealt and a card shows the trump suit: the last card dealt that can, which stays in a hand."""
        if game.talon or game.aside or game.trump is None or game.rules.trump != "turn_up":
            return 0
        able = [card for card in map(Card, _header(game, "Deck")) if card.suit and not (game.rules.spades_by_spades and card.suit == "s")]
        return _both(able[-1:])

    def check(self, game: Game, rng: Random) -> None:
        """For each seat, let the cards that it has never seen change places, and compare the views."""
        for seat, seen in enumerate(self.seen):
            state, view = game.state, game.view(seat)
            hidden = [1 << bit for bit in bits_of(sum(state.kit.deck) & ~seen)]
            to = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
            now = state.hands
            state.hands = [sum(to.get(1 << bit, 1 << bit) for bit in bits_of(hand)) for hand in now]
            state.past = tuple((who, *map(_wandered, then, now, state.hands)) for who, *then in state.past)
            state.lay_talon(tuple(to.get(bit, bit) for bit in state.talon))
            state.hidden, state.aside = to.get(state.hidden, state.hidden), to.get(state.aside, state.aside)
            story, first = game._story.copy(), view.sight.first
            story._drew = [story.drew(who) if who == seat else () for who in range(len(now))]  # what others drew is theirs to know
            other = View(sight_of(state, seat, story, first))
            assert other == view
            assert repr(other) == repr(view)
            for what in ("memory", "course", "ends", "hand", "table", "counts"):
                assert getattr(other, what) == getattr(view, what)
            assert other.legal_moves() == view.legal_moves()


def _wandered(then: int, now: int, other_now: int) -> int:
    """The hand that was there then, if the hand of now is another one and the same cards have come and gone since."""
    faces = Counter(map(face_of, _bits(then)))
    faces.subtract(map(face_of, _bits(now)))
    faces.update(map(face_of, _bits(other_now)))
    return sum(1 << face + FACES * copy for face, count in faces.items() for copy in range(count))


def _bits(mask: int) -> list[int]:
    return [1 << bit for bit in bits_of(mask)]


def _header(game: Game, key: str) -> list[str]:
    """The words of a header of the text of a game."""
    return next(line for line in str(game).splitlines() if line.startswith(f"{key}: ")).split()[1:]


def _both(cards) -> int:
    return sum(1 << code | 1 << code + FACES for code in {card.face_code for card in cards})


def _some_moves(rng: Random) -> list[str]:
    """Moves of every verb with random cards, most of them illegal."""
    one, two = (rng.choice(ALL_FACES) for _ in range(2))
    return [
        f"attack {one}",
        f"attack {one} {two}",
        f"throw {one}",
        "pass",
        f"beat {one} {two}",
        f"transfer {one}",
        f"show {one}",
        "take",
        f"swap {one} {two}",
        f"throw {one[0]}{one[1]}={two[1]}" if "X" not in one + two else f"throw {one}",
        f"beat {one}",
        "",
    ]


@given(anything, seeds, st.integers(0, 200))
def test_an_illegal_move_is_refused_and_changes_nothing(rules: Rules, seed: int, plies: int) -> None:
    """Whatever is not in the list of legal moves is refused with a known code and a sentence, and nothing has changed."""
    game = played(rules, seed, plies)
    before, text, rng = snapshot(game.state), str(game), Random(seed)
    legal = set(map(str, game.legal_moves()))
    tries = [move for _ in range(6) for move in _some_moves(rng)]
    tries += [
        f"beat {attack.face if attack.code == attack.face_code else attack} {card}" for attack, _ in game.table for card in ALL_FACES[::5]
    ]
    for move in tries:
        if move in legal:
            assert game.why_not(move) is None
            continue
        try:
            game.copy().play(move)
        except IllegalMove as error:
            assert error.code in CODES
            assert str(error) == str(game.why_not(move))
            assert "{" not in str(error)
            assert len(str(error)) > 20
        else:  # the same move in other words, such as a swap with its cards the other way round
            assert game.why_not(move) is None
        for seat in range(len(game.hands)):
            refusal = game.why_not(move, seat)
            assert refusal is None or refusal.code in CODES
    assert snapshot(game.state) == before
    assert str(game) == text


@given(anything.filter(lambda rules: rules.repetition is not None), seeds)
def test_every_random_game_ends(rules: Rules, seed: int) -> None:
    """A random game comes to an end."""
    game = played(rules, seed, 20_000)
    assert game.outcome is not None
    assert sum(game.outcome.utilities) == pytest.approx(0)


@given(anything.filter(lambda rules: rules.repetition is not None), seeds)
def test_matches_go_on(rules: Rules, seed: int) -> None:
    """After each game a next one can be dealt, by the fool where there is one, and the score counts every game."""
    match, rng = Match(rules, seed=seed), Random(seed)
    for number in range(3):
        while match.game.actor is not None:
            match.game.play(rng.choice(match.game.legal_moves()))
        assert all(tally.won + tally.lost + tally.drew == number + 1 for tally in match.score)
        if match.loser is not None:
            break
        fool = match.game.outcome.fool
        match.next_game()
        assert fool is None or match.dealer == fool
