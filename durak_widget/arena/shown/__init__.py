"""How does a tournament look, and what may be claimed of it: sentences, drawings, tables, the page for the wall? What it has found is asked in `arena`."""
