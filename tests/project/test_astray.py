"""A link of the site that leads nowhere is found: a file that is not there, a place that no page has, a path that holds only at the top."""

from __future__ import annotations

from whole_site import astray


def test_what_leads_nowhere_is_named(tmp_path):
    """And nothing else: addresses elsewhere, links to the page to play, places that are there, folders with a page in them."""
    (tmp_path / "a").mkdir()
    (tmp_path / "lab").mkdir()
    (tmp_path / "a" / "index.html").write_text(
        '<h1 id="here">A</h1><a href="../index.html#top">x</a><a href="#here">y</a>', encoding="utf-8"
    )
    (tmp_path / "lab" / "index.html").write_text('<a href="gone.html">of JupyterLite</a>', encoding="utf-8")
    (tmp_path / "index.html").write_text(
        '<p id="top"></p><a href="a/">a</a><a href="https://example.org/x">b</a><a href="a/index.html#rules=transfer">c</a>'
        '<a href="gone.html">d</a><a href="a/#there">e</a><a href="/a/">f</a><img src="a/no%20picture.png"><a href="../outside.html">g</a>',
        encoding="utf-8",
    )
    assert list(astray(tmp_path)) == [
        "index.html: gone.html is not there",
        "index.html: a/#there has no such place",
        "index.html: /a/ is not there",
        "index.html: a/no%20picture.png is not there",
        "index.html: ../outside.html is not there",
    ]
