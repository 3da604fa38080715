"""Words and numbers as LaTeX has them: nothing that somebody calls something is taken for a command, and suits are there in every engine."""

from __future__ import annotations

import re
from typing import Final

_SIGNS: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "#": r"\#", "$": r"\$", "%": r"\%", "&": r"\&", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}", "|": r"\ensuremath{|}", '"': "''", "-": "{-}",
    "♣": r"\ensuremath{\clubsuit}", "♦": r"\ensuremath{\diamondsuit}", "♥": r"\ensuremath{\heartsuit}", "♠": r"\ensuremath{\spadesuit}", "★": r"\ensuremath{\star}",
    "−": r"\ensuremath{-}", "–": "--", "—": "---", "…": r"\ldots{}", "·": r"\ensuremath{\cdot}", "≈": r"\ensuremath{\approx}", "×": r"\ensuremath{\times}",
    "→": r"\ensuremath{\rightarrow}", "↓": r"\ensuremath{\downarrow}", "λ": r"\ensuremath{\lambda}", "ε": r"\ensuremath{\varepsilon}", "°": r"\ensuremath{^\circ}",
    "„": r"\quotedblbase{}", "“": "``", "”": "''", "’": "'", "«": r"\guillemotleft{}", "»": r"\guillemotright{}", "\u00a0": "~", "\ufe0e": "", "\ufe0f": "",
    **{sign: rf"\textsuperscript{{{place}}}" for place, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}, "⁻": r"\textsuperscript{-}",
}  # fmt: skip
_LATIN: Final = re.compile(r"[\n\u0020-\u017f]")
_FRACTION: Final = re.compile(r"([-−]?)(\d+)/(\d+)")


def tex(words: str) -> str:
    r"""Words for LaTeX.

    >>> print(tex("50 % of {9♣} & $x_1$"))
    50 \% of \{9\ensuremath{\clubsuit}\} \& \$x\_1\$
    """
    return "".join(_SIGNS.get(sign, sign) for sign in words)


def tex_number(said: str) -> str:
    r"""A payoff, or a probability: a fraction with its stroke, a minus that is one.

    >>> print(tex_number("-2/3"), tex_number("-1"), tex_number("≈1·10⁴"))
    \ensuremath{-\textstyle\frac{2}{3}} \ensuremath{-1} \ensuremath{\approx}1\ensuremath{\cdot}10\textsuperscript{4}
    """
    found = _FRACTION.fullmatch(said)
    if found:
        return rf"\ensuremath{{{'-' if found[1] else ''}\textstyle\frac{{{found[2]}}}{{{found[3]}}}}}"
    return rf"\ensuremath{{-{said[1:]}}}" if re.fullmatch(r"[-−][\d.]+", said) else tex(said)


def document(body: str, about: str, *, tikz: bool = True) -> str:
    r"""A whole file around what is drawn: any engine makes it, or, where letters are neither Latin nor Lithuanian, those that take any font.

    >>> print(document("x", "A tree").splitlines()[0])
    % A tree
    """
    plain = all(_LATIN.fullmatch(sign) for sign in body)
    engine = "pdflatex, lualatex or xelatex" if plain else "lualatex or xelatex, with a font that has its letters"
    head = " ".join(about.split()) or "A game"
    fonts = [r"\usepackage{iftex}", r"\ifPDFTeX\usepackage[T1]{fontenc}\else\usepackage{fontspec}\fi"]
    if not plain:
        fonts = [r"\usepackage{fontspec}", r"\setsansfont{DejaVu Sans} % or any other that has the letters below"]
    lines = [f"% {head}", f"% Made by durak_widget. To be set with {engine}.", r"\documentclass[border=4pt]{standalone}", *fonts]
    return "\n".join([*lines, *([r"\usepackage{tikz}"] if tikz else []), r"\begin{document}", body, r"\end{document}", ""])
