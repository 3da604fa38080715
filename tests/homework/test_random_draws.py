"""Test random draws by name: the same name always draws the same, in any spelling and script."""

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


def test_every_persons_name_is_one_name():
    """Test all scripts, with marks, joiners and digits."""
    for name in NAMES:
        assert require_student_name(name)
        assert create_question_rng("a", "", name, "q").random() == create_question_rng("a", "", f"  {name}\t", "q").random()


def test_spelling_variants_draw_the_same():
    """Test case, width and spaces."""
    for spelling in ("ANN LEE", "ann  lee", " Ann\u00a0Lee\n", "\uff21nn Lee"):
        assert normalize_name(spelling) == "ann lee"


def test_composed_and_decomposed_letters_draw_the_same():
    """Keyboards differ in these."""
    assert normalize_name("Jose\u0301") == normalize_name("JOSÉ")


def test_invalid_names_are_refused():
    """Test all kinds of values."""
    for none in ("", " ", "\u200b", "…", "_", "Ann\x00Lee", "x" * 201, "Ann\u202eLee", 7, None, b"Ann", ["Ann"]):
        with pytest.raises(DurakError, match="name"):
            require_student_name(none)


def test_draws_are_the_same_in_every_process():
    """Hash seeds do not matter."""
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


def test_draws_are_the_same_in_every_python_version():
    """Python promises that only for `random()`, and instances use all of these.

    A change would give students and markers different questions.
    """
    rng = create_question_rng("econ431", "2027", "Ann Lee", "what-beats-what")
    cards = list(range(9))
    rng.shuffle(cards)
    assert cards == [5, 6, 8, 2, 1, 3, 4, 0, 7]
    assert (rng.sample("cdhs", 4), rng.sample(range(1000), 6)) == (["h", "d", "c", "s"], [851, 85, 319, 238, 663, 87])
    assert (rng.choice("9TJQKA"), rng.randint(10, 99), rng.randrange(2)) == ("Q", 36, 1)
    assert (rng.randrange(10**9), rng.getrandbits(32)) == (952921006, 957513214)


def test_similar_names_draw_independently():
    """No two of 500 students draw alike, and ten draws are equally frequent."""
    draws = [create_question_rng("a", "", f"student{number}", "q").randrange(10**9) for number in range(500)]
    assert len(set(draws)) == 500
    assert max(Counter(draw % 10 for draw in draws).values()) < 90


def test_each_part_of_a_name_counts_separately():
    """The end of one part does not start the next."""
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
