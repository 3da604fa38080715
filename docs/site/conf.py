"""Configures Sphinx for the docs, whose pages `make docs` gathers (tools/docs_site.py)."""

from __future__ import annotations

import re
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import durak_widget

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "durak_widget"
author = copyright = "the durak_widget authors"  # noqa: A001 - Sphinx asks for this name
version = release = durak_widget.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc"]
root_doc = "index"
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
nitpicky = True
nitpick_ignore_regex = [("py:.*", r".*")]  # Types of other packages are not links; `link_own_type` links our own
suppress_warnings = ["myst.strikethrough", "mystnb.unknown_mime_type"]  # Sphinx doesn't know the type of receipts

myst_heading_anchors = 3
myst_enable_extensions = ["attrs_inline"]  # `add_dark_pictures` in tools/docs_site.py writes `{.only-dark}`
nb_execution_mode = "off"  # The stored outputs are used, and tests check them
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # Load no scripts from other sites
nb_output_stderr = "error"
nb_code_prompt_show = "The code of this exercise"
nb_code_prompt_hide = "The code of this exercise"

default_role = "code"
autodoc_member_order = "bysource"
autoclass_content = "both"
autodoc_typehints = "both"
autodoc_typehints_description_target = "documented_params"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
add_module_names = False
python_maximum_signature_line_length = 88
_NEEDED = ("numpy", "scipy", "pyspiel", "pettingzoo", "gymnasium")
autodoc_mock_imports = [name for name in _NEEDED if find_spec(name) is None]  # Document modules even if their dependencies are missing

html_theme = "furo"
html_title = "Durak"
html_baseurl = "https://durak-widget.github.io/durak_widget/"
html_search_scorer = str(Path(__file__).with_name("search_scores.js"))
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2b5a48", "color-brand-content": "#2b5a48"},
    "dark_css_variables": {"color-brand-primary": "#8fc9b1", "color-brand-content": "#8fc9b1"},
    "footer_icons": [
        {
            "name": "Sources on GitHub",
            "url": "https://github.com/durak-widget/durak_widget",
            "html": '<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.6"><path d="M5 4 1 8l4 4M11 4l4 4-4 4M9.5 2.5l-3 11"/></svg>',
        }
    ],
}
SOURCES = "https://github.com/durak-widget/durak_widget/blob/HEAD/"
GENERATED = (
    ("index", "docs/site/index.md"),
    ("reference/api/", "docs/site/api.md"),
    ("reference/presets", "durak_widget/rules/preset_catalogue.py"),
    ("reference/options", "docs/site/sources.json"),
    ("notebooks/index", "notebooks/00_welcome.ipynb"),
    ("docs/adr/index", "docs/index.md"),
)
"""The beginnings of the names of generated pages, each with the file that they come from."""


def link_own_type(app: Sphinx, env: Any, node: Any, contnode: Any) -> Any:  # noqa: ANN401 - as Sphinx calls it
    """Link the name of a type to its entry, whichever module the annotation names. An ambiguous name is no link."""
    if node.get("refdomain") != "py":
        return None
    name = str(node["reftarget"]).rpartition(".")[2]
    entries = {(entry.docname, entry.node_id) for full, entry in env.domains["py"].objects.items() if full.rpartition(".")[2] == name}
    if len(entries) != 1:
        return None
    from docutils import nodes  # noqa: PLC0415 - tests read this file where Sphinx is not installed

    [(document, anchor)] = entries
    address = f"{app.builder.get_relative_uri(node['refdoc'], document)}#{anchor}"
    return nodes.reference("", "", contnode, internal=True, refuri=address)


def read_parameters(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:  # noqa: ANN401 - as Sphinx calls it
    """Change the part of a docstring below `Args:` to the fields that Sphinx reads."""
    del app, what, name, obj, options
    if "Args:" in lines:
        start = lines.index("Args:")
        lines[start:] = [re.sub(r"^ {4}(\w+): ", r":param \1: ", line) for line in lines[start + 1 :]]


def use_init_signature(app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returned: Any) -> Any:  # noqa: ANN401 - as Sphinx calls it
    """Return the signature of `__init__` for a widget: Sphinx takes the one of `traitlets`, which names no parameter."""
    del app, name, options, returned
    from sphinx.util.inspect import signature as signature_of  # noqa: PLC0415 - as above
    from sphinx.util.inspect import stringify_signature  # noqa: PLC0415 - as above

    if what == "class" and signature and signature.startswith("(*args"):
        return stringify_signature(signature_of(obj.__init__, bound_method=True), unqualified_typehints=True), None
    return None


def add_page_data(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:  # noqa: ANN401 - as Sphinx calls it
    """Add the description of a page for search engines and shared links, and the link to its source."""
    del app, templatename
    from docutils import nodes  # noqa: PLC0415 - as above

    paragraph = doctree and doctree.next_node(nodes.paragraph)
    text = " ".join(paragraph.astext().split()) if paragraph else ""
    text = escape(text if len(text) < 200 else f"{text[:197].rpartition(' ')[0]} …")
    title = re.sub(r"<[^>]+>", "", str(context.get("title", "")))
    tags = {"og:title": title, "og:description": text, "og:type": "website", "og:url": f"{html_baseurl}{pagename}.html"}
    tags |= {"og:image": f"{html_baseurl}_static/table.png"}
    described = f'<meta name="description" content="{text}">' if text else ""
    properties = "".join(f'<meta property="{name}" content="{content}">' for name, content in tags.items() if content)
    context["metatags"] = f"{context.get('metatags', '')}{described}{properties}"
    sources = [source for begin, source in GENERATED if pagename.startswith(begin)]
    suffix = ".ipynb" if pagename.startswith("notebooks/") else ".md"
    in_repository = pagename.startswith(("docs/", "notebooks/")) or pagename in {"CONTRIBUTING", "CHANGELOG"}
    context["theme_source_view_link"] = SOURCES + (sources[0] if sources else f"{pagename}{suffix}" if in_repository else "docs/index.md")


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("autodoc-process-docstring", read_parameters)
    app.connect("autodoc-process-signature", use_init_signature)
    app.connect("missing-reference", link_own_type)
    app.connect("html-page-context", add_page_data)
