"""The command line with a real model: a tiny GGUF of random weights through llama.cpp."""

import json
from pathlib import Path

import pytest
from cli.conftest import Run

QUESTION = "Who was the keeper of North Point in 2010?"


def test_a_model_writes_the_answer(run: Run, harbour: str, tiny_model: Path) -> None:
    outcome = run("ask", QUESTION, "--corpus", harbour, "--model", tiny_model, "--json")
    assert outcome.code == 0
    answer = json.loads(outcome.out)
    assert answer["answer"]
    assert answer["answer"] != json.loads(run("ask", QUESTION, "--corpus", harbour, "--json").out)["answer"]
    assert any("cites no evidence" in note for note in answer["notes"])  # it knows nothing, and that is said


def test_a_configured_model_needs_no_option(
    run: Run, harbour: str, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("ask", QUESTION, "--corpus", harbour, "--answerer", "llama").code == 3  # none is configured
    monkeypatch.setenv("TIMELENS_LLAMA__MODEL", str(tiny_model))
    monkeypatch.setenv("TIMELENS_ANSWERER", "llama")
    answer = json.loads(run("ask", QUESTION, "--corpus", harbour, "--json").out)
    assert any("cites no evidence" in note for note in answer["notes"])
    checks = json.loads(run("doctor", "--json").out)["checks"]
    assert {check["name"]: check["health"] for check in checks}["model"] == "fine"


def test_a_model_is_described(run: Run, tiny_model: Path) -> None:
    described = json.loads(run("model", "show", tiny_model, "--json").out)
    assert described["architecture"] == "llama"
    assert described["context_length"] == 4096
    assert described["has_chat_template"] is True
    assert "4,096 tokens" in run("model", "show", tiny_model).out


def test_a_model_that_is_gone_or_broken_is_one_line(run: Run, harbour: str, tmp_path: Path) -> None:
    missing = run("ask", QUESTION, "--corpus", harbour, "--model", tmp_path / "no.gguf")
    assert (missing.code, "no model file" in missing.err) == (3, True)
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(20))
    outcome = run("ask", QUESTION, "--corpus", harbour, "--model", broken)
    assert outcome.code == 2
    assert "broken.gguf" in outcome.err
