"""Makes the pictures of the docs, each in a light and a dark version: `docs/images/NAME.webp` and `NAME-dark.webp`.

A reader's clicks make each scene, in a real JupyterLab or on a page of the browser. Name scenes to make only these. The icons of the
site are drawn too.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Any, NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageOps
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [
    str(ROOT / "tests"),
    str(ROOT / "tests" / "browser"),
    *(str(ROOT / "tests" / "browser" / folder) for folder in ("site", "other_apps")),
]

import notebook_page  # noqa: E402 - the helpers of the browser tests work here too
from app_driver import documented_version, installed, recipe, serve_app  # noqa: E402 - as above
from file_server import serve  # noqa: E402 - as above
from fonts import NARROWEST, font_environment  # noqa: E402 - as above
from lab_server import Lab, running  # noqa: E402 - as above

import play_page  # noqa: E402 - as above
from support.spoken import english_text  # noqa: E402 - as above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from notebook_page import Notebook
    from playwright.sync_api import Browser, Locator, Page

    Label = tuple[Locator, float, float]
    """The place of a number in a circle: an element, and a part of its width and height."""

OUT = ROOT / "docs" / "images"
STATIC = ROOT / "docs" / "site" / "_static"
ICONS = {"icon-180": (180, True), "icon-192": (192, False), "icon-512": (512, False), "icon-512-whole": (512, True)}
"""The size of each icon, and whether its image fills the whole square, for phones that cut the corners."""
THEMES = {"light": "", "dark": "-dark"}
"""The end of the file name in each theme."""
BYTES = 40_000
"""A picture that has more bytes gets fewer colours."""
SCALE = 1.5
"""The pixels of a screenshot for each pixel of the page."""
MARGIN = 150
"""The extra width in pixels of a page, which JupyterLab needs beside a widget."""


class Studio(NamedTuple):
    """A browser with a JupyterLab, in which the scenes are made."""

    browser: Browser
    tabs: notebook_page.Tabs
    lab: Lab
    folder: Path

    @contextmanager
    def notebook(self, cell: str, width: int = 620, height: int = 1300) -> Iterator[Notebook]:
        """Run one cell in JupyterLab."""
        book = self.tabs.write([cell], touch=False, app="lab")
        book.open("lab")
        book.look(viewport=(width + MARGIN, height), reduced_motion=True, theme="light")
        book.run_all()
        yield book
        self.tabs.close(book, again=True)

    @contextmanager
    def page(self, address: str, width: int = 720, height: int = 1000, scale: float = SCALE) -> Iterator[Page]:
        """Open a web page or a printed page."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=scale,
            reduced_motion="reduce",
            bypass_csp=True,  # show_in_theme runs a function in the page
        )
        page = context.new_page()
        page.goto(address)
        yield page
        context.close()


def keep(name: str, shown: Locator, labels: Sequence[Label] = (), until: Locator | None = None) -> None:
    """Save pictures of an element in both themes, down to the end of another element."""
    save(name, photograph_in_both_themes(shown, labels, until))


def photograph_in_both_themes(shown: Locator, labels: Sequence[Label] = (), until: Locator | None = None) -> dict[str, Image.Image]:
    """Take pictures of an element by theme, down to the end of another element."""
    pictures = {}
    for theme in THEMES:
        show_in_theme(shown.page, theme)
        pictures[theme] = photograph(shown, labels, until)
    return pictures


def show_in_theme(page: Page, theme: str) -> None:
    """Change a page to the light or the dark theme, and wait until nothing moves."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("light => (document.body.dataset.jpThemeLight ?? light) === light", arg=str(theme == "light").lower())
    page.mouse.move(1, 1)
    page.wait_for_timeout(700)  # JupyterLab loads the other style sheet


def photograph(shown: Locator, labels: Sequence[Label] = (), until: Locator | None = None) -> Image.Image:
    """Take a picture of an element, draw the labels into it, and make its margins even."""
    picture = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
    corner = shown.bounding_box()
    scale = picture.width / corner["width"]
    if until is not None:
        end = until.bounding_box()
        height = round((end["y"] + end["height"] - corner["y"]) * scale)
        picture = picture.crop((0, 0, picture.width, min(picture.height, height)))
    ground = picture.getpixel((0, 0))
    font, draw = ImageFont.load_default(14 * scale), ImageDraw.Draw(picture)
    for number, (target, across, down) in enumerate(labels, start=1):
        box = target.bounding_box()
        x, y = ((box[at] - corner[at] + box[size] * part) * scale for at, size, part in (("x", "width", across), ("y", "height", down)))
        draw.circle((x, y), 11 * scale, fill="#b3261e", outline="white", width=int(2 * scale))
        draw.text((x, y), str(number), font=font, fill="white", anchor="mm")
    inked = ImageChops.difference(picture, Image.new("RGB", picture.size, ground)).getbbox()
    return ImageOps.expand(picture.crop(inked), border=int(8 * scale), fill=ground)


def save(name: str, pictures: dict[str, Image.Image]) -> None:
    """Write the pictures of a scene. If both are the same, as on paper, one is enough."""
    same = ImageChops.difference(*pictures.values()).getbbox() is None
    (OUT / f"{name}-dark.webp").unlink(missing_ok=True)
    for theme, picture in list(pictures.items())[: 1 if same else None]:
        path = OUT / f"{name}{THEMES[theme]}.webp"
        path.write_bytes(data := encode(picture))
        print(f"{path.relative_to(ROOT)}: {picture.width} × {picture.height}, {len(data) // 1000} kB", flush=True)


def encode(picture: Image.Image) -> bytes:
    """Return a picture as WebP, with only its most common colours if it has too many bytes. Text stays sharp."""
    frequencies = sorted(picture.getcolors(picture.width * picture.height), reverse=True)
    for count in (256, 128, 64):
        palette = Image.new("P", (1, 1))
        palette.putpalette([part for _, color in frequencies[:count] for part in color])
        data = io.BytesIO()
        picture.quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB").save(data, "WEBP", lossless=True, method=4)
        if data.tell() <= BYTES:
            break
    return data.getvalue()


def side_by_side(left: Image.Image, right: Image.Image) -> Image.Image:
    """Put two pictures beside each other, on the ground of the first one."""
    whole = Image.new("RGB", (left.width + right.width, max(left.height, right.height)), left.getpixel((0, 0)))
    whole.paste(left)
    whole.paste(right, (left.width, 0))
    return whole


@contextmanager
def open_studio() -> Iterator[Studio]:
    """Start JupyterLab and Chromium, with fonts that are the same on each machine."""
    chromium = subprocess.run(["sh", "tools/browser.sh"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    notebook_page.ZOOM = SCALE
    with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
        folder = Path(home)
        lab = stack.enter_context(running(folder))
        hidden = json.dumps({"disabledExtensions": {"@jupyter/nbgrader": True}})  # only the tests need it
        (folder / "settings" / "page_config.json").write_text(hidden, encoding="utf-8")
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-gpu", "--no-proxy-server"],
            env={**os.environ, **font_environment(NARROWEST, folder)},
        )
        yield Studio(browser, notebook_page.Tabs(browser, lab, Path()), lab, folder)
        browser.close()


TABLE = "from durak_widget import Table\ntable = Table(seed=7, pace=60000, motion=False)\ntable"
MOMENT = """
from durak_widget import Game, Rules, bots
def moment(game):
    return game.actor == 0 == game.defender and len(game.table) >= 2 and game.bout > 2
found = None
for seed in range(200):
    game = bots.play(Game(Rules(), seed=seed), ["careful"] * 2)
    while game.ply and found is None:
        game.goto(game.ply - 1)
        found = game if moment(game) else None
    if found:
        game.forget_undone()
        break
table.game = found
"""
"""The first position in which you have to beat the second card."""
OPPONENTS = """
import os, tempfile
os.environ["DURAK_WIDGET_HOME"] = tempfile.mkdtemp()
from durak_widget.widgets.opponent_record import OpponentRecord
for _ in range(2):
    OpponentRecord().record_game("nephew", won=True)
"""
TREE = """
from durak_widget import board, gametheory
view = board.Tree(gametheory.textbook({game!r}), depth=9)
"""


def open_menu_item(book: Notebook, key: str) -> Locator:
    """Choose a command in the menu of the table, and return the panel that it opens."""
    book.table().get_by_role("button", name=english_text("screen.menu"), exact=True).click()
    book.table().get_by_role("menuitem", name=english_text(key), exact=True).click()
    panel = book.page.locator(".dk-panel")
    panel.wait_for()
    return panel


def press(shown: Locator, key: str) -> None:
    """Press the button with this text."""
    shown.get_by_role("button", name=english_text(key), exact=True).first.click()


def take_table(studio: Studio) -> None:
    """The table with a number at each part, its settings, the six pictures of the rules, and the panel of presets."""
    with studio.notebook(TABLE) as book:
        book.execute(MOMENT)
        book.wait_idle()
        table = book.table()
        expect(table).to_have_attribute("data-scene", str(book.python("table.scene['id']")))
        parts = (
            ".dk-rules-button",
            ".dk-seat",
            ".dk-talon",
            ".dk-discard",
            ".dk-table",
            ".dk-prompt",
            ".dk-actions button",
            ".dk-hand-card",
        )
        places = ((1.2, 0.5), (1, 0.5), (0.1, 0), (0, 0), (0.47, 0.05), (0.3, 0.5), (-0.3, 0.5), (0, 0))
        labels = [(table.locator(part).first, *place) for part, place in zip(parts, places, strict=True)]
        labels += [(table.get_by_role("button", name=english_text(key)), 0, 0.5) for key in ("screen.undo", "screen.menu")]
        keep("table-labelled", table, labels)
        for theme in THEMES:
            show_in_theme(book.page, theme)
            photograph(table).quantize(128, dither=Image.Dither.NONE).save(OUT / f"table-{theme}.png", optimize=True)
        panel = open_menu_item(book, "screen.settings")
        panel.hover()
        book.page.mouse.wheel(0, 720)
        keep("table-settings", panel)
    with studio.notebook(TABLE, width=800, height=1500) as book:
        panel = open_menu_item(book, "screen.how_to_play")
        keep("how-to-play", panel, until=panel.locator("li").nth(2))
    with studio.notebook(TABLE) as book:
        keep("rules-panel", open_menu_item(book, "screen.rules"))


def take_opponents(studio: Studio) -> None:
    """The six faces; one is beaten, one is next."""
    with studio.notebook(OPPONENTS + 'from durak_widget import Table\nTable(seats={1: "next"}, seed=7)', height=1500) as book:
        panel = open_menu_item(book, "screen.settings")
        keep("opponents", panel, until=panel.locator("p").first)


def take_daily(studio: Studio) -> None:
    """The second puzzle of a day, after one that was solved."""
    cell = (
        OPPONENTS
        + "from datetime import date\nfrom durak_widget import lessons\ndaily = lessons.Daily(today=lambda: date(2026, 3, 2), motion=False)\ndaily.answer(daily.solution)\ndaily.next()\ndaily"
    )
    with studio.notebook(cell) as book:
        book.page.wait_for_timeout(1000)
        keep("daily", book.page.locator(".jp-OutputArea").first)


def take_review(studio: Studio) -> None:
    """The key moment of a game that was lost by one mistake."""
    game = 'from durak_widget import Game, Rules, Table, bots\ntable = Table(bots.play(Game(Rules(), seed=2), ["random", "careful"], 2), motion=False)\ntable'
    with studio.notebook(game) as book:
        press(book.table(), "screen.turned")
        panel = book.page.locator(".dk-panel")
        panel.wait_for()
        keep("review", panel)


def take_exercises(studio: Studio) -> None:
    """Five kinds of exercises."""
    cells = {
        "exercise-cards": 'task = lessons.Pick.beaters("9d", of="6d Td Kd Ac 7s 8d", trump="s")',
        "exercise-number": 'task = lessons.Number("Two of the six cards are trumps. You draw one. How likely is a trump?", "1/3")',
        "exercise-tree": 'task = lessons.OnTree.values(gametheory.textbook("centipede"))',
        "exercise-matrix": "task = lessons.OnMatrix.best([[(3, 2), (0, 0)], [(0, 0), (2, 3)]])",
        "exercise-guided": 'task = lessons.Guided("podkidnoy", seed=3)',
    }
    for name, cell in cells.items():
        with studio.notebook(f"from durak_widget import gametheory, lessons\n{cell}\ntask") as book:
            if name == "exercise-cards":
                for card in ("Td", "Kd"):
                    book.page.locator(f".dk-exercise [data-item='{card}'], .dk-exercise [data-card='{card}']").first.click()
            book.page.wait_for_timeout(1000)
            keep(name, book.page.locator(".jp-OutputArea").first)


def take_progress(studio: Studio) -> None:
    """The road through the lessons, some way along it."""
    solved = """
from durak_widget import lessons
progress = lessons.Progress()
for name in ("00/1", *(f"01/{number}" for number in range(8)), "01/challenge", *(f"02/{number}" for number in range(5))):
    progress.record(name, solved=True)
progress
"""
    with studio.notebook(OPPONENTS + solved) as book:
        keep("progress", book.page.locator(".jp-OutputArea"))


def take_boards(studio: Studio) -> None:
    """The blackboard: its toolbar, a strategy of one's own, equilibria, and a matrix."""
    with studio.notebook(TREE.format(game="myerson") + "view.solve()\nview") as book:
        shown = book.page.locator(".dk-board")
        parts = (".dk-players", "[data-tool='tree.solve']", "[data-tool='solution.mine']", "[data-tool='tree.matrix']", "[data-tool=menu]")
        parts += (".dk-breadcrumbs", ".dk-node[data-id='1'] .dk-sign", ".dk-probability:has-text('2/3')", ".dk-payoffs")
        places = ((1.03, 0.5), *[(1, 0)] * 3, (-0.2, 0.5), (0.2, 0.5), (0.5, -0.6), (1.3, 0.5), (1.3, 0.5))
        labels = [(shown.locator(part).first, *place) for part, place in zip(parts, places, strict=True)]
        keep("board-labelled", shown, labels, until=shown.locator(".dk-view-frame"))
    own = """
from fractions import Fraction
view.strategy = gametheory.Strategy.from_mapping(view.tree, {"holds red": "raise", "holds black": {"raise": Fraction(2, 3), "fold": Fraction(1, 3)}, "after a raise": {"meet": Fraction(2, 3), "pass": Fraction(1, 3)}})
view.mark_best_responses(1)
view.go_to(2)
view
"""
    with studio.notebook(TREE.format(game="myerson") + own) as book:
        keep("own-strategy", book.page.locator(".dk-board"))
    with studio.notebook(TREE.format(game="horse") + "view.solve()\nview.select_equilibrium(1)\nview") as book:
        keep("equilibria", book.page.locator(".dk-board"), until=book.page.locator(".dk-equilibria"))
    with studio.notebook(
        TREE.format(game="beer-quiche") + "view.solve()\nview.select_equilibrium(2)\nview.go_to(view.tree.children(1)[0])\nview"
    ) as book:
        keep("tree-equilibria", book.page.locator(".dk-board"), until=book.page.locator(".dk-equilibria"))
    game = 'board.Matrix([[(6, 6), (2, 7)], [(7, 2), (0, 0)]], rows=["yield", "dare"], columns=["yield", "dare"], names=("Ann", "Bob"))'
    with studio.notebook(f"from durak_widget import board\nview = {game}\nview.list_equilibria()\nview", width=520) as book:
        book.page.locator(".dk-board button").last.click()
        keep("matrix-equilibria", book.page.locator(".dk-board"))


def take_sketch(studio: Studio) -> None:
    """A tree that is half drawn: a name is being typed."""
    begin = """
from durak_widget import editor
sketch = editor.Sketch()
sketch.rename_player(0, "Ann"); sketch.rename_player(1, "Bob")
stops, goes = sketch.add_action(0, "stops"), sketch.add_action(0, "goes on")
sketch.set_payoffs(stops, 1, 0)
stays = sketch.add_action(goes, "stays")
sketch.set_payoffs(stays, 0, 2)
sketch
"""
    with studio.notebook(begin) as book:
        shown = book.page.locator(".dk-board, .dk-editor").first
        book.page.locator(f".dk-node[data-id='{book.python('goes')}'] .dk-sign").click(position={"x": 8, "y": 8})
        book.page.keyboard.press("a")
        field = book.page.locator(".dk-editor-input")
        field.fill("leav")
        keep("sketch", shown)


def take_question(studio: Studio) -> None:
    """Question 7 of the problem set, with some values filled in."""
    cell = 'from durak_widget import lessons\nhomework = lessons.homework("econ431", student="Ann Lee", edition="2027")\nhomework[7]'
    with studio.notebook(cell, width=800) as book:
        book.execute(
            'from durak_widget.econ431.problem_set import ASSIGNMENT\nquiz = ASSIGNMENT.with_edition("2027").create_exercise("backward-induction", "Ann Lee")'
        )
        for node, value in list(zip(book.python("[*quiz.to_message()['nodes']]"), book.python("list(quiz.solution)"), strict=True))[-3:]:
            field = book.page.locator(f".dk-node[data-id='{node}'] input")
            field.fill(value)
            field.press("Enter")
        book.page.locator(".dk-view").press("Home")
        keep("problem-set-question", book.page.locator(".jp-OutputArea"))


MARKS = """
from fractions import Fraction
from pathlib import Path
from random import Random
from durak_widget import lessons
from durak_widget.econ431.problem_set import ASSIGNMENT
from durak_widget.grading.class_report_page import Report
from durak_widget.grading.gradebook import Gradebook, GradebookRow
from durak_widget.grading.student_feedback import build_feedback_page

folder = Path("collected")
folder.mkdir()
homework = lessons.homework("econ431", student="Ann Lee", edition="2027 rev2", folder=folder)
homework.answer("players", ASSIGNMENT.with_edition("2027 rev2").create_exercise("players", "Ann Lee").solution)
homework.answer("moves", ASSIGNMENT.with_edition("2027 rev2").create_exercise("moves", "Ann Lee").solution[:1])
build_feedback_page(lessons.mark(folder, "econ431", edition="2027 rev2", jobs=0), "Ann Lee").save("feedback.html")

lots, rows = Random(2), []
mistakes = {"How likely is a trump?": "number.contrary", "How many hands?": "number.one_order", "Backward induction": "", "Beat or take?": ""}
for student in range(12):
    skill = lots.random()
    for question, mistake in {"What beats what": "", "Whose move is it?": "", **mistakes}.items():
        credit = Fraction(lots.random() < skill + 0.3 * (not mistake))
        rows.append(GradebookRow(f"{student}", f"{student}.json", question, 2 * credit, 2, credit, lots.randint(1, 5), "" if credit else mistake, ""))
Report(Gradebook(rows, []), title="Econ 431 \u00b7 2027", names="hidden", key="willow").save("class.html")
"""
EXAM = "hand-out econ431 --edition exam --students class.csv --paper --questions 3,5,8 --word 'willow by the brook' --out exam"
DEALS = "deals --desks 15 --deals 4 --edition 2027 --out deals.html"
WALL = 'from durak_widget import arena\nranking = arena.play(["careful", "generous", "hasty", "first", "random"], games=400)\nopen("wall.html", "w", encoding="utf-8").write(ranking.to_html())'


def run_python(studio: Studio, *words: str) -> None:
    """Run Python in the folder of the studio."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "DURAK_WIDGET_HOME": str(studio.folder / "teacher")}
    subprocess.run([sys.executable, *words], cwd=studio.folder, env=env, check=True, stdout=subprocess.DEVNULL)


def take_paper(studio: Studio) -> None:
    """A page of an exam, and a deal for the desks, as they are printed."""
    (studio.folder / "class.csv").write_text("name\nAnn Lee\nBen Moss\nCleo Diaz\n", encoding="utf-8")
    for command in (EXAM, DEALS):
        run_python(studio, "-m", "durak_widget.lessons", *shlex.split(command))
    [sheets] = (path for path in (studio.folder / "exam" / "paper").glob("*.html") if path.stem.endswith("ann-lee"))
    with studio.page(sheets.as_uri(), width=700, scale=1.25) as page:
        page.emulate_media(media="print")
        keep("exam-sheet", page.locator(".leaf").first, until=page.locator(".leaf .ask").nth(1))
    with studio.page((studio.folder / "deals.html").as_uri(), width=700, scale=1.25) as page:
        page.emulate_media(media="print")
        keep("deal-sheet", page.locator(".sheet:has(.strip)").first)


def take_marks(studio: Studio) -> None:
    """The report about a class, and the page of one student."""
    run_python(studio, "-c", MARKS)
    with studio.page((studio.folder / "class.html").as_uri(), width=640) as page:
        keep("class-report", page.locator("body"), until=page.locator(".grid").first)
    with studio.page((studio.folder / "feedback.html").as_uri(), width=640) as page:
        keep("feedback-page", page.locator("body"), until=page.locator("section, article").nth(1))


def take_class_games(studio: Studio) -> None:
    """How often each bot took cards that it could beat."""
    cell = 'from durak_widget import lessons\nlessons.games().where(could_beat=True).share("took", by="player")'
    with studio.notebook(cell, width=520) as book:
        keep("class-share", book.page.locator(".jp-OutputArea-output"))


def take_tournament(studio: Studio) -> None:
    """A tournament in a notebook, and the page for the wall."""
    cell = 'from durak_widget import arena\ntournament = arena.Tournament(["careful", "hasty", "first", "random"], games=300, seed=1)\ntournament'
    with studio.notebook(cell, height=1800) as book:
        shown = book.page.locator("section.dk-tournament")
        press(shown, "arena.begin")
        expect(shown).to_have_attribute("data-state", "done", timeout=120_000)
        keep("arena-tournament", shown)
    run_python(studio, "-c", WALL)
    with studio.page((studio.folder / "wall.html").as_uri(), width=960, scale=1.25) as page:
        keep("wall-page", page.locator("body"), until=page.locator("table").first)


def take_bots(studio: Studio) -> None:
    """Bots play each other, with open hands."""
    seats = '{0: "careful", 1: "hasty", 2: "generous"}'
    cell = f'from durak_widget import Table\nTable("podkidnoy, players=3", seats={seats}, seed=3, hands="open", pace=0, steps=True, motion=False)'
    with studio.notebook(cell) as book:
        for _ in range(2):
            press(book.table(), "screen.step")
            book.page.wait_for_timeout(500)
        keep("bots-table", book.table())


def take_lesson(studio: Studio) -> None:
    """The first lesson in JupyterLab."""
    copyfile(ROOT / "notebooks" / "00_welcome.ipynb", studio.lab.folder / "00_welcome.ipynb")
    book = studio.tabs.there(studio.lab, "00_welcome.ipynb")
    book.open("lab")
    book.look(viewport=(860, 960), reduced_motion=True, theme="light")
    book.run_all()
    book.page.wait_for_timeout(2000)  # JupyterLab scrolls to the last cell
    book.page.locator(".jp-WindowedPanel-outer").evaluate("one => one.scrollTo(0, 0)")
    keep("first-lesson", book.page.locator("#main"))
    studio.tabs.close(book, again=False)


def take_play(studio: Studio) -> None:
    """The page to play, on a wide screen and on a phone."""
    site = studio.folder / "site"
    play_page.build(site / "play")
    pictures: dict[str, list[Image.Image]] = {theme: [] for theme in THEMES}
    with serve(site) as server:
        for width, height in ((760, 720), (360, 720)):
            with studio.page(f"{server.url}play/#rules=podkidnoy&seed=7", width=width, height=height) as page:
                page.wait_for_selector("html[data-up]", timeout=90_000)
                for theme in THEMES:
                    show_in_theme(page, theme)
                    pictures[theme].append(photograph(page.locator("html")))
    save("play-page", {theme: side_by_side(*both) for theme, both in pictures.items()})


def take_marimo(studio: Studio) -> None:
    """The table in marimo, with a sentence that follows it, and an exercise."""
    bin_ = installed(f"marimo=={documented_version('marimo')}")
    command = ["marimo", "run", "app.py", "--headless", "--no-token", "--host", "127.0.0.1", "--port", "{port}"]
    with (
        serve_app(bin_, command, {"app.py": recipe("marimo")}, studio.folder, says=re.compile(r"URL: (\S+)")) as url,
        studio.page(url, width=760, height=1400) as page,
    ):
        page.locator(".dk-hand-card[data-card='Jc']").first.click()
        page.get_by_text("2 moves so far").wait_for()
        exercise = page.locator(".dk-exercise").first
        exercise.wait_for()
        keep("marimo", page.locator("body"), until=exercise)


@contextmanager
def class_session(studio: Studio, *options: str) -> Iterator[dict[str, Any]]:
    """Run a live class session, and return what its `session.json` says."""
    run_python(studio, "-m", "durak_widget.live.command_line", "--detach", *options)
    [found] = (studio.folder / "teacher" / "durak").glob("*/session.json")
    session = json.loads(found.read_text(encoding="utf-8"))
    try:
        yield session
    finally:
        os.kill(session["pid"], signal.SIGTERM)


def take_live(studio: Studio) -> None:
    """A live class session: students join, one answers on a phone, and the projector shows the shares and the equilibria."""
    with (
        class_session(studio, "--title", "Econ 431", "--host", "192.168.1.5") as session,
        studio.page(session["teacher_link"], width=1280, height=720) as teacher,
        studio.page(session["teacher_link"].replace("#", "?view=projector#"), width=960, height=600, scale=1.25) as projector,
        studio.page(f"http://127.0.0.1:{session['student_port']}/{session['code']}/", width=360, height=970) as phone,
    ):
        stage, main = projector.locator(".dk-live-stage"), teacher.locator("button[data-command]")
        projector.add_style_tag(content=".dk-live-wall-button { visibility: hidden }")  # the font has no glyph for its sign
        teacher.get_by_role("button", name=english_text("live.board.rehearse", count=30)).click()
        phone.get_by_label(english_text("live.phone.join.name")).fill("Ann")
        press(phone.locator("main"), "live.phone.join.go")
        expect(stage.locator(".dk-live-names li")).to_have_count(31)
        keep("live-lobby", stage)
        main.click()
        press(teacher.locator("body"), "live.board.ask.myerson")
        for situation, choice in (("Holds red", "raise"), ("Holds black", "fold")):
            phone.get_by_role("group", name=situation).get_by_label(choice).check()
        question = photograph_in_both_themes(phone.locator("body"))
        press(phone.locator("main"), "live.phone.send")
        expect(main).to_have_attribute("data-ready", "", timeout=30_000)
        for name, command, phase in (("live-shares", "stop", "stopped"), ("live-reveal", "reveal", "revealed")):
            teacher.locator(f"[data-command={command}]:not([aria-disabled])").click()
            expect(stage).to_have_attribute("data-phase", phase)
            expect(stage.locator(".dk-live-calculating")).to_have_count(0)
            keep(name, stage)
        phone.locator(".dp-card").wait_for()
        result = photograph_in_both_themes(phone.locator("body"))
    save("live-phone", {theme: side_by_side(question[theme], result[theme]) for theme in THEMES})


def take_icons(studio: Studio) -> None:
    """The icon in all sizes; in an icon that fills the square, the spade is smaller."""
    sign = (STATIC / "favicon.svg").read_text(encoding="utf-8")
    whole = sign.replace('rx="7"', "").replace("<path", '<path transform="translate(16 16) scale(.75) translate(-16 -16)"')
    for name, (size, fills) in ICONS.items():
        with studio.page("about:blank", width=size, height=size, scale=1) as page:
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{whole if fills else sign}")
            page.screenshot(path=STATIC / f"{name}.png", omit_background=True)


SCENES: dict[str, Callable[[Studio], None]] = {
    name.removeprefix("take_"): scene for name, scene in list(globals().items()) if name.startswith("take_")
}
"""The scenes by name. Each makes one or more pictures."""


def main() -> None:
    """Make the named scenes, or all of them."""
    with open_studio() as studio:
        for name in sys.argv[1:] or SCENES:
            SCENES[name](studio)


if __name__ == "__main__":
    main()
