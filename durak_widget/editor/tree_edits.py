"""All edits of a tree draft: branches, chance moves, payoffs, information sets, players.

Each edit takes a draft and returns a new draft with the node to show. An impossible edit raises an error that says
why. Edits also join nodes that a player can't distinguish into an information set, and split them again.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from durak_widget.board.tree_wording import clean_name
from durak_widget.editor import input_parsing
from durak_widget.editor.tree_draft import ROOT, DraftBuilder, DraftInfoSet, TreeDraft, find_parent_or_root, is_not_terminal, replace_fields
from durak_widget.gametheory.player_labels import default_name, is_unnamed
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

MAX_PLAYERS: Final = 6
"""The maximum number of players in a draft, because each player needs a symbol and a colour."""
EditResult = tuple[TreeDraft, int]


def add_action(draft: TreeDraft, node: int, action: object = None, player: int | None = None) -> EditResult:
    """Add a branch at a node; at a terminal node, `player` says who will act there.

    At a decision node the branch is added at all nodes of the information set.

    >>> draft, new = add_action(TreeDraft(), 0, "bet")
    >>> draft, _ = add_action(draft, 0)
    >>> draft.get_actions(0), new, draft.nodes[0].children
    (('bet', 'a'), 1, (1, 3))
    """
    record, builder = draft.nodes[node], DraftBuilder(draft)
    label = _find_free_name(draft.get_actions(node)) if action is None else _require_unique_name(draft.get_actions(node), action)
    if record.actor == TERMINAL:
        actor = _guess_next_player(draft, node) if player is None else draft.require_player(player)
        child = builder.add_terminal(node)
        builder.update_node(node, actor=actor, infoset=builder.add_infoset(DraftInfoSet(actor, "", (label,))), payoffs=())
        return builder.build(), child
    if record.actor == CHANCE:
        child = builder.add_terminal(node)
        builder.update_node(node, actions=(*record.actions, label), probabilities=(*record.probabilities, None))
        return builder.build(), child
    infoset_record = draft.infosets[record.infoset]
    builder.infosets[record.infoset] = infoset_record._replace(actions=(*infoset_record.actions, label))
    children = {member: builder.add_terminal(member) for member in draft.list_infoset_nodes(node)}
    return builder.build(), children[node]


def add_chance_move(draft: TreeDraft, node: int) -> EditResult:
    """Turn a node into a chance node; if it is a chance node already, add a chance move.

    A terminal node gets two branches, a chance node gets one more, and the branches of a player become chance moves.
    """
    record = draft.nodes[node]
    if record.actor == CHANCE:
        return add_action(draft, node)
    if record.actor >= 0:
        return set_actor(draft, node, CHANCE)
    builder = DraftBuilder(draft)
    first, _ = builder.add_terminal(node), builder.add_terminal(node)
    builder.update_node(node, actor=CHANCE, actions=("a", "b"), probabilities=(None, None), payoffs=())
    return builder.build(), first


def remove_branch(draft: TreeDraft, node: int) -> EditResult:
    """Remove the branch to a node, and all nodes below it; for the root, clear the tree.

    The action is removed at all nodes of the information set.
    """
    builder, parent = DraftBuilder(draft), draft.nodes[node].parent
    if node == ROOT:
        builder.make_terminal(ROOT)
        return builder.build(), ROOT
    index, infoset = draft.nodes[parent].children.index(node), draft.nodes[parent].infoset
    if infoset >= 0:
        actions = draft.infosets[infoset].actions
        builder.infosets[infoset] = draft.infosets[infoset]._replace(actions=actions[:index] + actions[index + 1 :])
    for member in draft.list_infoset_nodes(parent):
        if member in builder.nodes:  # With imperfect recall, a node of this information set may be below a removed node
            builder.remove_branch(index, member)
    return builder.build(), find_parent_or_root(draft, node)


def remove_children(draft: TreeDraft, node: int) -> EditResult:
    """Remove all nodes below a given node, so that this node becomes terminal."""
    builder = DraftBuilder(draft)
    builder.make_terminal(node)
    return builder.build(), node


def rename_action(draft: TreeDraft, node: int, action: object) -> EditResult:
    """Rename the action that leads to a node, at all nodes of the parent's information set."""
    parent = draft.nodes[node].parent
    if node == ROOT:
        raise RefusedError("sketch.refused.root")
    index, actions = draft.nodes[parent].children.index(node), draft.get_actions(parent)
    label = _require_unique_name(actions[:index] + actions[index + 1 :], action)
    builder, record = DraftBuilder(draft), draft.nodes[parent]
    renamed = (*actions[:index], label, *actions[index + 1 :])
    if record.actor == CHANCE:
        builder.update_node(parent, actions=renamed)
    else:
        builder.infosets[record.infoset] = draft.infosets[record.infoset]._replace(actions=renamed)
    return builder.build(), node


def shift_branch(draft: TreeDraft, node: int, offset: int) -> EditResult:
    """Move a branch by `offset` places among the branches of the same parent."""
    parent = draft.nodes[node].parent
    if node == ROOT:
        raise RefusedError("sketch.refused.root")
    index, count = draft.nodes[parent].children.index(node), len(draft.nodes[parent].children)
    target = max(0, min(index + offset, count - 1))
    order = [other for other in range(count) if other != index]
    order.insert(target, index)
    builder = DraftBuilder(draft)
    infoset = draft.nodes[parent].infoset
    if infoset >= 0:
        builder.infosets[infoset] = draft.infosets[infoset]._replace(
            actions=tuple([draft.infosets[infoset].actions[position] for position in order])
        )
    for member in draft.list_infoset_nodes(parent):
        _reorder_branches(builder, member, order)
    return builder.build(), node


def set_probability(draft: TreeDraft, node: int, probability: object) -> EditResult:
    """Set the probability of a chance move; None means that the probability is not yet known.

    The chance moves with None share the remaining probability equally.
    """
    parent = draft.nodes[node].parent
    if node == ROOT or draft.nodes[parent].actor != CHANCE:
        raise RefusedError("sketch.refused.no_chance")
    blank = probability is None or (isinstance(probability, str) and not probability.strip())
    parsed = None if blank else _parse_probability(probability)
    index, siblings = draft.nodes[parent].children.index(node), draft.nodes[parent].probabilities
    builder = DraftBuilder(draft)
    builder.update_node(parent, probabilities=(*siblings[:index], parsed, *siblings[index + 1 :]))
    return builder.build(), node


def _parse_probability(value: object) -> Fraction:
    """Parse a probability, which may be typed as a product of numbers."""
    parsed = input_parsing.parse_number(value)
    if not 0 <= parsed <= 1:
        raise RefusedError("board.refused.probability", text=input_parsing.quote_input(value))
    return parsed


def set_payoffs(draft: TreeDraft, node: int, payoffs: str | Sequence[object]) -> EditResult:
    """Set the payoffs of a terminal node, given as one line of text or as a list.

    None stands for a payoff that is not known yet.
    """
    if is_not_terminal(draft.nodes[node].actor):
        raise RefusedError("sketch.refused.no_end")
    if isinstance(payoffs, str):
        parsed: tuple[object, ...] = (
            input_parsing.parse_payoffs(payoffs, draft.player_count) if payoffs.strip() else (None,) * draft.player_count
        )
    else:
        if len(payoffs) != draft.player_count:
            raise RefusedError(
                "sketch.refused.payoffs",
                text=", ".join(map(input_parsing.quote_input, payoffs)),
                example=input_parsing.format_example_payoffs(draft.player_count),
            )
        parsed = tuple([None if payoff is None else input_parsing.parse_number(payoff) for payoff in payoffs])
    builder = DraftBuilder(draft)
    builder.update_node(node, payoffs=parsed)
    return builder.build(), node


def set_actor(draft: TreeDraft, node: int, actor: int) -> EditResult:
    """Let another player, or chance, act at a decision node or a chance node.

    At a decision node, the player changes at all nodes of the information set.
    """
    record, builder = draft.nodes[node], DraftBuilder(draft)
    if record.actor == TERMINAL:
        raise RefusedError("sketch.refused.nobody")
    if actor != CHANCE:
        draft.require_player(actor)
    if actor == record.actor:
        return draft, node
    if actor == CHANCE:
        if len(draft.list_infoset_nodes(node)) > 1:
            raise RefusedError("sketch.refused.chance_joined")
        actions = draft.get_actions(node)
        builder.update_node(node, actor=CHANCE, infoset=-1, actions=actions, probabilities=(None,) * len(actions))
    elif record.actor == CHANCE:
        builder.update_node(
            node, actor=actor, infoset=builder.add_infoset(DraftInfoSet(actor, "", record.actions)), actions=(), probabilities=()
        )
    else:
        builder.infosets[record.infoset] = draft.infosets[record.infoset]._replace(player=actor)
        for member in draft.list_infoset_nodes(node):
            builder.update_node(member, actor=actor)
    return builder.build(), node


def set_label(draft: TreeDraft, node: int, label: object) -> EditResult:
    """Set the label of a node's information set; an empty text removes the label."""
    record = draft.nodes[node]
    if record.infoset < 0:
        raise RefusedError("sketch.refused.nobody")
    builder = DraftBuilder(draft)
    builder.infosets[record.infoset] = draft.infosets[record.infoset]._replace(label=input_parsing.parse_name(label, allow_empty=True))
    return builder.build(), node


def paste_subtree(draft: TreeDraft, node: int, source: TreeDraft, source_root: int, *, joined: bool = False) -> EditResult:
    """Paste a copy of a subtree at a terminal node.

    If `joined` is True, the players can't distinguish the copy from the original.

    >>> draft, new = add_action(TreeDraft(), 0, "in")
    >>> draft, _ = add_action(draft, 0, "out")
    >>> draft, _ = add_action(draft, new, "fight")
    >>> draft, _ = paste_subtree(draft, draft.nodes[0].children[1], draft, new, joined=True)
    >>> [draft.list_infoset_nodes(child) for child in draft.nodes[0].children]
    [[1, 3], [1, 3]]
    """
    if is_not_terminal(draft.nodes[node].actor):
        raise RefusedError("sketch.refused.no_room")
    max_player = max(source.nodes[copied].actor for copied in source.iterate_nodes(source_root))
    if max_player >= draft.player_count:
        raise RefusedError("sketch.refused.players", count=max_player + 1)
    builder = DraftBuilder(draft)
    builder.copy_subtree(source, source_root, node, joined=joined)
    return builder.build(), node


def _find_free_name(used_names: Sequence[str]) -> str:
    """Return the first unused name for a new branch: a, b, …, z, aa, bb and so on."""
    names = (letter * times for times in range(1, 60) for letter in ascii_lowercase)
    return next(name for name in names if name not in used_names)


def _require_unique_name(other_names: Sequence[str], action: object) -> str:
    """Return an action's name on one line; raise an error if another action has this name."""
    label = input_parsing.parse_name(action)
    if label in other_names:
        raise RefusedError("sketch.refused.twice", move=label)
    return label


def _guess_next_player(draft: TreeDraft, node: int) -> int:
    """Guess which player acts at a terminal node when it gets its first branch.

    Return the player who acts after a sibling branch, or else the next player after the one who acted last.
    """
    ancestor = draft.nodes[node].parent
    while ancestor >= 0:
        record = draft.nodes[ancestor]
        sibling_actors = [draft.nodes[child].actor for child in record.children if draft.nodes[child].actor >= 0]
        if sibling_actors and draft.nodes[node].parent == ancestor:
            return sibling_actors[0]
        if record.actor >= 0:
            return (record.actor + 1) % draft.player_count
        ancestor = record.parent
    return 0


def _reorder_branches(builder: DraftBuilder, node: int, order: Sequence[int]) -> None:
    """Put the branches of a node into a given order."""
    record = builder.nodes[node]
    builder.update_node(node, children=tuple([record.children[index] for index in order]))
    if record.actions:
        builder.update_node(
            node,
            actions=tuple([record.actions[index] for index in order]),
            probabilities=tuple([record.probabilities[index] for index in order]),
        )


def join_infosets(draft: TreeDraft, first_node: int, other_node: int) -> EditResult:
    """Put two nodes into one information set; a terminal node gets the other node's actions.

    >>> from durak_widget.editor import tree_edits
    >>> draft, new = tree_edits.add_action(TreeDraft(), 0, "up")
    >>> draft, _ = tree_edits.add_action(draft, 0, "down")
    >>> draft, _ = tree_edits.add_action(draft, new, "left")
    >>> draft, _ = join_infosets(draft, new, draft.nodes[0].children[1])
    >>> draft.list_infoset_nodes(new), draft.get_actions(3)
    ([1, 3], ('left',))
    """
    if first_node == other_node:
        raise RefusedError("sketch.refused.itself")
    first, second = draft.nodes[first_node], draft.nodes[other_node]
    if CHANCE in (first.actor, second.actor):
        raise RefusedError("sketch.refused.join_chance")
    if first.actor == second.actor == TERMINAL:
        raise RefusedError("sketch.refused.join_ends")
    if first.actor == TERMINAL:
        return _join_terminal(draft, first_node, other_node)
    if second.actor == TERMINAL:
        draft, _ = _join_terminal(draft, other_node, first_node)
        return draft, other_node
    if first.infoset == second.infoset:
        raise RefusedError("sketch.refused.joined")
    if first.actor != second.actor:
        raise RefusedError(
            "sketch.refused.join_players", player=draft.describe_player(first.actor), other=draft.describe_player(second.actor)
        )
    first_record, second_record = draft.infosets[first.infoset], draft.infosets[second.infoset]
    if sorted(first_record.actions) != sorted(second_record.actions) or (
        first_record.actions != second_record.actions and len({*first_record.actions}) < len(first_record.actions)
    ):
        raise RefusedError(
            "sketch.refused.join_moves",
            actions=_format_actions(first_record.actions),
            other=_format_actions(second_record.actions),
            player=draft.describe_player(first.actor),
        )
    builder = DraftBuilder(draft)
    order = (
        [second_record.actions.index(action) for action in first_record.actions] if first_record.actions != second_record.actions else None
    )
    for member in draft.list_infoset_nodes(other_node):
        children = draft.nodes[member].children
        builder.update_node(
            member, infoset=first.infoset, children=children if order is None else tuple([children[index] for index in order])
        )
    if not first_record.label and second_record.label:
        builder.infosets[first.infoset] = first_record._replace(label=second_record.label)
    return builder.build(), other_node


def split_infoset(draft: TreeDraft, node: int) -> EditResult:
    """Move a node from its information set to a new set that contains only this node."""
    record = draft.nodes[node]
    if len(draft.list_infoset_nodes(node)) < 2:
        raise RefusedError("sketch.refused.alone")
    builder = DraftBuilder(draft)
    builder.update_node(node, infoset=builder.add_infoset(draft.infosets[record.infoset]._replace(label="")))
    return builder.build(), node


def _join_terminal(draft: TreeDraft, terminal: int, other: int) -> EditResult:
    """Put a terminal node into another node's information set, with the same actions."""
    builder, record = DraftBuilder(draft), draft.nodes[other]
    builder.update_node(terminal, actor=record.actor, infoset=record.infoset, payoffs=())
    for _ in record.children:
        builder.add_terminal(terminal)
    return builder.build(), terminal


def _format_actions(actions: tuple[str, ...]) -> str:
    return ", ".join(map(clean_name, actions))


def rename_player(draft: TreeDraft, player: int, name: object) -> TreeDraft:
    """Rename a player; for an empty name, use the default name with the player's number.

    >>> from durak_widget.editor.tree_draft import TreeDraft
    >>> rename_player(TreeDraft(), 1, "Bob").names
    ('Player 1', 'Bob')
    """
    new_name = input_parsing.parse_name(name, allow_empty=True) or default_name(player)
    return replace_fields(draft, names=(*draft.names[:player], new_name, *draft.names[player + 1 :]))


def add_player(draft: TreeDraft, name: object = "") -> TreeDraft:
    """Add a player to the game; all payoffs of the new player are missing at first."""
    if draft.player_count >= MAX_PLAYERS:
        raise RefusedError("sketch.refused.most_players", count=MAX_PLAYERS)
    draft = replace_fields(draft, names=(*draft.names, default_name(draft.player_count)))
    builder = DraftBuilder(draft)
    for node, record in draft.nodes.items():
        if record.actor == TERMINAL:
            builder.update_node(node, payoffs=(*record.payoffs, None))
    return rename_player(builder.build(), draft.player_count - 1, name)


def remove_player(draft: TreeDraft, player: int) -> TreeDraft:
    """Remove a player who does not act at any node of the tree.

    >>> from durak_widget.editor.tree_draft import TreeDraft
    >>> remove_player(TreeDraft(), 0).names
    ('Player 1',)
    """
    if draft.player_count == 1:
        raise RefusedError("sketch.refused.last_player")
    if any(record.player == player for record in draft.infosets.values()):
        raise RefusedError("sketch.refused.acts", player=draft.describe_player(player))
    remaining = [other for other in range(draft.player_count) if other != player]
    names = [
        default_name(new_player) if is_unnamed(draft.names[old_player], old_player) else draft.names[old_player]
        for new_player, old_player in enumerate(remaining)
    ]
    builder = DraftBuilder(replace_fields(draft, names=tuple(names)))
    for infoset, infoset_record in draft.infosets.items():
        builder.infosets[infoset] = infoset_record._replace(player=infoset_record.player - (infoset_record.player > player))
    for node, node_record in draft.nodes.items():
        if node_record.actor == TERMINAL:
            builder.update_node(node, payoffs=tuple([node_record.payoffs[other] for other in remaining]))
        elif node_record.actor > player:
            builder.update_node(node, actor=node_record.actor - 1)
    return builder.build()


def set_title(draft: TreeDraft, title: object) -> TreeDraft:
    """Set the title of the game."""
    return replace_fields(draft, title=input_parsing.parse_name(title, allow_empty=True))
