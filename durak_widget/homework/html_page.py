"""Self-contained HTML pages that teachers keep, send or print; formats for numbers.

A page is one file that needs no other files. It works in light and dark themes and on paper.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import replace_text, require_path
from durak_widget.engine.card_svg import FONT_FAMILY
from durak_widget.errors import DurakError, short_repr

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.i18n import Translator

_LIGHT_COLORS: Final = (
    "--ink:#1f2630;--soft:#566070;--line:#d5d9df;--page:#fff;--field:#f4f5f7;--mark:#2d6a55;--shade:45,106,85;--onshade:#fff;--warn:#9a4a00"
)
_DARK_COLORS: Final = "--ink:#e7eaee;--soft:#a9b2bf;--line:#3d4550;--page:#14181d;--field:#1e242b;--mark:#8fd0b5;--shade:116,190,160;--onshade:#0d1512;--warn:#f0b070"
_STYLE: Final = (
    f":root{{{_LIGHT_COLORS};color-scheme:light dark}}"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{_DARK_COLORS}}}}}"
    "*{box-sizing:border-box}"
    f"body{{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 {FONT_FAMILY}}}"
    "main{max-width:62rem;margin:0 auto;padding:2rem 1.25rem 4rem}"
    "h1{font-size:1.75rem;line-height:1.2;margin:0 0 .35rem;font-weight:650;letter-spacing:-.01em}"
    "h2{font-size:1.2rem;line-height:1.3;margin:2.4rem 0 .5rem;font-weight:650}h3{font-size:1rem;margin:1.2rem 0 .3rem;font-weight:650}"
    "p{margin:.35rem 0;max-width:44rem}ol,ul{margin:.35rem 0;padding-left:1.8rem;max-width:44rem}li{margin:.2rem 0}"
    ".lead,.soft,caption,figcaption{color:var(--soft)}.small{font-size:.85rem}.num{font-variant-numeric:tabular-nums;text-align:right}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}caption{text-align:left;padding:.2rem 0 .4rem;font-size:.9rem}"
    "th,td{padding:.3rem .55rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}thead th{color:var(--soft);font-weight:600;font-size:.85rem;vertical-align:bottom}"
    "tbody th{font-weight:500}.wide{overflow-x:auto}.wide:focus-visible,summary:focus-visible{outline:2px solid var(--mark);outline-offset:2px}"
    ".note{border-left:3px solid var(--line);padding:.1rem 0 .1rem .8rem;color:var(--soft);font-size:.9rem}.warn{color:var(--warn)}"
    ".bar{display:inline-block;width:6rem;height:.55rem;border-radius:.3rem;background:var(--line);overflow:hidden;vertical-align:middle}.bar i{display:block;height:100%;background:var(--mark)}"
    "svg.cards{display:block;height:auto;max-width:100%}summary{cursor:pointer}"
    "@page{margin:14mm}"
    "@media print{html{font-size:13px}body{background:#fff;font-size:13px}main{max-width:none;padding:0}.wide{overflow:visible}"
    "h2,h3,summary,caption{break-after:avoid}tr,li,.note,figure{break-inside:avoid}thead{display:table-header-group}"
    ".sheet{break-before:page}.sheet>h2:first-child{margin-top:0}details::details-content{content-visibility:visible;block-size:auto}"
    "*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}"
)
_COMMA_LANGUAGES: Final = frozenset({"ru", "lt"})
"""The languages that write decimal fractions with a comma."""


class Page:
    """An HTML page that a notebook can display, and that can be saved as a file or printed.

    >>> page = Page("A title", "<h1>A title</h1>")
    >>> page.html.startswith("<!doctype html>"), page
    (True, <Page 'A title'>)
    """

    def __init__(self, title: str, body: str, *, language: str = "en", style: str = "") -> None:
        self.title, self.language = title, language
        self.html = (
            f'<!doctype html>\n<html lang="{escape(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{escape(title)}</title><style>{_STYLE}{style}</style></head>\n<body><main>{body}</main></body></html>\n"
        )

    def save(self, path: str | bytes | PathLike[str] | PathLike[bytes]) -> None:
        """Save the page as a file; if saving fails, leave no incomplete file."""
        try:
            replace_text(path, self.html)
        except OSError as error:
            msg = f"cannot write the page to {short_repr(require_path(path))}: {error.strerror or type(error).__name__}"
            raise DurakError(msg) from None

    def _repr_html_(self) -> str:
        """Return the page in an iframe, so that its style doesn't affect the notebook."""
        frame = "width:100%;height:40rem;border:1px solid #8886;border-radius:4px"
        return f'<iframe title="{escape(self.title)}" sandbox srcdoc="{escape(self.html)}" style="{frame}"></iframe>'

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {short_repr(self.title)}>"


def render_table(
    header: list[str], rows: list[list[str]], *, caption: str = "", number_columns: tuple[int, ...] = (), css_class: str = ""
) -> str:
    """Render a table as HTML, from cells that are already HTML.

    The first cell of each row is its heading. Columns of numbers, given by their indices, are aligned to the right.

    >>> render_table(["deal", "won"], [["1", "7"]], number_columns=(1,))[-75:]
    '<tr><th scope="row">1</th><td class="num">7</td></tr></tbody></table></div>'
    """
    class_attributes = ['class="num"' if index in number_columns else "" for index in range(len(header))]
    heads = "".join(
        f'<th scope="col" {class_attribute}>{cell}</th>' for cell, class_attribute in zip(header, class_attributes, strict=True)
    )
    body_rows = []
    for first, *rest in rows:
        cells = "".join(
            f"<td {class_attribute}>{cell}</td>".replace("<td >", "<td>")
            for cell, class_attribute in zip(rest, class_attributes[1:], strict=True)
        )
        body_rows.append(f'<tr><th scope="row">{first}</th>{cells}</tr>')
    caption_html = f"<caption>{caption}</caption>" if caption else ""
    head_html = heads.replace(" >", ">")
    return f'<div class="wide" tabindex="0"><table class="{css_class}">{caption_html}<thead><tr>{head_html}</tr></thead><tbody>{"".join(body_rows)}</tbody></table></div>'


def format_percent(share: float) -> str:
    """Format a share from 0 to 1 as a whole number of percent; round halves up.

    Only a share of exactly 0 is written as 0, and only a share of exactly 1 as 100.

    >>> print(format_percent(0.125), format_percent(0.001), format_percent(0.999))
    13 % <1 % >99 %
    """
    rounded = int(100 * share + 0.5)
    digits = "<1" if rounded == 0 and share > 0 else ">99" if rounded == 100 and share < 1 else str(rounded)
    return f"{digits}\u202f%"


def format_decimal(number: float, voice: Translator, digits: int = 1) -> str:
    """Format a number with at most `digits` decimal places in the language's notation.

    >>> from durak_widget.i18n import Translator
    >>> format_decimal(2.5, Translator("lt")), format_decimal(3.0, Translator())
    ('2,5', '3')
    """
    text = f"{number:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    text = ("0" if text == "-0" else text).replace("-", "−")
    return text.replace(".", ",") if voice.language in _COMMA_LANGUAGES else text


def format_signed(number: float, voice: Translator, digits: int = 2) -> str:
    """Format a number with its sign and a fixed number of decimal places.

    >>> from durak_widget.i18n import Translator
    >>> format_signed(0.2, Translator()), format_signed(-0.25, Translator("ru")), format_signed(0, Translator())
    ('+0.20', '−0,25', '0')
    """
    if not round(number, digits):
        return "0"
    text = f"{number:+.{digits}f}".replace("-", "−")
    return text.replace(".", ",") if voice.language in _COMMA_LANGUAGES else text
