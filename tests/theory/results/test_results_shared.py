"""Results are the same to the digit whoever works at them."""

from __future__ import annotations

import pytest

from durak_widget.theory import results
from durak_widget.theory.results.__main__ import main


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("two_against_two", {"ranks": "KA"}),
        ("taking", {"cards": 4, "ranks": "KA"}),
        ("all_but_one", {"cards": 4, "ranks": "KA"}),
        ("seeing", {"decks": "2x2", "hands": "1", "rules": "podkidnoy"}),
        ("mixers", {"cards": 3, "suits": 2, "mine": 1}),
        ("miniatures", {"only": "podkidnoy cd 67 1"}),
    ],
)
def test_a_result_is_the_same_whoever_works(name, asked):
    """What is said and what stands in the rows, but for seconds, which are those of whoever's clock."""
    alone = getattr(results, name)(**asked)
    found = getattr(results, name)(**asked, executor=1)
    assert found.said() == alone.said()
    assert [{**row, "seconds": 0} for row in found.table()] == [{**row, "seconds": 0} for row in alone.table()]
    assert getattr(found, "waits", ()) == getattr(alone, "waits", ())


def test_a_command_may_say_who_works(capsys):
    """`--jobs` and `--dask` for each that is shared; an error that comes from a worker is a sentence."""
    main(["two_against_two", "--ranks", "A", "--mine", "1", "--theirs", "1", "--jobs", "1"])
    first = capsys.readouterr().out
    main(["two_against_two", "--ranks", "A", "--mine", "1", "--theirs", "1"])
    assert capsys.readouterr().out == first
    with pytest.raises(SystemExit):
        main(["mixers", "--dask", "tcp://127.0.0.1:1", "--jobs", "2"])
    assert "two answers to who works" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["chances", "--jobs", "2"])
