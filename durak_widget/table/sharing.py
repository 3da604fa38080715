"""A moment to be shared: the game and its position as text, as a cell and as a picture; and one that is brought as a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.engine.game import Game
from durak_widget.engine.table_svg import Picture
from durak_widget.errors import DurakError
from durak_widget.table.scene import listing

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.rules.ruleset import Rules
    from durak_widget.table.session import Session

links: list[Callable[[Game | Rules], str]] = []
"""How a game, or its rules, becomes a link: said by a page that can open one."""


def shared(session: Session) -> dict[str, Any]:
    """What the viewer may take away: what is seen, in words and as a picture; and, where nothing is hidden any more, all of it.

    >>> from durak_widget import Game, Table
    >>> found = shared(Table(seed=7, hands="open")._session)
    >>> sorted(found), Game.parse(found["position"]).hands == Game.parse(found["game"]).hands
    (['cell', 'game', 'kind', 'picture', 'position', 'words'], True)
    >>> sorted(shared(Table(seed=7)._session))
    ['kind', 'picture', 'words']
    """
    game, look, view = session.game, session.look, session.view()
    picture = Picture(view, four_colors=look.four_colors, language=look.language, people=session.players.called)
    moves = [
        text for bout in listing(view, session.voices(view).written) for text in (*(said for _, said in bout["moves"]), bout.get("end"))
    ]
    found = {"kind": "share", "words": "\n".join([str(picture), "", *filter(None, moves)]).strip(), "picture": picture.svg}
    whole = nothing_hidden(session)
    if links:
        found["link"] = links[-1](game if whole else game.rules)
    if not whole:
        return found
    text = str(game)
    position = {} if game.actor is None else {"position": game.position}
    return {**found, **position, "game": text, "cell": f'from durak_widget import Game, Table\n\nTable(Game.parse("""\n{text}"""))'}


def nothing_hidden(session: Session) -> bool:
    """Whether all cards may be told: the game is over, and is not played on from an earlier moment; or all hands lie open."""
    ahead = session.game.copy()
    ahead.goto(ahead.last_ply)
    return session.look.hands == "open" or (ahead.outcome is not None and not session.taken_back)


def read(session: Session, text: str) -> Game | None:
    """The game or position that a text says; of one that cannot be laid it is said why, and nothing is lost."""
    voices = session.voices(session.view())
    try:
        if session.setter is None:
            return Game.parse(text)
        why = voices.say("table.fixed_game")
    except DurakError as error:
        why = voices.say("table.unread", why=str(error))
    session.send({"kind": "unread", "said": why})
    return None
