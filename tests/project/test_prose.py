"""Test the check of the English of docs, lessons and texts."""

from __future__ import annotations

import pytest

import prose


def rules_in(markdown: str) -> list[str]:
    """Return the broken rules."""
    return [rule for _, rule, _ in prose.check_markdown(markdown)]


@pytest.mark.parametrize(
    ("markdown", "rule"),
    [
        ("It hangs on the trump.", "avoid “hangs on”"),
        ("The card is good. Likewise plays it.", "avoid “Likewise”"),
        ("- You cannot tell these two\n  nodes apart.", "avoid “tell these two nodes apart”"),
        ("A probability above 1 is no probability.", "avoid “is no probability”"),
        ("Yes. Whoever has the six begins.", "a statement begins with “Whoever”"),
        ("1. **What you see** is all.", "a statement begins with “What”"),
        ("Of three cards, one is a trump.", "a statement begins with “Of”"),
        ("word " * 31 + "end.", "32 words in a sentence"),
        ("| a | It hangs on it. |\n|---|---|\n", "avoid “hangs on”"),
        ("![The cards are told apart](a.png)", "avoid “told apart”"),
    ],
)
def test_a_broken_rule_is_found(markdown, rule):
    """Once, with its words."""
    assert rules_in(markdown) == [rule]


@pytest.mark.parametrize(
    "markdown",
    [
        "These are house rules. Restart the kernel of Jupyter.",
        "There is no game without cards.",
        "What is a trump? Who begins?",
        "# What you will learn\n\nThe rules.",
        "| What it is | Whoever plays |\n|---|---|\n| What you like | Of all |",
        "```python\nlikewise = 1\n```\n\nThe word `likewise` is code.",
        "word " * 15 + "end. " + "Word " * 15 + "end.",
        "word " * 15 + "end. `word` " + "word " * 15 + "end.",
        "word " * 15 + "end. (*word* " + "word " * 15 + "end.)",
        "[a page](shall/lots.md) about cards",
        "`" + "many words of code " * 10 + "` is one word.",
    ],
)
def test_proper_english_passes(markdown):
    """Questions, headings, table cells and code too."""
    assert rules_in(markdown) == []


def test_a_comment_with_a_reason_excepts_one_sentence():
    """The sentence before it, and no other. A comment without a reason excepts nothing."""
    excepted = "Likewise plays. <!-- prose: a quotation --> Besides wins."
    assert rules_in(excepted) == ["avoid “Besides”"]
    assert rules_in("Likewise plays. <!-- prose: -->") == ["avoid “Likewise”"]


def test_the_line_of_a_sentence_is_given():
    """In a list, the line of its item."""
    assert [line for line, *_ in prose.check_markdown("# A\n\n```\nb\n```\n\n- c\n- likewise\n\n| likewise |\n")] == [8, 10]


def test_texts_of_the_catalogue_are_checked():
    """Opponents speak as they like, labels may begin like questions, and a comment with a reason excepts a text."""
    catalogue = """TEXTS = {
    "screen.a": "Play a card.",
    "screen.b": "Likewise {name} has it.",
    "screen.c": "Likewise else.",  # prose: a name
    "people.tim": "What a game, dear friend.",
    "screen.d": "What beats what",
    "screen.e": "You play {deeds}.",
    "screen.f": "What beats what is shown.",
}"""
    assert [(line, rule) for line, rule, _ in prose.check_catalogue(catalogue)] == [
        (3, "avoid “Likewise”"),
        (8, "a statement begins with “What”"),
    ]
