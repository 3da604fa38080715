"""Test questions about trees and matrices: specs, forms, answers, exact results, and what the board shows when."""

from __future__ import annotations

import json
import os
import re
import time
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory.strategic_form import matrix_from_payoffs
from durak_widget.gametheory.strategy import pure_row
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, build_tree
from durak_widget.live.game_question import GameQuestion, load_game, make_game_spec
from durak_widget.live.messages import parse_message
from durak_widget.live.question import LANGUAGES, AnswerError, SpecError, load_question
from support.random_trees import hidden_tree
from support.small_trees import ENTRY

TEXTBOOK = [
    "bayes",
    "beer-quiche",
    "centipede",
    "chain-store",
    "driver",
    "entry",
    "horse",
    "kuhn",
    "myerson",
    "outside-option",
    "pennies",
    "spence",
    "ultimatum",
]
BATTLE = [[(3, 2), (0, 0)], [(0, 0), (2, 3)]]


def copied(value):
    """Return a value as it comes back from the log."""
    return json.loads(json.dumps(value))


def ask(game, **options):
    """Return the question about a game, as the event loop has it."""
    spec = copied(make_game_spec(game, **options))
    return load_question(spec, copied(GameQuestion.prepare(spec)))


def answer_all(question, count, seed=1):
    """Return random answers of so many students."""
    rng = Random(seed)
    return {seat: question.parse_answer(seat, copied(question.pick_answer(seat, rng))) for seat in range(count)}


def score(question, answers, language="en"):
    """Return the result as it comes back from the worker."""
    return copied(question.score(answers, language))


def entry_answers():
    """Return answers of two entrants (one enters) and two chain stores (one fights)."""
    return {0: {"infosets": [0]}, 1: {"infosets": [0]}, 2: {"infosets": [1]}, 3: {"infosets": [1]}}


# --- Specs ---


def test_every_way_to_give_a_game_gives_the_same_game(tmp_path):
    """A tree, its text, its file and the name of a textbook game are the same question."""
    tree = gametheory.textbook("entry")
    path = tmp_path / "entry.efg"
    path.write_text(gametheory.to_efg(tree), encoding="utf-8")
    specs = [make_game_spec(game) for game in (tree, gametheory.to_efg(tree), path, str(path), "entry")]
    assert all(load_game(copied(spec)).tree == tree for spec in specs)


def test_every_way_to_give_a_matrix_gives_the_same_matrix(tmp_path):
    """Rows of payoffs, a matrix, and an .nfg file or its text are the same question."""
    matrix = matrix_from_payoffs(BATTLE, rows=["opera", "match"], columns=["opera", "match"], names=("Ann", "Bob"))
    path = tmp_path / "battle.nfg"
    path.write_text(gametheory.to_nfg(matrix), encoding="utf-8")
    raw = make_game_spec(BATTLE, rows=["opera", "match"], columns=["opera", "match"], names=("Ann", "Bob"))
    for spec in (raw, *(make_game_spec(game) for game in (matrix, path, gametheory.to_nfg(matrix)))):
        assert str(load_game(copied(spec)).matrix) == str(matrix)


def test_payoffs_stay_exact_in_a_spec():
    """Fractions and long decimals survive the way through JSON."""
    spec = copied(make_game_spec([[("1/3", "0.1"), (Fraction(2, 7), -1)]]))
    assert load_game(spec).matrix.payoffs == (((Fraction(1, 3), Fraction(1, 10)), (Fraction(2, 7), Fraction(-1))),)


def test_a_matrix_file_of_three_players_becomes_a_tree():
    """An .nfg file of three players is asked as a tree with simultaneous choices."""
    text = 'NFG 1 R "three" { "A" "B" "C" } { 2 2 1 } 1 2 3  4 5 6  7 8 9  0 1 2'
    question = ask(text)
    assert question.role_count == 3
    assert load_game(question.spec).tree.terminal_count == 4


@pytest.mark.parametrize(
    ("game", "limit"),
    [
        ([[0] * 9], "8"),
        ([[0]] * 9, "8"),
        (
            build_tree(
                0,
                lambda n: TerminalNode((0,)) if n > 40 else DecisionNode(0, n, [(str(i), n + 1 if i == 0 else 99) for i in range(60)]),
                player_count=1,
            ),
            "2,000",
        ),
        (build_tree("", lambda _: TerminalNode((1, 2)), player_count=2), ""),
        ("no such game", "entry"),
        ("no/such/file.efg", "path"),
        ('EFG 2 R "broken" { "A" } q', ""),
        ([["x"]], ""),
        (build_tree("", {"": DecisionNode(6, "", [("a", "b")]), "b": TerminalNode((0,) * 7)}.__getitem__, player_count=7), "6"),
    ],
)
def test_a_game_that_cannot_be_asked_is_refused(game, limit):
    """A game that is too large, empty or unreadable gets an error that names the limit or the way out."""
    with pytest.raises(SpecError) as error:
        make_game_spec(game)
    assert limit in str(error.value)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("as_path", [str, Path])
def test_only_files_are_read(tmp_path, as_path):
    """A pipe, a device, a folder and a huge file are refused at once, also behind a link."""
    pipe, link, folder, huge = (tmp_path / f"{name}.efg" for name in ("pipe", "link", "folder", "huge"))
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    folder.mkdir()
    with huge.open("wb") as file:
        file.truncate(10**11)
    for path in (pipe, link, folder, huge, tmp_path / "\0.efg", "~nobody-has-this-name/x.efg"):
        with pytest.raises(SpecError):
            make_game_spec(as_path(path))


@pytest.mark.parametrize("content", ["hidden:x:0:0\n", "hidden:x:0:0", "", "\ufeffkuhn"])
def test_another_file_is_not_quoted(tmp_path, content):
    """The error for a file that is not a game has its name and none of its content."""
    path = tmp_path / "passwords.efg"
    path.write_text(content, encoding="utf-8")
    for game in (path, str(path)):
        with pytest.raises(SpecError, match=r"passwords\.efg") as error:
            make_game_spec(game)
        assert "hidden" not in str(error.value)


@pytest.mark.parametrize(
    "spec",
    [
        {"kind": "game"},
        {"kind": "game", "payoffs": 5},
        {"kind": "game", "efg": 5},
        {"kind": "game", "textbook": ["entry"]},
        {"kind": "game", "textbook": "entry", "mix": "yes"},
        {"kind": "game", "textbook": "entry", "title": 5},
        {"kind": "game", "payoffs": [["1"]], "rows": 5},
        {"kind": "game", "payoffs": [["1"]], "rows": ["a", "b"]},
        {"kind": "game", "textbook": "entry", "text": "x" * 10_000},
    ],
)
def test_a_malformed_spec_is_refused(spec):
    """A spec that was written by hand and is wrong gets an error that says so."""
    with pytest.raises(SpecError):
        GameQuestion.prepare(spec)


def build_chain(length, actions=("stop", "go")):
    """Return a tree of one player who may go on at each of many information sets."""

    def expand(number):
        children = [*((action, length + 1) for action in actions[:-1]), (actions[-1], number + 1)]
        return TerminalNode((number,)) if number >= length else DecisionNode(0, number, children)

    return build_tree(0, expand, player_count=1)


def build_star(width, *, is_hidden):
    """Return a tree in which one player chooses among many branches, and another answers, who may not see the choice."""
    nodes = {"": DecisionNode(1, "", [(f"branch {number}", str(number)) for number in range(width)]), "end": TerminalNode((1, 2))}
    for number in range(width):
        nodes[str(number)] = DecisionNode(0, "hidden" if is_hidden else number, [("yes", "end"), ("no", "end")])
    return build_tree("", nodes.__getitem__, player_count=2)


@pytest.mark.parametrize(
    "tree",
    [
        build_chain(999),
        build_chain(1999, ["go"]),
        build_chain(181, [f"action {number}" for number in range(11)]),
        build_star(666, is_hidden=False),
        build_star(666, is_hidden=True),
        build_chain(1, [f"action {number}" for number in range(1999)]),
    ],
    ids=["long", "forced", "eleven actions", "wide", "hidden", "one decision"],
)
def test_every_tree_of_2000_nodes_can_be_asked(tree):
    """The longest answer of a role fits into one message, and the answers of a class are prepared, read and scored within seconds."""
    start = time.process_time()
    question = ask(tree)
    assert time.process_time() - start < 5
    for seat in range(question.role_count):
        infosets = question.build_form(seat, "lt")["infosets"]
        answer = {"infosets": [len(infoset["actions"]) - 1 for infoset in infosets]}
        message = {"kind": "answer", "question": 9999, "answer": answer}
        assert parse_message(json.dumps(message, separators=(",", ":"))) == message
        assert question.parse_answer(seat, answer) == answer
    answers = answer_all(question, 40)
    result = score(question, answers)
    assert time.process_time() - start < 10
    assert question.build_board(answers, result, None, is_revealed=True, language="ru")["lines"]
    assert all(question.describe_result(result, seat, "ru")["lines"] for seat in answers)


def test_mixes_must_fit_into_one_message():
    """A game with too many decisions for mixes is refused with the way out, and a game with many is not."""
    question = ask(build_chain(400), mix=True)
    infosets = question.build_form(0, "en")["infosets"]
    message = {"kind": "answer", "question": 9999, "answer": {"infosets": [[50, 50] for _ in infosets]}}
    assert parse_message(json.dumps(message, separators=(",", ":"))) == message
    spec = make_game_spec(build_chain(900), mix=True)
    with pytest.raises(SpecError, match=r"900.*mix=True"):
        GameQuestion.prepare(spec)


# --- Forms and answers ---


@pytest.mark.parametrize("name", TEXTBOOK)
def test_each_textbook_game_can_be_asked_within_seconds(name):
    """Prepare, solve and score take a few seconds for 60 answers, and all texts are there in all languages."""
    start = time.process_time()
    question = ask(name)
    solution = copied(question.solve())
    answers = answer_all(question, 60)
    result = score(question, answers)
    assert time.process_time() - start < 10
    for language in LANGUAGES:
        for seat in range(question.role_count):
            form = question.build_form(seat, language)
            assert form["title"]
            assert form["text"]
            assert form["picture"].startswith("<svg")
            assert all(infoset["label"] and infoset["actions"] for infoset in form["infosets"])
            assert question.describe_result(result, seat, language)["headline"]
        board = question.build_board(answers, result, solution, is_revealed=True, language=language)
        assert 1 <= len(board["equilibria"]) <= 5
        assert board["groups"]


def test_titles_of_textbook_games_are_translated():
    """A textbook game has its own title in each language, and the teacher's title goes before it."""
    question = ask("entry")
    assert len({question.title(language) for language in LANGUAGES}) == 3
    named = ask("entry", title={"en": "A shop", "lt": "Parduotuvė"})
    assert [named.title(language) for language in LANGUAGES] == ["A shop", "Parduotuvė", "A shop"]


def test_labels_distinguish_the_decisions_of_a_role():
    """Decisions without names are named by what happened before; the first one is at the start."""
    nodes = {
        "": DecisionNode(0, 1, [("up", "u"), ("down", "d")]),
        "u": DecisionNode(1, 2, [("left", "ul"), ("right", "e")]),
        "d": DecisionNode(1, 3, [("left", "e"), ("right", "e")]),
        "ul": DecisionNode(0, 4, [("in", "e"), ("out", "e")]),
        "e": TerminalNode((0, 0)),
    }
    question = ask(build_tree("", nodes.__getitem__, player_count=2, names=("Ann", "Bob")))
    labels = [[infoset["label"] for infoset in question.build_form(seat, "en")["infosets"]] for seat in (0, 1)]
    assert labels == [["At the start", "After up, left"], ["After up", "After down"]]


@given(st.integers(0, 2**32))
def test_labels_of_a_role_are_all_different(number):
    """In any tree, however its decisions are named, a student can tell their decisions apart."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=rng.choice((1, 2, 3)), most=4)
    if not tree.infosets:
        return
    tree.infosets = [record._replace(label=rng.choice(("", "7", "same", record.label))) for record in tree.infosets]
    question = ask(tree)
    for language in LANGUAGES:
        for seat in range(question.role_count):
            labels = [infoset["label"] for infoset in question.build_form(seat, language)["infosets"]]
            assert len(set(labels)) == len(labels)
            assert all(labels)


def test_only_those_who_decide_are_roles():
    """A player who never acts is no role, so no student has nothing to do."""
    nodes = {"": DecisionNode(2, "x", [("a", "e"), ("b", "e")]), "e": TerminalNode((1, 2, 3))}
    question = ask(build_tree("", nodes.__getitem__, player_count=3, names=("Ann", "Bob", "Cem")))
    assert question.role_count == 1
    assert score(question, answer_all(question, 3))["seats"]["2"]["points"] == "3"


@pytest.mark.parametrize(
    "answer",
    [
        None,
        5,
        {},
        {"infosets": []},
        {"infosets": [0]},
        {"infosets": [0, None]},
        {"infosets": [0, 0, 0]},
        {"infosets": [True, 0]},
        {"infosets": [2, 0]},
        {"infosets": [-1, 0]},
        {"infosets": [[50, 50], 0]},
        {"infosets": ["0", 0]},
        {"infosets": {"0": 0, "1": 0}},
        {"infosets": [0, 0], "more": 1},
    ],
)
def test_a_wrong_answer_is_refused(answer):
    """An answer that is incomplete, of a wrong type, or for another role's decisions is refused in the student's language."""
    question = ask("outside-option")
    with pytest.raises(AnswerError) as error:
        question.parse_answer(0, answer)
    assert len({error.value.to_text(language) for language in LANGUAGES}) == 3


@pytest.mark.parametrize("row", [[50, 51], [100], [50.0, 50.0], [-10, 110], [True, 99], ["50", "50"], 2, None])
def test_a_wrong_mix_is_refused(row):
    """Percentages must be whole numbers from 0 to 100 that add up to 100, one for each action."""
    with pytest.raises(AnswerError):
        ask("pennies", mix=True).parse_answer(0, {"infosets": [row]})


def test_equal_answers_have_equal_canonical_forms():
    """A pure choice and a mix of 100 percent are the same answer."""
    question = ask("pennies", mix=True)
    assert question.parse_answer(2, {"infosets": [1]}) == question.parse_answer(2, {"infosets": [[0, 100]]})


@given(st.integers(0, 2**32), st.booleans())
def test_random_answers_are_accepted_unchanged(number, mix):
    """What a simulated student picks is a canonical answer, and its rows of data have probabilities that add up to 1 everywhere."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=2, most=3)
    if not tree.infosets:
        return
    question = ask(tree, mix=mix)
    for seat in range(3):
        answer = question.pick_answer(seat, rng)
        assert question.parse_answer(seat, copied(answer)) == answer
        rows = question.list_choices(seat, answer)
        assert sum(Fraction(row["probability"]) for row in rows) == len(answer["infosets"])


def test_rows_of_data_name_role_decision_and_choice():
    """An answer becomes one row for each action that it plays."""
    question = ask("pennies", mix=True)
    rows = question.list_choices(1, {"infosets": [[25, 75]]})
    assert [(row["role"], row["choice"], row["probability"]) for row in rows] == [("Odd", "heads", "1/4"), ("Odd", "tails", "3/4")]


# --- Results ---


def test_points_in_the_entry_game():
    """Half of the stores fight: entering earns 1 on average, as staying out does; sharing earns more than fighting."""
    question = ask("entry")
    result = score(question, entry_answers())
    assert [question.get_points(result, seat) for seat in range(4)] == ["1", "7/2", "1", "5/2"]
    assert result["roles"][0]["best_actions"] == {"0": [0, 1]}
    assert result["roles"][1]["best_actions"] == {"1": [0]}
    assert [question.describe_result(result, seat, "en")["is_right"] for seat in range(4)] == [True, True, True, None]


@given(st.integers(0, 2**32), st.booleans())
def test_points_in_a_matrix_are_averages_of_cells(number, mix):
    """A row earns the average of its cells against all columns that were answered, weighted by mixes; so does a column."""
    rng = Random(number)
    rows, columns = rng.randint(1, 8), rng.randint(1, 8)
    payoffs = [[(Fraction(rng.randint(-9, 9), rng.randint(1, 4)), rng.randint(-9, 9)) for _ in range(columns)] for _ in range(rows)]
    question = ask(payoffs, mix=mix)
    answers = answer_all(question, rng.randint(2, 9), seed=number)
    result = score(question, answers)

    def row_of(seat):
        choice = answers[seat]["infosets"][0]
        count = (rows, columns)[seat % 2]
        return [Fraction(percent, 100) for percent in choice] if mix else pure_row(choice, count)

    for seat in answers:
        others = [other for other in answers if other % 2 != seat % 2]
        total = sum(
            own * theirs * (payoffs[i][j] if seat % 2 == 0 else payoffs[j][i])[seat % 2]
            for other in others
            for i, own in enumerate(row_of(seat))
            for j, theirs in enumerate(row_of(other))
        )
        assert Fraction(question.get_points(result, seat)) == total / len(others)
        values = [
            sum(
                theirs * (payoffs[i][j] if seat % 2 == 0 else payoffs[j][i])[seat % 2]
                for other in others
                for j, theirs in enumerate(row_of(other))
            )
            / len(others)
            for i in range((rows, columns)[seat % 2])
        ]
        facts = result["roles"][seat % 2]
        assert Fraction(facts["best"]) == max(values)
        assert facts["best_actions"] == {str(seat % 2): [i for i, value in enumerate(values) if value == max(values)]}


@given(st.integers(0, 2**32), st.booleans())
def test_who_earns_the_most_is_told_so_and_others_what_to_change(number, mix):
    """A student is right exactly with the best possible points; everyone else has a decision to change."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=rng.choice((2, 3)), most=4)
    if not tree.infosets:
        return
    question = ask(tree, mix=mix)
    result = score(question, answer_all(question, 9, seed=number))
    for seat, own in result["seats"].items():
        best = Fraction(result["roles"][question.role_of(int(seat))]["best"])
        is_best = Fraction(own["points"]) == best
        assert Fraction(own["points"]) <= best
        assert question.describe_result(result, int(seat), "en")["is_right"] is (True if is_best else None)
        assert bool(own["changes"]) is not is_best


def test_equal_results_are_described_once():
    """Students of a role with the same answer share what their phones show; another result is described anew."""
    question = ask("entry")
    answers = {seat: {"infosets": [seat // 2 % 2]} for seat in range(40)}
    result = score(question, answers)
    described = [question.describe_result(result, seat, "en") for seat in answers]
    assert len({id(shown) for shown in described}) <= 4
    assert question.describe_result(result, 0, "lt") != described[0]
    later = score(question, {**answers, 1: {"infosets": [1]}})
    assert question.describe_result(later, 0, "en") != described[0]


def test_a_role_without_answers_is_named():
    """Students without anyone to play against have no points, and they and the board read who is missing."""
    question = ask("entry")
    answers = {0: {"infosets": [0]}, 2: {"infosets": [1]}}
    result = score(question, answers)
    assert question.get_points(result, 0) is None
    for language in LANGUAGES:
        missing = question.prepared["names"][language][1]
        assert missing in question.describe_result(result, 0, language)["headline"]
        board = question.build_board(answers, result, None, is_revealed=True, language=language)
        assert any(missing in line for line in board["lines"])
    assert question.describe_result(result, 1, "en")["is_right"] is None


def test_a_result_says_what_the_others_chose():
    """A student reads their own choice and the shares of the other role, but only if the result has them."""
    question = ask([[(1, 0), (0, 1)], [(0, 1), (1, 0)]], rows=["up", "down"], columns=["left", "right"])
    answers = {0: {"infosets": [1]}, **{seat: {"infosets": [int(seat > 1)]} for seat in (1, 3, 5, 7)}}
    result = score(question, answers)
    lines = " ".join(question.describe_result(result, 0, "en")["lines"]).replace("\N{NO-BREAK SPACE}", " ")
    assert "down" in lines
    assert "25% left, 75% right" in lines
    earlier = {key: value for key, value in result.items() if key != "shares"}  # As in the log of an older session
    assert "25%" not in " ".join(question.describe_result(earlier, 0, "en")["lines"])


def test_equal_points_are_not_called_different():
    """A student who earned almost the most does not read the same number twice."""
    question = ask([[("0.003", 0)], [(0, 0)]], rows=["up", "down"], columns=["only"])
    result = score(question, {0: {"infosets": [1]}, 1: {"infosets": [0]}})
    described = question.describe_result(result, 0, "en")
    assert described["is_right"] is None
    assert any("up" in line for line in described["lines"])
    assert not re.search(r"\d\.\d|≈", described["lines"][2])


@pytest.mark.parametrize("name", TEXTBOOK)
def test_textbook_games_are_in_the_language_of_the_phone(name):
    """A Russian phone and its picture have no English word of the game, and a Lithuanian one has other words."""
    prepared = ask(name).prepared
    texts = [*prepared["names"]["ru"], prepared["pictures"]["ru"]["text"]]
    for infoset in (infoset for infosets in prepared["infosets"] for infoset in infosets):
        texts += [infoset["labels"]["ru"], *infoset["actions"]["ru"]]
        assert set(infoset["actions"]["lt"]).isdisjoint(infoset["actions"]["en"])
    assert not re.search("[A-Za-z]", " ".join(texts))


def test_pictures_with_shares_are_in_the_language_of_the_class():
    """The projector's picture of a textbook game has the names of its language."""
    question = ask("entry")
    answers = entry_answers()
    texts = {language: score(question, answers, language)["picture"]["text"] for language in LANGUAGES}
    for language in LANGUAGES:
        assert question.prepared["names"][language][0] in texts[language]
    assert len(set(texts.values())) == 3


def test_nobody_answered():
    """A question without any answer has a result and a board too."""
    question = ask("horse")
    result = score(question, {})
    board = question.build_board({}, result, copied(question.solve()), is_revealed=True, language="en")
    assert result["seats"] == {}
    assert all(bar["count"] == 0 for group in board["groups"] for bar in group["bars"])


def test_the_absent_minded_driver():
    """Without a mix the driver can get 1 at most; with one, exactly 4/3 is possible, and two thirds come near."""
    pure = ask("driver")
    assert score(pure, {0: {"infosets": [0]}, 1: {"infosets": [1]}})["roles"][0]["best"] == "1"
    mixed = ask("driver", mix=True)
    answers = {0: {"infosets": [[33, 67]]}, 1: {"infosets": [[0, 100]]}}
    result = score(mixed, answers)
    assert result["roles"][0]["best"] == "4/3"
    assert Fraction(result["seats"]["0"]["points"]) == Fraction(67, 100) * (Fraction(33, 100) * 4 + Fraction(67, 100))
    assert mixed.describe_result(result, 1, "en")["lines"]


def test_all_best_actions_of_a_tie_are_named_and_marked():
    """Two equal best rows are both on the board and on the phone of a student who chose another row."""
    question = ask([[(1, 0)], [(1, 0)], [(0, 0)]], rows=["top", "middle", "bottom"], columns=["only"])
    answers = {0: {"infosets": [2]}, 1: {"infosets": [0]}}
    result = score(question, answers)
    board = question.build_board(answers, result, None, is_revealed=True, language="en")
    assert [bar["marks"] for bar in board["groups"][0]["bars"]] == [["best"], ["best"], []]
    for lines in (board["lines"], question.describe_result(result, 0, "en")["lines"]):
        assert any("top or middle" in line for line in lines)


# --- The board ---


def marks_of(board):
    """Return all marks on the bars of a board."""
    return [mark for group in board["groups"] for bar in group["bars"] for mark in bar["marks"]]


def test_the_board_shows_theory_only_after_the_reveal():
    """Before the reveal there are shares only; after it best responses, payoffs and equilibria."""
    question, answers = ask("entry"), entry_answers()
    result, solution = score(question, answers), copied(question.solve())
    before = question.build_board(answers, result, solution, is_revealed=False, language="en")
    assert marks_of(before) == before["lines"] == before["equilibria"] == []
    assert before["table"] is None
    assert [bar["count"] for group in before["groups"] for bar in group["bars"]] == [1, 1, 1, 1]
    after = question.build_board(answers, result, solution, is_revealed=True, language="en")
    assert {"best", "equilibrium"} <= set(marks_of(after))
    assert len(after["table"]["rows"]) == 2
    unsolved = question.build_board(answers, result, None, is_revealed=True, language="en")
    assert "equilibrium" not in marks_of(unsolved)
    assert "best" in marks_of(unsolved)


def test_equilibrium_marks_leave_out_empty_threats():
    """In the entry game only the subgame-perfect equilibrium is marked; in matching pennies everything is."""
    assert copied(ask("entry").solve())["actions"] == {"0": [0], "1": [0]}
    assert copied(ask([[1, -1], [-1, 1]]).solve())["actions"] == {"0": [0, 1], "1": [0, 1]}


def test_the_value_of_a_zero_sum_game_is_known():
    """A zero-sum tree or matrix has its exact value; another game has none."""
    assert [ask(game).solve()["value"] for game in ("kuhn", [[1, -1], [-1, 1]], "entry", BATTLE)] == ["-1/18", "0", None, None]


def test_many_equilibria_stay_short():
    """Of seven equilibria three are described, and the others are counted."""
    assert "4" in ask("spence").solve()["equilibria"]["en"][3]


def test_bars_of_mixes_are_averages():
    """The bars show the average probabilities, whoever gets there."""
    question = ask("pennies", mix=True)
    groups = question.build_tally({0: {"infosets": [[50, 50]]}, 2: {"infosets": [[100, 0]]}}, "en")
    assert [bar["fraction"] for bar in groups[0]["bars"]] == [0.75, 0.25]
    assert [bar["fraction"] for bar in groups[1]["bars"]] == [0, 0]


def test_earlier_boards_are_kept():
    """The board of a second attempt has the groups of the first one."""
    question = ask("pennies")
    first = question.build_board({}, None, None, is_revealed=True, language="en")
    second = question.build_board({}, None, None, is_revealed=True, language="en", earlier=[first])
    assert second["earlier"][0]["groups"] == first["groups"]


def test_a_form_does_not_depend_on_answers():
    """Forms are the same before and after others have answered."""
    question = ask(ENTRY)
    before = json.dumps(question.build_form(1, "en"))
    answers = answer_all(question, 8)
    question.build_tally(answers, "en")
    question.build_board(answers, score(question, answers), None, is_revealed=True, language="en")
    assert json.dumps(question.build_form(1, "en")) == before


def test_the_event_loop_is_not_held_up():
    """300 answers with mixes are counted and described within a few milliseconds of computing time each."""
    question = ask("kuhn", mix=True)
    answers = answer_all(question, 300)
    result, solution = score(question, answers), copied(question.solve())
    jobs = [
        lambda: question.build_tally(answers, "en"),
        lambda: question.build_board(answers, result, solution, is_revealed=True, language="en"),
        lambda: question.describe_result(result, 5, "en"),
    ]
    for job in jobs:
        durations = []
        for _ in range(5):
            start = time.process_time()
            job()
            durations.append(time.process_time() - start)
        assert min(durations) < 0.02
