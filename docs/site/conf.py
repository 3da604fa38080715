"""Configures Sphinx for the docs, whose pages `make docs` gathers (tools/docs_site.py)."""

from __future__ import annotations

from importlib.util import find_spec

import durak_widget

project = "durak_widget"
author = copyright = "the durak_widget authors"  # noqa: A001 - Sphinx asks for this name
version = release = durak_widget.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc"]
root_doc = "index"
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
nitpicky = True
nitpick_ignore_regex = [("py:.*", r".*")]  # Types in signatures are not links
suppress_warnings = ["myst.strikethrough", "mystnb.unknown_mime_type"]  # Sphinx doesn't know the type of receipts

myst_heading_anchors = 3
nb_execution_mode = "off"  # The stored outputs are used, and tests check them
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # Load no scripts from other sites
nb_output_stderr = "error"
nb_code_prompt_show = "The code of this exercise"
nb_code_prompt_hide = "The code of this exercise"

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
add_module_names = False
_NEEDED = ("numpy", "scipy", "pyspiel", "pettingzoo", "gymnasium")
autodoc_mock_imports = [name for name in _NEEDED if find_spec(name) is None]  # Document modules even if their dependencies are missing

html_theme = "furo"
html_title = "Durak"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2b5a48", "color-brand-content": "#2b5a48"},
    "dark_css_variables": {"color-brand-primary": "#8fc9b1", "color-brand-content": "#8fc9b1"},
}
