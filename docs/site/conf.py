"""How Sphinx renders the docs; `make docs` gathers the pages first (tools/docs_site.py)."""

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
nitpick_ignore_regex = [("py:.*", r".*")]  # types in signatures are read, not followed
suppress_warnings = ["myst.strikethrough", "mystnb.unknown_mime_type"]  # a receipt of homework is for who marks; its words stand beside it

myst_heading_anchors = 3
nb_execution_mode = "off"  # the notebooks are stored executed, and tested to be so
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # nothing is fetched from elsewhere
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
autodoc_mock_imports = [name for name in _NEEDED if find_spec(name) is None]  # names are shown where what they need is not installed

html_theme = "furo"
html_title = "durak_widget"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2b5a48", "color-brand-content": "#2b5a48"},
    "dark_css_variables": {"color-brand-primary": "#8fc9b1", "color-brand-content": "#8fc9b1"},
}
