"""The revision of an assignment that an edition names: `2027 rev2`. A later revision may ask and mark the same questions in another way."""

from __future__ import annotations

import re
from typing import Final

from durak_widget.homework.edition import parted_edition, sealed_edition

_REVISION: Final = re.compile(r"(?:(?P<edition>.*) )?rev(?P<number>[1-9])")
_LIKE_A_REVISION: Final = re.compile(r"(?:.* )?rev[0-9]+", re.IGNORECASE)


def revision_in(edition: str) -> int:
    """Return the revision that an edition names; 0 if it names none.

    >>> [revision_in(text) for text in ("2027 rev2", "rev2", "2027 rev2 sealed K7QM4", "2027", "2027 rev1", "")]
    [2, 2, 2, 0, 1, 0]
    """
    found = _REVISION.fullmatch(parted_edition(edition)[0])
    return int(found["number"]) if found else 0


def is_wrong_revision(edition: str) -> bool:
    """Return whether an edition ends as a revision does, and names none that there can be.

    >>> [is_wrong_revision(text) for text in ("2027 rev0", "rev10", "2027 Rev2", "2027 rev2", "2027", "2027 rev0 sealed K7QM4")]
    [True, True, True, False, False, True]
    """
    return _LIKE_A_REVISION.fullmatch(parted_edition(edition)[0]) is not None and revision_in(edition) == 0


def is_exact(edition: str) -> bool:
    """Return whether an edition says which revision it is of: by its number, or since it is sealed by a word.

    >>> is_exact("2027"), is_exact("2027 rev1"), is_exact("2027 sealed K7QM4")
    (False, True, True)
    """
    return revision_in(edition) > 0 or parted_edition(edition)[1] != ""


def revised_name(edition: str, number: int) -> str:
    """Return the name of an edition in that revision; revision 1 has the plain name.

    >>> revised_name("2027", 2), revised_name("", 2), revised_name("2027 rev2", 1), revised_name("2027 sealed K7QM4", 2)
    ('2027 rev2', 'rev2', '2027', '2027 rev2 sealed K7QM4')
    """
    text, mark = parted_edition(edition)
    found = _REVISION.fullmatch(text)
    plain = (found["edition"] or "") if found else text
    named = plain if number == 1 else f"{plain} rev{number}".strip()
    return sealed_edition(named, mark) if mark else named


def revised_exactly(edition: str) -> str:
    """Return an edition so that it says which revision it is of.

    >>> revised_exactly("2027"), revised_exactly(""), revised_exactly("2027 rev2"), revised_exactly("2027 sealed K7QM4")
    ('2027 rev1', 'rev1', '2027 rev2', '2027 sealed K7QM4')
    """
    return edition if is_exact(edition) else f"{edition} rev1".strip()


def edition_name(edition: str) -> str:
    """Return the name under which an edition is kept, since `2027 rev1` is the plain `2027`.

    >>> edition_name("2027 rev1"), edition_name("2027 rev2"), edition_name("rev1"), edition_name("spring")
    ('2027', '2027 rev2', '', 'spring')
    """
    return revised_name(edition, 1) if revision_in(edition) == 1 else edition
