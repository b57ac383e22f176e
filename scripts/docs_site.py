"""Build the documentation into build/site; a broken link, an undocumented field or a resource of another host fails.

The pages are copied into build/pages at their places in the repository, so that their links work in both. The reference
is made of the code: commands from Typer, settings from timelens/config.py, JSON from tests/contracts, Python from
``timelens.__all__``.
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

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "build/pages"
SITE = ROOT / "build/site"
COPIED = (
    "*.md",
    "docs/*.md",
    "docs/*.svg",
    "benchmarks/*.md",
    "timelens/reader/WEIGHTS.md",
    "timelens/temporal/YEAR_MODEL.md",
)
"""Pages of the repository, and the pictures that they show."""
PYTHON = {
    "Corpora": "open_corpus open_all list_corpora remove_corpus Corpus AllCorpora CorpusSummary Document"
    " StoredDocument DocumentOverview Chunk Event Fact Histogram DependentTable",
    "Questions": "parse ParsedQuestion Period Plan Reading Parser Turn STRATEGIES SearchResult Hit Scores Coverage"
    " Summariser",
    "Answers": "Answer Answerer Draft Status Value Citation Claim Nearest TimeReference Timeline calculate AgentEvent"
    " Reworded Parsed Planned Gathered Dated Thought Token StepDone Answered",
    "Ingest": "IngestReport IngestProgress Failure Selection SourceFile TableColumns Annotator QuotedTime Verification"
    " Lost",
    "Time": "parse_day format_day find_expressions Expression Interval Granularity Conventions",
    "Settings and errors": "Settings TimelensError BadInputError MissingError StoreError",
}
"""The pages of the Python reference: each name of ``timelens.__all__`` once."""
DAY = r"^[+-]?\d{4,}-\d{2}-\d{2}$"


def main() -> None:
    """Write the pages and build the site."""
    shutil.rmtree(PAGES, ignore_errors=True)
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
    listed = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    pages = (page.relative_to(PAGES).as_posix() for page in PAGES.rglob("*.md"))
    if hidden := sorted(page for page in pages if f'"{page}"' not in listed):
        raise SystemExit("the navigation in zensical.toml does not name: " + ", ".join(hidden))
    shutil.rmtree(SITE, ignore_errors=True)
    build = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    if (code := subprocess.run(build, cwd=ROOT, check=False).returncode) != 0:
        raise SystemExit(code)
    if foreign := sorted({resource for page in SITE.rglob("*.html") for resource in resources(page)}):
        raise SystemExit("the site refers to other hosts:\n" + "\n".join(foreign))


def commands() -> str:
    """The commands with their options, as Typer writes them."""
    command = [sys.executable, "-m", "typer", "timelens.cli", "utils", "docs"]
    command += ["--name", "timelens", "--title", "Commands"]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


# ------------------------------------------------------------------------------------------------------ settings


def settings() -> str:
    """A table of the settings for each table of ``config.toml``."""
    module = griffe.load("timelens.config", search_paths=[ROOT])
    top, tables = [], []
    for name, field in timelens.Settings.model_fields.items():
        fields = getattr(field.annotation, "model_fields", None)
        if fields is None:
            top.append(_setting("", name, field, _meaning(module["Settings"], name)))
            continue
        documented = module[field.annotation.__name__]
        rows = [_setting(name, key, one, _meaning(documented, key)) for key, one in fields.items()]
        tables.append((f"## [{name}]", documented.docstring.value, rows))
    head = (
        "Settings are read from `config.toml` in the timelens home, then from environment variables, then from the"
        " command line; the later one counts. [Configuration](../docs/configuration.md) shows a whole file."
    )
    sections = [("# Settings", head, top), *tables]
    return "\n".join(f"{title}\n\n{text}\n\n{_table(SETTING, rows)}\n" for title, text, rows in sections)


SETTING = ("key", "default", "meaning", "environment")


def _setting(table: str, key: str, field: Any, meaning: str) -> tuple[str, ...]:  # noqa: ANN401 -- of pydantic
    default = field.get_default(call_default_factory=True)
    shown = "none" if default is None else f"`{json.dumps(default, default=list)}`"
    variable = "__".join(["TIMELENS", *[part.upper() for part in (table, key) if part]])
    variable = variable.replace("__", "_", 1)
    return f"`{key}`", shown, meaning + _bounds(field.metadata), f"`{variable}`"


def _bounds(metadata: list[Any]) -> str:
    signs = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    found = [
        f"{words} {getattr(one, name):g}"
        for one in metadata
        for name, words in signs.items()
        if hasattr(one, name)
    ]
    return f" ({', '.join(found)})" if found else ""


def _meaning(owner: griffe.Object, name: str) -> str:
    """The docstring below a field, which a class may inherit."""
    for place in (owner, *owner.mro()):
        if name in place.members and place.members[name].docstring:
            return " ".join(place.members[name].docstring.value.split())
    raise SystemExit(f"{owner.path}.{name} has no docstring, which the page of settings shows")


# ----------------------------------------------------------------------------------------------------- contracts


def contracts() -> str:
    """A table of fields for each schema of what ``--json`` prints."""
    parts = [
        "# JSON\n\nWhat `--json` prints. Fields may be added, and are never renamed. Days are ISO 8601 with astronomical"
        " years; `start` is inclusive, `end` exclusive, and null means unbounded. `[]` stands for each item of a list."
    ]
    for path in sorted((ROOT / "tests/contracts").glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        rows = list(_fields(schema, schema, ""))
        parts.append(f"## {schema['title']}\n\n{_table(('field', 'type', 'meaning'), rows)}")
    return "\n\n".join(parts) + "\n"


def _fields(part: Any, root: Any, path: str) -> Iterator[tuple[str, ...]]:  # noqa: ANN401 -- JSON
    required = part.get("required", ())
    for name, stated in part.get("properties", {}).items():
        if "description" not in stated:
            raise SystemExit(f"{root['title']}: {path}{name} has no description")
        field = _resolved(stated, root)
        meaning = stated["description"] + ("" if name in required else " Not always there.")
        yield f"`{path}{name}`", _type(field, root), meaning
        items = _resolved(field.get("items", {}), root)
        yield from _fields(field, root, f"{path}{name}.")
        yield from _fields(items, root, f"{path}{name}[].")


def _resolved(part: Any, root: Any) -> Any:  # noqa: ANN401 -- JSON
    name = part.get("$ref", "").rpartition("/")[2]
    return root["$defs"][name] if name else part


def _type(part: Any, root: Any) -> str:  # noqa: ANN401 -- JSON
    part = _resolved(part, root)
    if "anyOf" in part:
        return " or ".join(_type(one, root) for one in part["anyOf"])
    if "enum" in part:
        return ", ".join("null" if one is None else f"`{one}`" for one in part["enum"])
    kinds = part["type"] if isinstance(part["type"], list) else [part["type"]]
    if "array" in kinds and "items" in part:
        return (
            f"list of ({_type(part['items'], root)})"
            if "enum" in part["items"]
            else "list of " + _type(part["items"], root)
        )
    kinds = ["day" if one == "string" and part.get("pattern") == DAY else one for one in kinds]
    return " or ".join(kinds)


# -------------------------------------------------------------------------------------------------------- Python


def python() -> dict[str, str]:
    """The pages of the Python reference, which mkdocstrings fills."""
    listed = [name for names in PYTHON.values() for name in names.split()]
    if sorted(listed) != sorted(timelens.__all__):
        wrong = sorted(set(listed) ^ set(timelens.__all__)) or "a name twice"
        raise SystemExit(f"the pages of the Python reference and timelens.__all__ differ: {wrong}")
    return {
        f"python/{title.lower().replace(' ', '-')}": f"# {title}\n\n"
        + "\n".join(f"::: timelens.{name}\n" for name in names.split())
        for title, names in PYTHON.items()
    }


# -------------------------------------------------------------------------------------------------------- shared


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def resources(page: Path) -> Iterator[str]:
    """What a page fetches from other hosts when it is opened; links are not fetched."""
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            values = dict(attrs)
            found.extend(filter(None, (values.get("src"), values.get("srcset"), values.get("poster"))))
            if tag == "link":
                found.append(values.get("href") or "")

    text = page.read_text(encoding="utf-8")
    Reader().feed(text)
    found += re.findall(r"url\(\s*['\"]?([^)'\"]+)", text)
    return (f"{page.relative_to(SITE)}: {one}" for one in found if re.match(r"(?:https?:)?//", one))


if __name__ == "__main__":
    main()
