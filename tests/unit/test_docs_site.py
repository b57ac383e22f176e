"""The pages of the documentation, and what scripts/docs_site.py makes of the code."""

import re
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from timelens.config import Settings

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts" / "docs_site.py"))


def test_every_link_of_a_page_leads_to_a_file_of_the_repository(site: dict[str, Any]) -> None:
    links = [
        (page, target)
        for pattern in site["COPIED"]
        for page in ROOT.glob(pattern)
        if page.suffix == ".md"
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        if "://" not in target
    ]
    assert len(links) > 50
    assert [(page.name, target) for page, target in links if not (page.parent / target).is_file()] == []


@pytest.mark.usefixtures("home")
def test_the_configuration_shown_is_one_that_can_be_read() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    Settings.model_validate(tomllib.loads(re.sub(r"(?m)^# (?=[a-z_]+ = )", "", block)))


def test_the_page_on_configuration_names_every_key() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")

    def keys(model: type[BaseModel]) -> Iterator[str]:
        for name, field in model.model_fields.items():
            inner = field.annotation
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                yield from keys(inner)
            else:
                yield name

    assert [key for key in keys(Settings) if not re.search(rf"\b{key}\b", page)] == []


def test_every_setting_and_field_is_in_the_reference(site: dict[str, Any]) -> None:
    settings, fields = site["settings"](), site["contracts"]()
    assert "| `timeout_seconds` | `120` |" in settings
    assert "(more than 0, at most 3600) | `TIMELENS_SERVER__TIMEOUT_SECONDS` |" in settings
    assert "| `citations[].start` | day or null |" in fields
    inner = {"description": "", "type": "object", "properties": {"one": {"type": "string"}}}
    schema = {"title": "made", "properties": {"lone": inner}}
    with pytest.raises(SystemExit, match=r"made: lone\.one has no description"):
        list(site["_fields"](schema, schema, ""))


def test_a_resource_of_another_host_is_found_and_a_link_is_not(site: dict[str, Any]) -> None:
    page = site["SITE"] / "made.html"
    html = (
        '<a href="https://a.example"><img src="//b.example/x.png"><link href="https://c.example/x.css">'
        "<style>@import url('http://d.example/x.css'); a { background: url(own.png) }</style>"
    )
    assert [line.split(": ")[1] for line in site["resources"](page, html)] == [
        "//b.example/x.png",
        "https://c.example/x.css",
        "http://d.example/x.css",
    ]
