"""The page of results tells what its commands print: their output is kept in tests/data/results, one file a command, and computed anew by `make test-long`.

`python tests/theory/results/test_results_page.py NAME ...` writes files anew (all, where none is named); that takes an hour.
"""

from __future__ import annotations

import re
import shlex
import sys
from contextlib import redirect_stdout
from fractions import Fraction
from functools import cache
from io import StringIO
from operator import eq, gt, lt
from pathlib import Path

import pytest

from durak_widget.theory import results
from durak_widget.theory.results import __main__ as command

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "tests" / "data" / "results"
PAGE = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
ANEW = {"first_attack": ["first_attack", "--rules", "econ431 podkidnoy perevodnoy"], "seeing": ["seeing"]}
"""What is computed anew each time that the page is compared with it, unless its output is kept."""
RUNS = sorted(path.stem for path in KEPT.glob("*.txt"))
DEAR = ANEW.keys() - set(RUNS)
_NUMBER = re.compile(r"(?<![\w.:/])[−-]?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+(?:,\d{3})*)?")


def arguments(name):
    """The command whose output that is."""
    if name in DEAR:
        return ANEW[name]
    first = (KEPT / f"{name}.txt").read_text(encoding="utf-8").splitlines()[0]
    return shlex.split(first.removeprefix("$ python -m durak_widget.theory.results "))


def said(name):
    """What that command prints now."""
    with redirect_stdout(StringIO()) as out:
        command.main(arguments(name))
    return out.getvalue()


@cache
def printed(name):
    """What it printed."""
    if name in DEAR:
        return said(name)
    return (KEPT / f"{name}.txt").read_text(encoding="utf-8").partition("\n")[2]


def fact(name, pattern):
    """What a pattern finds in what was printed, once and no more: one text, or several."""
    [found] = re.findall(pattern, printed(name))
    return found


def table(name, head):
    """The rows of the table that was printed, by the heads of its columns; `head`: how its first line begins."""
    lines = printed(name).splitlines()
    begins = next(number for number, line in enumerate(lines) if line.startswith(head))
    names, *rows = [re.split(r" {2,}", line.strip()) for line in lines[begins:]]
    return [dict(zip(names, row, strict=True)) for row in rows]


def number(text):
    """A number as it is printed."""
    return Fraction(text.replace("−", "-").replace(",", ""))


def first_attack():
    """What the page says of attacking first."""
    games = {
        tuple(row[one] for one in ("rules", "suits × ranks", "hand", "trump", "the rest")): number(row["value"])
        for row in table("first_attack", "rules")
    }
    still = {game: value for game, value in games.items() if game[-1] != "drawn"}
    drawn = {
        game: (value, games[(*game[:4], "aside")]) for game, value in games.items() if game[-1] == "drawn" and (*game[:4], "aside") in games
    }
    trumps = [
        (value, games[(*game[:3], "none", game[4])])
        for game, value in games.items()
        if game[3] != "none" and (*game[:3], "none", game[4]) in games
    ]
    hands = [
        (value, games[(*game[:2], "1", *game[3:])])
        for game, value in games.items()
        if game[2] == "2" and game[4] == "drawn" and (*game[:2], "1", *game[3:]) in games
    ]
    worse, same, better = (sum(sign(one, other) for one, other in trumps) for sign in (lt, eq, gt))
    assert {game[0] for game, value in still.items() if value <= 0} == {"perevodnoy"}
    assert {game[2] for game, value in still.items() if value <= 0} == {"3"}
    assert all(value < aside for value, aside in drawn.values())
    yield f"{sum(value > 0 for value in still.values())} of the {len(still)} games without a talon favour who attacks first"
    yield f"worse in all {len(drawn)} pairs, and in {sum(value < 0 for value, _ in drawn.values())} of these {len(drawn)} games who *defends* first is favoured"
    yield f"worse for the attacker in {worse} of {len(trumps)} pairs, the same in {same}, better in {better}"
    yield f"two cards each are better for it than one in {sum(one > other for one, other in hands)} of {len(hands)}"
    game = ("3 × 2", "3", "none", "none")
    yield f"it is worth {told(games[('perevodnoy', *game)])} to attack, where plain `podkidnoy` gives +{told(games[('podkidnoy', *game)])}"


def told(value):
    """A fraction as the page writes it."""
    return str(value).replace("-", "−")


def taking():
    """What the page says of taking."""
    many = {name: fact(name, r"taking is strictly better in ([\d,]+) of ([\d,]+)") for name in RUNS if name.startswith("taking")}
    kinds = fact("taking", r"every rank occurs: ([\d,]+) of ([\d,]+)")
    assert [row["attacker"] + row["defender"] for row in table("taking", "attacker") if row["taking is better"] != "0"] == ["32"]
    yield f"In {many['taking'][0]} of the {many['taking'][1]} such positions"
    yield f"it is {kinds[0]} of {kinds[1]}."
    yield f"where the attacker may still add cards, {many['taking_podkidnoy'][0]} of {many['taking_podkidnoy'][1]};"
    yield f"which is `podkidnoy` without that, {many['taking_thrown_up'][0]} again"
    yield f"With six cards it is {many['taking6'][0]} of {many['taking6'][1]} (`econ431`) and {many['taking6_podkidnoy'][0]} of {many['taking6_podkidnoy'][1]} (`podkidnoy`)"


def all_but_one():
    """What the page says of who has at most one card that can be beaten."""
    pattern = r"(\d+) exceptions in ([\d,]+) positions; it sees [\d,]+ of [\d,]+ \(([\d.]+) %\)"
    (wrong, speaks, sees), (drawn, *_) = fact("all_but_one", pattern), fact("all_but_one_podkidnoy", pattern)
    assert wrong == "0"
    assert {row["exceptions"] for row in table("all_but_one_podkidnoy", "attacker") if row["attacker"] + row["defender"] != "11"} == {"0"}
    yield f"No exception in the {speaks} positions"
    yield f"It sees {float(sees):.0f} % of all that is won."
    yield f"Under `podkidnoy` there are {drawn} exceptions"


def two_against_two():
    """What the page says of two cards against two."""
    yield f"All {fact('two', r'([0-9,]+) positions:')} ways"
    won, per_cent = fact("two", r"wins (\S+) of them, ([\d.]+)%")
    one, share = fact("two", r"exactly one attack wins in ([\d,]+) of [\d,]+ \(([\d.]+) %\)")
    assert 25 < float(share) < 33
    yield f"Who attacks wins {float(per_cent):.0f} % of them; and in {one}, more than a quarter"
    yield "({}, {})".format(f"Fraction({won.replace('/', ', ')})", one.replace(",", ""))
    other = fact("two_podkidnoy", r"wins (\S+) of them, [\d.]+%, (\S+) are drawn")
    commas = ["/".join(f"{int(part):,}" for part in share.split("/")) for share in other]
    yield f"{commas[0]} are won, {commas[1]} drawn, and {fact('two_podkidnoy', r'one attack wins in ([0-9,]+) of')} have a single winning attack"
    rows = {(row["value to the attacker"], row["that keep it"]): row["positions"] for row in table("two", "value to")}
    yield f"{rows['1', '2']} positions that any attack wins, {rows['1', '1']} that one attack wins, {rows['-1', '2']} lost"


def memory():
    """What the page says of memory."""
    apart = fact("memory", r"tells ([\d,]+) information sets apart, without ([\d,]+)")
    none, lost = fact("memory", r"can be exploited by (\S+), without by (\S+)")
    won = fact("memory", r"the one that remembers wins (\S+) a game")
    assert none == "0"
    yield f"the one tells {apart[0]} information sets apart, the other {apart[1]},"
    yield f"it gives {lost} of a game away to a best response, and {won} to its other self"
    yield 'with one card each (`--game "econ431 cd 678 1 none"`) it is {}, and with trumps and one card each {}'.format(
        *(fact(name, r"the one that remembers wins (\S+) a game") for name in ("memory_1_none", "memory_1_c"))
    )
    random = next(row["exploitability"] for row in table("memory", "player") if row["player"] == "random")
    yield f"{lost} from the one that forgets, {float(Fraction(random)):.1f} from a random player"


def naive():
    """What the page says of simple rules of play."""
    lost = {row["player"]: row["exploitability"] for row in table("naive", "player")}
    worth = fact("naive", r"worth (\S+) to")
    yield f"in the game with trumps, worth {told(worth)}:"
    yield f"where this one loses {lost['beats']}, and 73/180 where it throws in and this one loses {lost['beats, throws in']}"
    yield "{:.3f} from a random player, {} from one that beats and throws in, {} from one that only beats, {} from one that takes".format(
        float(Fraction(lost["random"])), lost["beats, throws in"], lost["beats"], lost["takes"]
    )


def seeing():
    """What the page says of open hands."""
    first, many, second = fact("seeing", r"who attacks first in (\d+) of (\d+) \([^)]*\), who defends first in (\d+)")
    gains = {number(row["seeing is worth"]): row for row in table("seeing", "rules")}
    yield f"Of {many} games open hands help who attacks first in {first}, who defends first in {second}, and in {int(many) - int(first) - int(second)} it makes no difference"
    yield f"open hands bring who attacks first up to {max(gains)}, and in three games of one card each they cost it, at most {-min(gains)}"


def mixing():
    """What the page says of coins."""
    value, costs, none = fact("mixing", r"worth (\S+) to the attacker; without mixing the attacker loses (\S+) more, the defender (\S+)")
    assert none == "0"
    yield f"it is worth {told(value)} to the attacker,\nand {costs} less if it may not mix"


def mixers():
    """What the page says of the decks in which somebody must mix."""
    pattern = r"(\d+) kinds of decks\nthe attacker must mix in (\d+) of \d+ \([^)]*\), the defender in (\d+)"
    kinds, *nobody = fact("mixers4", pattern)
    assert nobody == ["0", "0"]
    yield f"(`mixers --cards 4`, {kinds} kinds of decks"
    if "mixers" in RUNS:
        kinds, attacker, defender = fact("mixers", pattern)
        yield f"the attacker must mix in {attacker} of the {kinds} kinds of decks and the\ndefender in {defender}"


def chances():
    """The table of what one hand says of the other."""
    for row, what in zip(
        table("chances", "what"),
        (
            "a hand holds a trump",
            "the other holds a given card that I do not see",
            "I hold two trumps, the other none",
            "I hold two trumps: how many the other holds on average",
        ),
        strict=True,
    ):
        yield f"| {what} | {row['exactly']} | {float(Fraction(row['exactly'])):.3f} |"


CLAIMS = (first_attack, taking, all_but_one, two_against_two, memory, naive, seeing, mixing, mixers, chances)
ELSEWHERE = {
    "143/180": "test_who_takes_the_lowest_rank_for_the_cheapest_is_another_player",
    "73/180": "the same",
    "500": "test_the_kinds_of_decks_are_those_of_the_page",
    "188": "the same",
    "620": "the same",
    "258": "test_without_memory_there_are_as_many_views_as_the_page_says",
    **dict.fromkeys(("280", "263", "293"), "seconds, measured once"),
    "132": "`mixers`, in two minutes, whose output is not kept",
    "17/20": "test_attacking_first",
    "19/20": "test_attacking_first",
    "8/45": "`seeing`",
    "1/24": "`seeing`",
    "431": "the name of the game",
}
"""Numbers of the page that another test finds, or no test."""


@pytest.mark.parametrize(
    "claims", [pytest.param(one, id=one.__name__, marks=[pytest.mark.long] * (one.__name__ in DEAR)) for one in CLAIMS]
)
def test_the_page_says_what_was_printed(claims):
    """Each sentence with a number stands there word by word, its numbers worked out from what the command printed."""
    for sentence in claims():
        assert sentence in PAGE


def test_no_number_of_the_page_is_without_its_command():
    """Fractions, decimals and numbers of three digits: in an example, in a sentence above, or in the list of those found elsewhere."""
    examples = "\n".join(re.findall(r"```.*?```", PAGE, flags=re.DOTALL))
    prose = re.sub(r"`[^`]*`|\]\([^)]*\)|^\|.*$", "", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL), flags=re.MULTILINE)
    clean = lambda text: {one.lstrip("−-").replace(",", "") for one in _NUMBER.findall(text)}  # noqa: E731 - here alone
    known = (
        clean(examples)
        | clean("\n".join(sentence for claims in CLAIMS if claims.__name__ not in DEAR for sentence in claims()))
        | ELSEWHERE.keys()
    )
    assert not {one for one in clean(prose) - known if len(one) > 2 or not one.isdigit()}


@pytest.mark.long
@pytest.mark.parametrize("name", RUNS)
def test_what_was_printed_is_printed_again(name):
    """The command that stands in the first line of each file, computed anew."""
    assert said(name) == printed(name)


@pytest.mark.long
def test_without_memory_there_are_as_many_views_as_the_page_says():
    """258 of them, which any bot is shown: here one that makes the first move."""
    found = results.memory(bot=lambda view, _: view.legal_moves()[0])
    assert found.forgotten == (8529, 258)


if __name__ == "__main__":
    for path in [KEPT / f"{name}.txt" for name in sys.argv[1:] or RUNS]:
        first = f"$ python -m durak_widget.theory.results {shlex.join(arguments(path.stem))}"
        path.write_text(f"{first}\n{said(path.stem)}", encoding="utf-8")
