"""Build the documentation into build/site.

The pages are copied into build/pages with their paths in the repository, so that their links work in both.
The reference is generated from the code: commands from Typer, settings from timelens/config.py, JSON from
tests/contracts, Python from ``timelens.__all__``. These are errors: a broken link, a page missing in the
navigation, a field or setting without a description, and a resource that a page would fetch from another
host.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import griffe

import timelens
from timelens import temporal

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "build/pages"
SITE = ROOT / "build/site"
COPIED = (
    "*.md",
    "docs/*.md",
    "docs/*.svg",
    "benchmarks/*.md",
    "timelens/answer/llama/ADAPTER.md",
    "timelens/reader/WEIGHTS.md",
    "timelens/temporal/YEAR_MODEL.md",
)
"""Pages of the repository, and their pictures."""
PYTHON = {
    "Corpora": """
        open_corpus open_all open_to_ask list_corpora remove_corpus Corpus AllCorpora Askable Location
        CorpusSummary EmbedderIdentity Outlying Document Part Mark StoredDocument DocumentOverview Chunk Event
        EventSource Fact Histogram StoredTable DependentTable Dependency Break
    """,
    "Questions": """
        parse ParsedQuestion Intent Focus ReasoningClass Ordinal Window Period PeriodRole Constraint Role
        ImplicitTime Distance Reach Plan Step StepKind Reading Parser Turn AnsweredValue STRATEGIES
        SearchResult Hit Scores Coverage
        Covered Summariser summariser_in
    """,
    "Answers": """
        Answer Answerer Draft Decision Candidate Status Value Citation Claim Support Statement Derived Nearest
        TimeReference Timeline calculate AgentEvent Reworded Parsed Planned Gathered Dated DatedEvent Thought
        Token StepDone Answered
    """,
    "Ingest": """
        IngestReport Changes IngestProgress Failure Selection USUAL_FILES ALL_FILES SourceFile TableColumns
        Annotator QuotedTime MostlyGoneError Verification Inspection Suspect FileFault Repair Lost OnStep
    """,
    "Time": "parse_day format_day find_expressions Expression Interval Granularity Conventions",
    "Settings and errors": """
        Settings configure ANSWERERS AnswererName READING_MODES ReadingMode ModelSettings EmbedderSettings
        RerankerSettings LlamaSettings ServerSettings IngestSettings TimeSettings StorageSettings
        TableSettings HistorySettings ChatSettings TimelensError BadInputError MissingError StoreError
        OutputError ExitCode
    """,
}
"""The pages of the Python reference, with each name of ``timelens.__all__`` once."""
DAY = r"^[+-]?\d{4,}-\d{2}-\d{2}$"
BOUNDS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
"""Words for the bounds of a setting, by their names in pydantic."""

Row = tuple[str, ...]


def main() -> None:
    """Write the pages and build the site."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.rmtree(SITE, ignore_errors=True)
    for pattern in COPIED:
        for page in ROOT.glob(pattern):
            target = PAGES / page.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, target)
    written = {"commands": commands(), "settings": settings(), "json": contracts(), **python()}
    for name, text in written.items():
        target = PAGES / "reference" / f"{name}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    navigation = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    pages = (page.relative_to(PAGES).as_posix() for page in PAGES.rglob("*.md"))
    if hidden := sorted(page for page in pages if f'"{page}"' not in navigation):
        raise SystemExit("zensical.toml does not name: " + ", ".join(hidden))
    build = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    if subprocess.run(build, cwd=ROOT, check=False).returncode:
        raise SystemExit(1)
    shown = [path for path in SITE.rglob("*") if path.suffix in {".html", ".css", ".svg"}]
    if foreign := [line for path in shown for line in resources(path, path.read_text(encoding="utf-8"))]:
        raise SystemExit("the site fetches from other hosts:\n" + "\n".join(foreign))


def commands() -> str:
    """The commands with their options, as Typer writes them."""
    command = [sys.executable, "-m", "typer", "timelens.cli", "utils", "docs"]
    command += ["--name", "timelens", "--title", "Commands"]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


# ----------------------------------------------------------------------------------------------- settings


def settings() -> str:
    """A table of the settings for each table of ``config.toml``."""
    module = griffe.load("timelens.config", search_paths=[ROOT])
    top: list[Row] = []
    tables = ""
    for name, field in timelens.Settings.model_fields.items():
        fields = getattr(field.annotation, "model_fields", None)
        if fields is None or field.annotation is None:
            top.append(_setting("", name, field, module["Settings"]))
        else:
            described = module[field.annotation.__name__]
            rows = [_setting(name, key, one, described) for key, one in fields.items()]
            tables += f"\n## [{name}]\n\n{described.docstring.value}\n\n{_settings_table(rows)}"
    return (
        "# Settings\n\n"
        "Settings are read from `config.toml` in the timelens home, then from environment variables, then\n"
        "from the command line; the last one counts. [Configuration](../docs/configuration.md)\n"
        "shows a file.\n\n"
        f"{_settings_table(top)}{tables}"
    )


def _settings_table(rows: list[Row]) -> str:
    return _table(("key", "default", "meaning", "environment"), rows)


def _setting(table: str, key: str, field: Any, described: griffe.Object) -> Row:  # noqa: ANN401 -- a pydantic field
    default = field.get_default(call_default_factory=True)
    shown = "none" if default is None else f"`{json.dumps(default, default=list)}`"
    bounds = [
        f"{words} {getattr(one, name):g}"
        for one in field.metadata
        for name, words in BOUNDS.items()
        if hasattr(one, name)
    ]
    meaning = _docstring(described, key) + (f" ({', '.join(bounds)})" if bounds else "")
    return f"`{key}`", shown, meaning, f"`TIMELENS_{f'{table}__' if table else ''}{key}`".upper()


def _docstring(owner: griffe.Object, name: str) -> str:
    """The docstring below a field, which may be inherited."""
    for place in (owner, *(owner.mro() if isinstance(owner, griffe.Class) else ())):
        if name in place.members and place.members[name].docstring:
            return " ".join(place.members[name].docstring.value.split())
    raise SystemExit(f"{owner.path}.{name} has no docstring")


# ----------------------------------------------------------------------------------------------- contracts


def contracts() -> str:
    """A table of fields for each schema of ``--json`` output."""
    text = (
        "# JSON\n\n"
        "What `--json` prints. Fields may be added, and are never renamed. Days are ISO 8601 with\n"
        "astronomical years; `start` is inclusive, `end` exclusive, and null means unbounded. `[]` stands\n"
        "for each item of a list.\n"
    )
    for path in sorted((ROOT / "tests/contracts").glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        text += f"\n## {schema['title']}\n\n"
        text += _table(("field", "type", "meaning"), list(_fields(schema, schema, "")))
    return text


def _fields(part: Any, root: Any, path: str) -> Iterator[Row]:  # noqa: ANN401 -- JSON
    """A row for each field of a schema, followed by its nested fields and items."""
    for name, stated in part.get("properties", {}).items():
        if "description" not in stated:
            raise SystemExit(f"{root['title']}: {path}{name} has no description")
        field = _resolved(stated, root)
        always = name in part.get("required", ())
        meaning = stated["description"] + ("" if always else " Not always there.")
        yield f"`{path}{name}`", _type(field, root), meaning
        yield from _fields(field, root, f"{path}{name}.")
        yield from _fields(_resolved(field.get("items", {}), root), root, f"{path}{name}[].")
        for one in field.get("anyOf", ()):
            yield from _fields(one, root, f"{path}{name}.")


def _resolved(part: Any, root: Any) -> Any:  # noqa: ANN401 -- JSON
    name = part.get("$ref", "").rpartition("/")[2]
    return root["$defs"][name] if name else part


def _type(part: Any, root: Any) -> str:  # noqa: ANN401 -- JSON
    part = _resolved(part, root)
    if "anyOf" in part:
        return " or ".join(_type(one, root) for one in part["anyOf"])
    if "enum" in part:
        return ", ".join("null" if one is None else f"`{one}`" for one in part["enum"])
    kinds: list[str] = part["type"] if isinstance(part["type"], list) else [part["type"]]
    names = {"string": "day"} if part.get("pattern") == DAY else {}
    if "items" in part:
        names["array"] = f"list of {_type(part['items'], root)}"
    return " or ".join(names.get(kind, kind) for kind in kinds)


# ----------------------------------------------------------------------------------------------- Python


def python() -> dict[str, str]:
    """The pages of the Python reference, which mkdocstrings fills."""
    listed = [name for names in PYTHON.values() for name in names.split()]
    if sorted(listed) != sorted(timelens.__all__):
        wrong = sorted(set(listed) ^ set(timelens.__all__)) or "a name twice"
        raise SystemExit(f"the Python reference and timelens.__all__ differ: {wrong}")
    times = sorted(set(temporal.__all__) - set(timelens.__all__))
    return {
        f"python/{title.lower().replace(' ', '-')}": f"# {title}\n\n"
        + "\n".join(
            f"::: timelens.{name}\n"
            for name in [*names.split(), *(f"temporal.{one}" for one in times if title == "Time")]
        )
        for title, names in PYTHON.items()
    }


# ----------------------------------------------------------------------------------------------- shared


def _table(head: Row, rows: list[Row]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    escaped = ([cell.replace("|", r"\|") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in escaped)


class _Resources(HTMLParser):
    """Collects the addresses that a browser fetches to show a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect from one tag."""
        values = dict(attrs)
        names = ("src", "srcset", "poster", "data", *(["href"] if tag in {"link", "use", "image"} else []))
        self.found += [value for name in names if (value := values.get(name))]


def resources(page: Path, text: str) -> list[str]:
    """Resources that a page or style sheet fetches from other hosts when shown; links do not count."""
    reader = _Resources()
    if page.suffix == ".html":
        reader.feed(text)
    found = reader.found + re.findall(r"(?:url\(|@import (?!url))\s*['\"]?([^)'\"]+)", text)
    return [f"{page.relative_to(SITE)}: {one}" for one in found if re.match(r"(?:https?:)?//", one)]


if __name__ == "__main__":
    main()
