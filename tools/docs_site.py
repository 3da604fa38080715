"""Builds the docs site in build/site with Sphinx.

It gathers the pages of the docs, the notebooks, and a page for each preset and option.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget import Game, Rules
from durak_widget.i18n import get_language
from durak_widget.rules.preset_catalogue import PRESETS

sys.path.insert(0, str(Path(__file__).resolve().parent))
import docs_live
import pages

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "docs" / "site"
GATHERED, BUILT = ROOT / "build" / "site-pages", ROOT / "build" / "site"
ADDRESS = "https://durak-widget.github.io/durak_widget/"
CONTENTS = ROOT / "docs" / "index.md"
"""The table of contents. The sections of the site come from it."""
_PICTURE = re.compile(r"!\[([^]]*)\]\(([^)\s]*?)(-light)?\.(webp|png)\)")


class Section(NamedTuple):
    """A section of the table of contents, with the page of the site that lists its pages."""

    title: str
    introduction: str
    entries: list[tuple[str, str, str]]
    """The pages: each with its title, its document on the site, and a line that says what it is for."""

    @property
    def name(self) -> str:
        """Return the name of its page on the site."""
        return re.sub(r"\W+", "-", self.title.lower())

    def to_markdown(self) -> str:
        """Return its page: the introduction, the pages, and the table of contents for the sidebar."""
        listed = [f"- [{title}](/{document}){line and ': '}{line}" for title, document, line in self.entries]
        documents = (document.rpartition(".")[0] if document.endswith((".md", ".ipynb")) else document for _, document, _ in self.entries)
        return "\n".join(
            [f"# {self.title}", "", self.introduction, "", *listed, "", hidden_toctree(f"/{document}" for document in documents)]
        )


def hidden_toctree(documents: Iterable[str]) -> str:
    """Return the directive that puts pages below this one in the sidebar."""
    return "\n".join(["```{toctree}", ":hidden:", "", *documents, "```", ""])


def read_contents() -> list[Section]:
    """Read the table of contents in `docs/index.md`."""
    sections = []
    for part in CONTENTS.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, rest = part.partition("\n")
        entries = [
            (name, document_of(link), line)
            for name, link, line in re.findall(r"^- \[([^]]+)\]\(([^)]+)\)(?:: )?(.*?)(?: ?<!--.*)?$", rest, re.MULTILINE)
        ]
        sections.append(Section(title, rest.partition("\n- ")[0].strip(), entries))
    return sections


def document_of(link: str) -> str:
    """Return the document of the site to which a link of `docs/index.md` leads.

    >>> document_of("table.md"), document_of("../CHANGELOG.md"), document_of("adr")
    ('docs/table.md', 'CHANGELOG.md', 'docs/adr/index.md')
    """
    if link.endswith(".ipynb"):
        return "notebooks/index.md"
    if link == "site/api.md":
        return "reference/api/index.md"
    path = f"docs/{link}" if link.endswith(".md") else f"docs/{link}/index.md"
    return path.removeprefix("docs/../")


def lessons() -> dict[str, str]:
    """Return the links to the lessons that explain each preset and option, by its name.

    They come from the index in the last notebook. Every option must be in the index, but a preset need not be.
    """
    met = pages.lesson_links("[lesson {number}, {title}](../../notebooks/{path})")
    if missing := [field.name for field in fields(Rules) if field.name not in met]:
        raise SystemExit(
            f"{', '.join(missing)}: the index in notebooks/16_under_the_hood.ipynb lists no lesson for this; add it to a row there, and to that lesson"
        )
    return met


OPTIONS: dict[str, Any] = {field.name: field.metadata["option"] for field in fields(Rules)}


def preset_page(name: str, lesson: str | None) -> str:
    """Return the page about a preset: source, lesson, options, an example deal, and all rules."""
    preset, rules = PRESETS[name], Rules.preset(name)
    changed = [
        f"| [`{option}`](../options/{option}.md) | `{value!r}` | {OPTIONS[option].explain(value, get_language('en'), f'option.{option}')} |"
        for option, value in preset.options.items()
    ]
    table = (
        ["| option | value | what it means |", "|---|---|---|", *changed]
        if changed
        else ["It is the plain game: every option has its usual value."]
    )
    return "\n".join(
        [
            f"# `{name}`",
            "",
            preset.summary,
            "",
            f"From: *{preset.source}*." + (f" Explained in {lesson}." if lesson else ""),
            "",
            *table,
            "",
            f"![How it is dealt: {name}]({name}.svg)",
            "",
            "```python",
            "from durak_widget import Rules, Table",
            "",
            f'Table("{name}", seed=1)  # play it',
            f'Rules.preset("{name}")  # the rules as a value',
            "```",
            "",
            "## All its rules",
            "",
            "\n".join(line for line in str(rules.explain()).splitlines()[2:] if line),
            "",
        ]
    )


def option_page(field: Field[Any], where: str, sources: dict[str, str]) -> str:
    """Return the page about an option: its values, their source, and the presets that set it."""
    name, option = field.name, OPTIONS[field.name]
    users = [
        f"| [`{preset}`](../presets/{preset}.md) | `{preset_data.options[name]!r}` |"
        for preset, preset_data in PRESETS.items()
        if name in preset_data.options
    ]
    values, meanings = pages.values_and_meanings(option, field.default)
    return "\n".join(
        [
            f"# `{name}`",
            "",
            f"The usual value is `{field.default!r}`. Explained in {where}.",
            "",
            "| values | what they mean |",
            "|---|---|",
            *(
                f"| {value} | {says} |"
                for value, says in (zip(values, meanings, strict=True) if len(values) > 1 else [(values[0], "<br>".join(meanings))])
            ),
            "",
            f"**Where it comes from.** {sources[name]}",
            "",
            *(["| preset | its value |", "|---|---|", *users] if users else ["No preset sets it."]),
            "",
            f"It belongs to the question that `durak_widget/rules/{_owner(name)}.py` asks. [All options](../options.md)",
            "",
        ]
    )


def _owner(name: str) -> str:
    """Return the name of the module that declares an option."""
    return next(kind.__module__.rpartition(".")[2] for kind in Rules.__mro__ if name in vars(kind).get("__annotations__", {}))


def index(title: str, folder: str, rows: dict[str, str]) -> str:
    """Return an index page that links to the pages in a folder."""
    listed = [f"| [`{name}`]({folder}/{name}.md) | {summary} |" for name, summary in rows.items()]
    return "\n".join([f"# {title}", "", "| | |", "|---|---|", *listed, "", hidden_toctree(f"{folder}/{name}" for name in rows)])


def reference(folder: Path) -> None:
    """Write a page for each preset and each option."""
    met, sources = lessons(), json.loads((SITE / "sources.json").read_text(encoding="utf-8"))
    if missing := [field.name for field in fields(Rules) if field.name not in sources]:
        raise SystemExit(f"{', '.join(missing)}: docs/site/sources.json does not say which text has each value")
    for kind in ("presets", "options"):
        (folder / kind).mkdir(parents=True)
    for name in PRESETS:
        (folder / "presets" / f"{name}.md").write_text(preset_page(name, met.get(name)), encoding="utf-8")
        (folder / "presets" / f"{name}.svg").write_text(Game(name, seed=1).svg(0), encoding="utf-8")
    for field in fields(Rules):
        (folder / "options" / f"{field.name}.md").write_text(option_page(field, met[field.name], sources), encoding="utf-8")
    (folder / "presets.md").write_text(
        index("Every preset", "presets", {name: preset.summary for name, preset in PRESETS.items()}), encoding="utf-8"
    )
    says = {field.name: sources[field.name] for field in fields(Rules)}
    (folder / "options.md").write_text(index("Every option", "options", says), encoding="utf-8")
    api_pages(folder / "api")


def api_pages(folder: Path) -> None:
    """Write a page for each section of `docs/site/api.md`, and a page that lists them."""
    head, *parts = (SITE / "api.md").read_text(encoding="utf-8").replace("](../", "](../../").split("\n## ")
    folder.mkdir()
    listed, names = [], []
    for part in parts:
        title, _, text = part.partition("\n")
        name = re.sub(r"\W+", "-", title.lower())
        (folder / f"{name}.md").write_text(f"# {title}\n{text}", encoding="utf-8")
        listed.append(f"- [{title}]({name}.md): {text.strip().partition(chr(10))[0]}")
        names.append(name)
    (folder / "index.md").write_text("\n".join([head, *listed, "", hidden_toctree(names)]), encoding="utf-8")


def series(folder: Path) -> str:
    """Return the index page of the lessons, with the first paragraph of each."""
    rows, names = [], []
    for path in sorted(folder.glob("*.ipynb")):
        title, begins = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]).split("\n\n")[:2]
        rows.append(f"| {path.stem.partition('_')[0]} | [{title.removeprefix('# ')}]({path.name}) | {begins} |")
        names.append(path.stem)
    return "\n".join(
        [
            "# The lessons",
            "",
            "Each begins with something to do, and runs in the browser, with nothing to install.",
            "",
            "| | lesson | how it begins |",
            "|---|---|---|",
            *rows,
            "",
            hidden_toctree(names),
        ]
    )


def decisions(folder: Path) -> str:
    """Return the index page of the design decisions, with the title of each."""
    paths = sorted(folder.glob("0*.md"))
    listed = [f"- [{path.read_text(encoding='utf-8').partition(chr(10))[0].removeprefix('# ')}]({path.name})" for path in paths]
    return "\n".join(["# Decisions", "", *listed, "", hidden_toctree(path.stem for path in paths)])


def gather() -> None:
    """Gather all pages for Sphinx in one folder, and generate the others.

    The pages keep their places relative to each other, so that links work.
    """
    for folder in (GATHERED, BUILT, GATHERED.parent / "doctrees"):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", GATHERED / "docs", ignore=shutil.ignore_patterns("site", "index.md"))
    shutil.copytree(ROOT / "notebooks", GATHERED / "notebooks", ignore=shutil.ignore_patterns(".*"))
    sections = read_contents()
    for section in sections:
        (GATHERED / f"{section.name}.md").write_text(section.to_markdown(), encoding="utf-8")
        for _, document, _ in section.entries if section.name.startswith("how-to") else ():
            with (GATHERED / document).open("a", encoding="utf-8") as page:
                page.write("\nClasses and functions are in the [API reference](../reference/api/index.md).\n")
    (GATHERED / "notebooks" / "index.md").write_text(series(GATHERED / "notebooks"), encoding="utf-8")
    (GATHERED / "docs" / "adr" / "index.md").write_text(decisions(GATHERED / "docs" / "adr"), encoding="utf-8")
    for path in (GATHERED / "docs" / "adr").glob("*.md"):  # The search is for people who use the package
        path.write_text(f"---\nnosearch: true\n---\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    with (GATHERED / "docs" / "rules.md").open("a", encoding="utf-8") as page:
        page.write("\n[Every preset](../reference/presets.md) and [every option](../reference/options.md) has a page of its own.\n\n")
        page.write(hidden_toctree(["../reference/presets", "../reference/options"]))
    shutil.copytree(SITE / "_static", GATHERED / "_static")
    shutil.copyfile(ROOT / "docs" / "images" / "table-light.png", GATHERED / "_static" / "table.png")
    with (GATHERED / "index.md").open("w", encoding="utf-8") as page:
        page.write((SITE / "index.md").read_text(encoding="utf-8") + "\n" + hidden_toctree(section.name for section in sections))
    for path in (ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        shutil.copyfile(path, GATHERED / path.name)
    reference(GATHERED / "reference")
    for path in GATHERED.rglob("*.md"):
        path.write_text(add_dark_pictures(path.read_text(encoding="utf-8"), path.parent), encoding="utf-8")


def add_dark_pictures(markdown: str, folder: Path) -> str:
    """Add the dark version of each picture that has one. The theme shows the version that fits.

    >>> print(add_dark_pictures("![A table](images/table-light.png)", ROOT / "docs"))
    ![A table](images/table-light.png){.only-light}
    ![A table](images/table-dark.png){.only-dark}
    """

    def add_dark_picture(found: re.Match[str]) -> str:
        alt, name, _, kind = found.groups()
        dark = f"{name}-dark.{kind}"
        return f"{found[0]}{{.only-light}}\n![{alt}]({dark}){{.only-dark}}" if (folder / dark).is_file() else found[0]

    return _PICTURE.sub(add_dark_picture, markdown)


def lead_on(folder: Path, *, runs: bool) -> None:
    """Change the links between notebooks to links between pages.

    If the lessons also run on the site, add a link to each running lesson.
    """
    for path in folder.glob("[0-9]*.html"):
        text = re.sub(r'href="(\w+)\.ipynb(?=["#])', r'href="\1.html', path.read_text(encoding="utf-8"))
        lesson_link = f'<p class="play"><a href="../lab/lab/index.html?path=notebooks/{path.stem}.ipynb">Do this lesson</a> in your browser, with nothing to install.</p>'
        path.write_text(text.replace("</h1>", f"</h1>\n{lesson_link}", 1) if runs else text, encoding="utf-8")


def stay_on_site(site: Path) -> None:
    """Make links to the published site relative, so that a copy of the site links to itself."""
    for path in (*site.glob("*.html"), *(site / "docs").glob("*.html")):
        text = path.read_text(encoding="utf-8")
        new = with_relative_links(text, "../" * len(path.relative_to(site).parts[:-1]))
        if new != text and path.name != "404.html":
            path.write_text(new, encoding="utf-8")


def with_relative_links(html: str, top: str) -> str:
    """Return a page with relative links to pages of the site; `top` leads to the front page's folder.

    >>> with_relative_links('<a href="https://durak-widget.github.io/durak_widget/play/#seed=1">', "../")
    '<a href="../play/index.html#seed=1">'
    """

    def relative(match: re.Match[str]) -> str:
        return f"{match[1]}{top}{match[2]}{'index.html' if match[2].endswith('/') or not match[2] else ''}"

    return re.sub(rf'(<a [^>]*?href="){re.escape(ADDRESS)}([^"#?]*)', relative, html)


def wakes(site: Path) -> None:
    """Make the images live, and exit with an error if an image that should be live is not."""
    pages_with_boards = (path for path in (ROOT / "docs").glob("*.md") if "](images/board-" in path.read_text(encoding="utf-8"))
    wanted_pages = {
        "index.html",
        *(f"reference/presets/{name}.html" for name in PRESETS),
        *(f"docs/{path.stem}.html" for path in pages_with_boards),
    }
    if missing := sorted(wanted_pages - set(docs_live.enliven(site))):
        raise SystemExit(f"no picture is live on {', '.join(missing)}; compare what Sphinx writes there with tools/docs_live.py")


def main(*, live: bool = False) -> int:
    """Build the site, where any warning is an error.

    `live` also makes the images live and links to the play page and the running lessons, which must be on the same
    site.
    """
    gather()
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-b", "html", "-d", str(GATHERED.parent / "doctrees")]
    command += ["-c", str(SITE), str(GATHERED), str(BUILT)]
    failed = subprocess.run(command, cwd=ROOT, check=False).returncode
    if not failed:
        shutil.copyfile(SITE / "404.html", BUILT / "404.html")  # GitHub Pages shows it for a wrong address
        lead_on(BUILT / "notebooks", runs=live)
    if live and not failed:
        stay_on_site(BUILT)
        wakes(BUILT)
    return failed


if __name__ == "__main__":
    sys.exit(main())
