"""Models of the catalogue, and where they may be pulled from."""

from pathlib import Path

import pytest

from timelens.answer.models.catalogue import (
    CATALOGUE,
    Source,
    is_safe,
    source_of,
)
from timelens.errors import BadInputError, MissingError


def test_the_catalogue_has_addresses_and_pins_what_is_known(home: Path) -> None:
    assert len({model.name for model in CATALOGUE}) == len(CATALOGUE) >= 5
    for model in CATALOGUE:
        url = f"https://hub.test/{model.repository}/resolve/main/{model.file}"
        target = home / "models" / model.file
        assert source_of(model.name, "https://hub.test/") == Source(url, target, model)
    assert {(model.name, model.size, model.sha256) for model in CATALOGUE if model.sha256} == {
        ("qwen2.5-0.5b", 491_400_032, "74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db"),
        ("qwen2.5-1.5b", 1_117_320_736, "6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e"),
        (
            "qwen2.5-coder",
            1_117_320_768,
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        ),
    }
    assert {model.licence for model in CATALOGUE if model.sha256} == {"Apache-2.0"}


def test_a_model_of_the_catalogue_may_come_from_elsewhere(home: Path) -> None:
    model, target = CATALOGUE[0], home / "models" / CATALOGUE[0].file
    found: dict[str, str | Path] = {
        "https://mirror.test/hub": model.url("https://mirror.test/hub"),
        "https://mirror.test/x/other.gguf?download=1": "https://mirror.test/x/other.gguf?download=1",
        "/disk/mine.gguf": Path("/disk/mine.gguf"),
        "~/mine.gguf": Path("~/mine.gguf").expanduser(),
    }
    for origin, expected in found.items():
        assert source_of(model.name, "https://hub.test", origin) == Source(expected, target, model)


@pytest.mark.parametrize(
    ("name", "origin", "said"),
    [
        ("qwen3-4b", "http://mirror.test", "cannot be pulled from"),
        ("qwen3-4b", "https://[mirror", "is not an address"),
        ("https://hub.test/a.gguf", "https://mirror.test", "so --from cannot be used"),
        ("https://[hub/a.gguf", None, "is not an address"),
    ],
)
@pytest.mark.usefixtures("home")
def test_a_source_that_cannot_be_is_said(name: str, origin: str | None, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        source_of(name, "https://hub.test", origin)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gpt", "no model 'gpt' in the catalogue"),
        ("../x.gguf", "in the catalogue"),
        ("http://example.org/x.gguf", "cannot be pulled from"),
        ("ftp://example.org/x.gguf", "cannot be pulled from"),
        ("https://example.org/x.bin", "not name a GGUF file"),
        ("https://example.org/a%2F..%2Fx.gguf", "not name a GGUF file"),
        ("https://example.org/.gguf", "not name a GGUF file"),
        ("https://example.org/", "not name a GGUF file"),
    ],
)
@pytest.mark.usefixtures("home")
def test_an_address_that_cannot_be_pulled_from_is_said(name: str, said: str) -> None:
    with pytest.raises((BadInputError, MissingError), match=said):
        source_of(name, "https://hub.test")


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://x.test/a", True),
        ("http://127.0.0.1:80/a", True),
        ("http://localhost/a", True),
        ("http://localhost.x.test/a", False),
        ("file:///etc/passwd", False),
    ],
)
def test_only_addresses_that_nobody_can_listen_to_are_safe(url: str, safe: bool) -> None:
    assert is_safe(url) == safe
