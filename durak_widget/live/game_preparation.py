"""Prepares a question about a game: its names, decisions and pictures in all languages."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from durak_widget.board.number_format import format_number_in_sentence
from durak_widget.board.tree_wording import TreeWording, clean_name
from durak_widget.gametheory.infoset_labels import MAX_SHOWN_ACTIONS
from durak_widget.gametheory.strategic_form import Matrix, PureStrategy
from durak_widget.i18n import Translator
from durak_widget.live.game_pictures import MAX_PHONE_NODES, draw_matrix, draw_tree
from durak_widget.live.game_specs import get_list, get_text, load_game
from durak_widget.live.question import LANGUAGES, SpecError
from durak_widget.live.textbook_words import BEGINS, translate_tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.tree import Tree
    from durak_widget.live.game_specs import LoadedGame
    from durak_widget.live.question import JsonObject

_MAX_MIXES_LENGTH: Final = 3_900
"""The maximum length of a mix at each information set as text, in characters, so that one message of a phone has room for it."""
_MAX_DETAILS: Final = 4
"""The maximum number of columns (or rows) for which the form lists the payoffs of each row (or column) in words."""
_MAX_LABEL_LENGTH: Final = 100
"""The maximum length, in characters, of a path in the label of an information set."""
_START_LABELS: Final = frozenset({"", "begins", "start", "root", *BEGINS})
"""Labels of the root's information set that say only that the player moves first."""


def prepare_game(spec: JsonObject) -> JsonObject:
    """Return all that the event loop needs of a game.

    Raise `SpecError` if a class cannot be asked about it.

    >>> prepare_game({"kind": "game", "textbook": "entry"})["title"]["lt"]
    'Parduotuvė ir varžovas'
    """
    game = load_game(spec)
    roles = sorted({record.player for record in game.tree.infosets})
    if spec.get("mix"):
        _require_short_mixes(game.tree, roles)
    games = {language: translate_game(game, spec, language) for language in LANGUAGES}
    names = {language: list_player_names(spec, games[language].tree, language) for language in LANGUAGES}
    actions = {language: list_actions(spec, games[language], language) for language in LANGUAGES}
    labels = {language: label_infosets(games[language], language) for language in LANGUAGES}
    details = {language: _describe_payoffs(game, actions[language], language) for language in LANGUAGES}
    infosets = [
        [
            {
                "id": infoset,
                **{
                    key: {language: texts[language][infoset] for language in LANGUAGES}
                    for key, texts in (("labels", labels), ("actions", actions), ("details", details))
                },
            }
            for infoset, record in enumerate(game.tree.infosets)
            if record.player == player
        ]
        for player in roles
    ]
    return {
        "title": {language: _get_title(spec, game.tree, language) for language in LANGUAGES},
        "text": {language: get_text(spec, "text", language).strip() for language in LANGUAGES},
        "names": names,
        "roles": roles,
        "infosets": infosets,
        "is_matrix": game.matrix is not None,
        "pictures": {language: draw_game(games[language], names[language], actions[language], language) for language in LANGUAGES}
        if game.tree.history_count <= MAX_PHONE_NODES
        else {},
    }


def translate_game(game: LoadedGame, spec: JsonObject, language: str) -> LoadedGame:
    """Return a textbook game with its names in a language, and other games unchanged."""
    return game._replace(tree=translate_tree(game.tree, spec.get("textbook"), language))


def draw_game(
    game: LoadedGame, names: Sequence[str], actions: Sequence[Sequence[str]], language: str, shares: Sequence[object] | None = None
) -> JsonObject:
    """Return a picture of a game, and the same in words; `shares` are those of the class."""
    picture = (
        draw_tree(game.tree, language, player_names=names, shares=shares)  # type: ignore[arg-type]
        if game.matrix is None
        else draw_matrix(rename_strategies(game.matrix, actions), language, player_names=names, shares=shares)  # type: ignore[arg-type]
    )
    return picture._asdict()


def rename_strategies(matrix: Matrix, actions: Sequence[Sequence[str]]) -> Matrix:
    """Return a matrix with other names of rows and columns."""
    rows, columns = ([PureStrategy(name, name, {}) for name in names] for names in actions)
    return Matrix(matrix.names, rows, columns, matrix.payoffs)


def _require_short_mixes(tree: Tree, roles: Sequence[int]) -> None:
    """Raise `SpecError` if mixes of a role would not fit into one message.

    Answers without mixes always fit, because a tree has few enough nodes.
    """
    for player in roles:
        sizes = [len(record.actions) for record in tree.infosets if record.player == player]
        if sum(3 * size + 3 for size in sizes) > _MAX_MIXES_LENGTH:  # Brackets and commas, and percentages of two digits
            raise SpecError(
                f"a student would have to set a mix at {len(sizes)} information sets, which is too much for one answer; leave out mix=True, or ask about a part of the game, such as one subgame"
            )


def _get_title(spec: JsonObject, tree: Tree, language: str) -> str:
    """Return the title that the teacher, the textbook game or the file gives."""
    say = Translator(language).translate
    if own_title := clean_name(get_text(spec, "title", language)):
        return own_title
    if isinstance(spec.get("textbook"), str):
        try:
            return say(f"page.game.{spec['textbook']}")
        except KeyError:
            return clean_name(tree.title) or spec["textbook"]
    return clean_name(tree.title) or say("live.game.title")


def list_player_names(spec: JsonObject, tree: Tree, language: str) -> list[str]:
    """Return the players' names; the default names are translated."""
    own_names, default_names = get_list(spec, "names", language), TreeWording(tree, language).player_names
    if own_names is None or len(own_names) != tree.player_count:
        if spec.get("payoffs") is not None:
            return [Translator(language).translate(f"live.game.{name}") for name in ("row", "column")]
        return default_names
    return [clean_name(str(name)) or default for name, default in zip(own_names, default_names, strict=True)]


def list_actions(spec: JsonObject, game: LoadedGame, language: str) -> list[list[str]]:
    """Return the names of the actions at each information set."""
    if game.matrix is None:
        wording = TreeWording(game.tree, language)
        return [[str(action["text"]) for action in wording.describe_actions(infoset)] for infoset in range(len(game.tree.infosets))]
    actions = list[list[str]]()
    for key, strategies in (("rows", game.matrix.rows), ("columns", game.matrix.columns)):
        own_names = get_list(spec, key, language)
        names = own_names if own_names is not None and len(own_names) == len(strategies) else list(map(str, strategies))
        actions.append([clean_name(str(name)) or str(number) for number, name in enumerate(names, 1)])
    return actions


def _describe_payoffs(game: LoadedGame, actions: Sequence[Sequence[str]], language: str) -> list[list[str]]:
    """Return for each row and column of a matrix what it pays against each choice.

    The texts are empty for a tree, and for a matrix that is too large to be read in words.
    """
    matrix = game.matrix
    if matrix is None:
        return [[""] * len(names) for names in actions]
    say, result = Translator(language).translate, list[list[str]]()
    for player, payoff_lines in enumerate((list(matrix.payoffs), list(zip(*matrix.payoffs, strict=True)))):
        if len(actions[1 - player]) > _MAX_DETAILS:
            result.append([""] * len(payoff_lines))
            continue
        texts = [
            [
                say("live.game.against", points=format_number_in_sentence(cell[player], language), action=other)
                for cell, other in zip(line, actions[1 - player], strict=True)
            ]
            for line in payoff_lines
        ]
        result.append(["; ".join(line) for line in texts])
    return result


def label_infosets(game: LoadedGame, language: str) -> list[str]:
    """Return a label for each information set, such as "after enter".

    Labels of the same player differ. A label is "" where there is nothing to say, because the player decides only once and does
    not know what happened before.

    >>> from durak_widget.live.game_specs import load_game
    >>> label_infosets(load_game({"textbook": "horse"}), "en")
    ['at the start', 'One or Two went down', 'One went across']
    """
    tree, say = game.tree, Translator(language).translate
    labels = [""] * len(tree.infosets)
    if game.matrix is not None:
        return labels
    wording = TreeWording(tree, language)
    paths, first_infoset = _list_paths(wording), tree.infoset_of[0] if tree.actor[0] >= 0 else None
    own_labels = [_get_own_label(wording, infoset) for infoset in range(len(tree.infosets))]
    for player in range(tree.player_count):
        same_label: dict[str, list[int]] = {}
        own_infosets = [infoset for infoset, record in enumerate(tree.infosets) if record.player == player]
        for infoset in own_infosets:
            if infoset == first_infoset and len(paths[infoset]) == 1 and own_labels[infoset] in _START_LABELS:
                labels[infoset] = say("live.game.at_start")
            else:
                same_label.setdefault(own_labels[infoset], []).append(infoset)
        for label, infosets in same_label.items():
            if label and len(infosets) == 1:
                labels[infosets[0]] = label
                continue
            for infoset, path in zip(infosets, _describe_paths([paths[infoset] for infoset in infosets]), strict=True):
                if path is None:  # The paths don't distinguish the information sets
                    text = say("live.game.decision", number=own_infosets.index(infoset) + 1)
                else:
                    text = say("live.game.after", moves=path) if path else ""
                labels[infoset] = f"{label} ({text})" if label and text else label or text
    return labels


def _get_own_label(wording: TreeWording, infoset: int) -> str:
    """Return the label that the game's author wrote; "" if it is only a number or a sign."""
    label = wording.describe_infoset(infoset)
    return label if any(character.isalpha() for character in label) else ""


def _list_paths(wording: TreeWording) -> list[list[tuple[str, ...]]]:
    """Return for each information set the actions that lead to each of its nodes."""
    tree = wording.tree
    path_of_node: list[tuple[str, ...]] = [()] * tree.history_count
    paths: list[list[tuple[str, ...]]] = [[] for _ in tree.infosets]
    for node, actor in enumerate(tree.actor):
        if node:
            path_of_node[node] = (*path_of_node[tree.parent[node]], str(wording.describe_branch(node)["text"]))
        if actor >= 0:
            paths[tree.infoset_of[node]].append(path_of_node[node])
    return paths


def _describe_paths(paths_of_infosets: Sequence[Sequence[tuple[str, ...]]]) -> list[str | None]:
    """Describe the paths to several information sets, as short as distinguishes them.

    The ways are: the last actions that all paths to the information set have in common, all these actions, and all paths. The
    description is None where none of them is short and different from the others; for a single information set it may be "".

    >>> _describe_paths([[("good", "offer")], [("bad", "offer")], [("bad",), ("good",)]])
    ['good, offer', 'bad, offer', 'bad / good']
    """
    candidates = list[tuple[str, ...]]()
    for paths in paths_of_infosets:
        shared = set(paths[0]).intersection(*paths[1:])
        common = [action for action in paths[0] if action in shared]
        last = common if len(common) <= MAX_SHOWN_ACTIONS else ["…", *common[1 - MAX_SHOWN_ACTIONS :]]
        every = list[str]()
        for path in paths:
            every.append(", ".join(path))
            if sum(map(len, every)) > _MAX_LABEL_LENGTH:
                break
        texts = ", ".join(last), ", ".join(common), " / ".join(every)
        candidates.append(tuple([text if len(text) <= _MAX_LABEL_LENGTH else "" for text in texts]))
    if len(candidates) == 1:
        return [candidates[0][0]]
    counts = [Counter(texts) for texts in zip(*candidates, strict=True)]
    return [next((text for text, count in zip(texts, counts, strict=True) if text and count[text] == 1), None) for texts in candidates]
