"""Test releases by tag: their workflow runs commands that anybody can run, and tags are checked."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

import durak_widget
import release_notes

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
WORKFLOW = yaml.safe_load(TEXT)
JOBS = WORKFLOW["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
ONLY_THERE = {"gh release create": "a release of GitHub is made by nothing but GitHub"}
BY_TAG = "startsWith(github.ref, 'refs/tags/')"


def minor_version(version: str) -> tuple[int, ...]:
    """Return a version as numbers, because 3.9 comes before 3.10."""
    return tuple(map(int, version.split(".")))


def test_each_workflow_step_is_an_existing_command():
    """It is a make target or a script in tools/. Exceptions are listed with a reason."""
    targets = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    runs = [step["run"] for step in STEPS if "run" in step]
    others = [run for run in runs if not re.fullmatch(r'make [a-z-]+|python tools/\w+\.py "\$TAG"', run)]
    made = {run.split()[1] for run in runs if run.startswith("make ")}
    assert made == {"test", "test-all", "test-release", "check", "dist", "site"} & targets
    assert all((ROOT / run.split()[1]).is_file() for run in runs if run.startswith("python "))
    assert [name for name in ONLY_THERE if any(run.startswith(name) for run in others)] == list(ONLY_THERE)
    assert len(others) == len(ONLY_THERE)


def test_every_supported_python_is_tested():
    """These are the versions of the classifiers, without a gap."""
    matrix = JOBS["test"]["strategy"]["matrix"]
    versions = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', PROJECT)
    assert (
        matrix["python"]
        == versions
        == [f"3.{number}" for number in range(minor_version(versions[0])[1], minor_version(versions[-1])[1] + 1)]
    )
    assert versions[0] == re.search(r'requires-python = ">=(3\.\d+)"', PROJECT)[1]


def test_only_tested_and_tagged_versions_are_published():
    """Each publishing job needs a tag and all checks, and no job has unneeded write access."""
    outside = {name for name, job in JOBS.items() if "write" in job.get("permissions", {}).values()}
    assert outside == {"publish", "pages", "release"}
    assert all(JOBS[name]["if"] == BY_TAG for name in outside)
    assert set(JOBS["publish"]["needs"]) == set(JOBS) - outside
    assert JOBS["pages"]["needs"] == JOBS["release"]["needs"] == ["publish"]
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert JOBS["publish"]["permissions"] == {"id-token": "write"}
    assert JOBS["publish"]["environment"]["name"] == "pypi"
    assert "secrets." not in TEXT


def test_actions_are_pinned_to_commits_and_jobs_have_time_limits():
    """Tags of others can move. Each commit has its version beside it."""
    used = re.findall(r"uses: (\S+)@(\S+)(.*)", TEXT)
    assert len(used) == sum("uses" in step for step in STEPS)
    for name, commit, version in used:
        assert re.fullmatch(r"[0-9a-f]{40}", commit), name
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", version), name
    assert len({(name, commit) for name, commit, _ in used}) == len({name for name, _, _ in used})
    assert all(1 <= job["timeout-minutes"] <= 300 for job in JOBS.values())
    out = [step for step in STEPS if "checkout" in step.get("uses", "")]
    assert out
    assert all(step["with"]["persist-credentials"] is False for step in out)


@pytest.fixture
def release_files(tmp_path):
    """Return a folder with the files of a release that is ready."""
    (tmp_path / "durak_widget").mkdir()
    for name in ("durak_widget/__init__.py", "CITATION.cff"):
        shutil.copy(ROOT / name, tmp_path / name)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = f"## [{durak_widget.__version__}]"
    if heading not in changes:
        changes = changes.replace("## [Unreleased]\n", f"## [Unreleased]\n\n{heading} - soon\n", 1)
    changes = re.sub(rf"^{re.escape(heading)}.*", f"{heading} - 2026-12-01", changes, flags=re.MULTILINE)
    changes = changes.replace("## [Unreleased]\n", "## [Unreleased]\n\n- What comes later.\n", 1)
    older = "\n## [0.0.1] - 2026-01-01\n\n- What was before.\n"
    (tmp_path / "CHANGELOG.md").write_text(changes + older, encoding="utf-8")
    return tmp_path


TAG = f"v{durak_widget.__version__}"


def test_release_notes_are_the_section_of_the_version(release_files):
    """They contain nothing of other versions, and permanent links."""
    notes = release_notes.notes(TAG, release_files)
    assert "### Added\n" in notes
    assert "What was before" not in notes
    assert "What comes later" not in notes
    assert "Unreleased" not in notes
    leads = re.findall(r"\]\(([^)]+)\)", notes)
    assert leads
    for lead in leads:
        assert lead.startswith("https://")
        page = lead.removeprefix(f"{release_notes.PLACE}/{TAG}/").partition("#")[0]
        assert (ROOT / page).is_file(), lead


@pytest.mark.parametrize(
    ("name", "was", "becomes", "sentence"),
    [
        ("durak_widget/__init__.py", durak_widget.__version__, "9.8.7", "9.8.7"),
        ("CITATION.cff", f"version: {durak_widget.__version__}", "version: 9.8.7", "CITATION.cff"),
        ("CHANGELOG.md", f"## [{durak_widget.__version__}] - 2026", "## [9.8.7] - 2026", "has no section"),
        ("CHANGELOG.md", " - 2026-12-01", "", "has no section"),
        ("CHANGELOG.md", "- 2026-12-01\n", "- 2026-12-01\n\n## [0.0.2] - 2026-02-02\n", "has no text under"),
    ],
)
def test_an_invalid_release_is_refused(release_files, name, was, becomes, sentence):
    """Test another version, an old citation, and a changelog section that is missing, undated or empty."""
    text = (release_files / name).read_text(encoding="utf-8")
    assert was in text
    (release_files / name).write_text(text.replace(was, becomes, 1), encoding="utf-8")
    with pytest.raises(release_notes.NoReleaseError, match=re.escape(sentence)):
        release_notes.notes(TAG, release_files)


def test_only_the_tag_of_the_version_is_accepted(release_files):
    """It starts with v and has all digits."""
    for tag in ("v9.8.7", durak_widget.__version__, f"{TAG}-rc1", f"{TAG}.1", ""):
        with pytest.raises(release_notes.NoReleaseError, match="correct one of them"):
            release_notes.notes(tag, release_files)


def test_the_command_writes_no_notes_for_an_invalid_release(monkeypatch, release_files, capsys):
    """It says why and exits with 1. For a valid release it writes the notes."""
    monkeypatch.setattr(release_notes, "ROOT", release_files)
    monkeypatch.setattr(release_notes.notes, "__defaults__", (release_files,))
    assert release_notes.main("v9.8.7") == 1
    assert "v9.8.7" in capsys.readouterr().err
    assert not (release_files / "build").exists()
    assert release_notes.main(TAG) == 0
    assert (release_files / "build" / "notes.md").read_text(encoding="utf-8") == release_notes.notes(TAG, release_files)
