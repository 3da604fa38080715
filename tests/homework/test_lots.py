"""Lots: the same for the same names, however they are written; names in any script."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from durak_widget.errors import DurakError
from durak_widget.homework.assignment import create_question_rng, normalize_name, require_student_name

NAMES = [
    "Ann Lee",
    "O’Brien-Smith",
    "Żaneta",
    "Ёлкина Анна",
    "李明",
    "محمد علي",
    "ਗੁਰਪ੍ਰੀਤ ਕੌਰ",
    "Nguyễn Thị Minh",
    "ѵ",
    "X Æ A-12",
    "Jr.",
    "7",
]


def test_every_persons_name_is_one():
    """In any script, with marks, joiners and digits."""
    for name in NAMES:
        assert require_student_name(name)
        assert create_question_rng("a", "", name, "q").random() == create_question_rng("a", "", f"  {name}\t", "q").random()


def test_it_does_not_matter_how_a_name_is_written():
    """Large or small, wide, spaced."""
    for one in ("ANN LEE", "ann  lee", " Ann\u00a0Lee\n", "\uff21nn Lee"):
        assert normalize_name(one) == "ann lee"


def test_what_is_composed_is_the_same_as_what_is_not():
    """As keyboards differ."""
    assert normalize_name("Jose\u0301") == normalize_name("JOSÉ")


def test_what_is_no_name_is_refused_in_a_sentence():
    """Whatever it is."""
    for none in ("", " ", "\u200b", "…", "_", "Ann\x00Lee", "x" * 201, "Ann\u202eLee", 7, None, b"Ann", ["Ann"]):
        with pytest.raises(DurakError, match="name"):
            require_student_name(none)


def test_lots_are_the_same_in_every_process():
    """Whatever seeds its hashes."""
    code = "from durak_widget.homework.assignment import create_question_rng; print(create_question_rng('econ431', '2027', 'Анна', 'throw').random())"
    found = {
        subprocess.run(
            [sys.executable, "-X", "utf8", "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**__import__("os").environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1")
    }
    assert found == {f"{create_question_rng('econ431', '2027', 'анна', 'throw').random()}\n"}


def test_lots_are_the_same_in_every_python_and_in_every_year():
    """Python promises that of `random()` alone, and instances are drawn by all of these: if one of them changed, students and whoever marks would be asked other things."""
    drawn = create_question_rng("econ431", "2027", "Ann Lee", "what-beats-what")
    cards = list(range(9))
    drawn.shuffle(cards)
    assert cards == [5, 6, 8, 2, 1, 3, 4, 0, 7]
    assert (drawn.sample("cdhs", 4), drawn.sample(range(1000), 6)) == (["h", "d", "c", "s"], [851, 85, 319, 238, 663, 87])
    assert (drawn.choice("9TJQKA"), drawn.randint(10, 99), drawn.randrange(2)) == ("Q", 36, 1)
    assert (drawn.randrange(10**9), drawn.getrandbits(32)) == (952921006, 957513214)


def test_neighbouring_names_draw_independently():
    """No two of 500 students draw alike, and each of ten lots comes about as often as the others."""
    drawn = [create_question_rng("a", "", f"student{number}", "q").randrange(10**9) for number in range(500)]
    assert len(set(drawn)) == 500
    assert max(Counter(one % 10 for one in drawn).values()) < 90


def test_each_part_counts_by_itself():
    """What ends one name does not begin the next."""
    assert create_question_rng("a", "b", "c", "d").random() != create_question_rng("a", "b c", "c", "d").random()
    assert (
        len(
            {
                create_question_rng(*four).random()
                for four in (("ab", "", "c", "d"), ("a", "b", "c", "d"), ("a", "", "bc", "d"), ("a", "", "b", "cd"))
            }
        )
        == 4
    )
