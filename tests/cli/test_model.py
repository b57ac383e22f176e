"""The command line with a real model: a tiny GGUF of random weights through llama.cpp."""

import json
from pathlib import Path

import pytest
from cli.conftest import Run


@pytest.fixture(autouse=True)
def _one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several would wait for each other where the tests share the machine."""
    monkeypatch.setenv("TIMELENS_LLAMA__THREADS", "1")


QUESTION = "Who was the keeper of North Point in 2010?"


def test_a_model_writes_the_answer(run: Run, harbour: str, tiny_model: Path) -> None:
    outcome = run("ask", QUESTION, "--corpus", harbour, "--model", tiny_model, "--json")
    assert outcome.code == 0
    answer = json.loads(outcome.out)
    assert answer["answer"] == json.loads(run("ask", QUESTION, "--corpus", harbour, "--json").out)["answer"]
    assert any(
        "changed or left out" in note for note in answer["notes"]
    )  # it knows nothing, and that is said


def test_a_configured_model_needs_no_option(
    run: Run, harbour: str, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("ask", QUESTION, "--corpus", harbour, "--answerer", "llama").code == 3  # none is configured
    monkeypatch.setenv("TIMELENS_LLAMA__MODEL", str(tiny_model))
    monkeypatch.setenv("TIMELENS_ANSWERER", "llama")
    answer = json.loads(run("ask", QUESTION, "--corpus", harbour, "--json").out)
    assert any("changed or left out" in note for note in answer["notes"])
    checks = json.loads(run("doctor", "--json").out)["checks"]
    (model,) = (check for check in checks if check["name"] == "model")
    assert (model["health"], model["detail"].endswith("runs with the usual parameters")) == ("fine", True)


@pytest.mark.usefixtures("home")
def test_doctor_says_what_models_run_with_and_why(
    run: Run, tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With extra buffers, decoding dies here."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, llama_cpp\n"
        "evaluate = llama_cpp.Llama.eval\n"
        "def dying(model, tokens):\n"
        "    if model.model_params.use_extra_bufts: os.kill(os.getpid(), 11)\n"
        "    evaluate(model, tokens)\n"
        "llama_cpp.Llama.eval = dying\n"
    )
    monkeypatch.setenv("TIMELENS_LLAMA__MODEL", str(tiny_model))

    def details() -> dict[str, str]:
        return {check["name"]: check["detail"] for check in json.loads(run("doctor", "--json").out)["checks"]}

    assert details()["model"].endswith("not tried here yet; the first question tries it")
    with monkeypatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        run("parse", QUESTION, "--parser", "llm")
    said = "runs without extra buffers: llama.cpp crashed with the usual parameters (SIGSEGV)"
    assert details()["model"].endswith(said)
    monkeypatch.delenv("TIMELENS_LLAMA__MODEL")
    assert details()[f"model {tiny_model.name}"] == f"{tiny_model}, {said}"


def test_a_model_is_described(run: Run, tiny_model: Path) -> None:
    described = json.loads(run("model", "show", tiny_model, "--json").out)
    assert described["architecture"] == "llama"
    assert described["context_length"] == 4096
    assert described["has_chat_template"] is True
    assert "4,096 tokens" in run("model", "show", tiny_model).out


def test_a_reading_mode_is_chosen_by_option_or_configuration(
    run: Run, harbour: str, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = ["ask", QUESTION, "--corpus", harbour, "--model", tiny_model, "-k", "2", "--json"]
    monkeypatch.setenv("TIMELENS_LLAMA__ANSWER_TOKENS", "16")
    chosen = json.loads(run(*question, "--reading", "self-rag").out)
    assert any("pieces of evidence" in note for note in chosen["notes"])  # it judges at random
    monkeypatch.setenv("TIMELENS_LLAMA__READING", "self-rag")
    configured = json.loads(run(*question).out)
    assert (chosen["answer"], chosen["notes"]) == (configured["answer"], configured["notes"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--reading", "aloud", "--answerer", "llama"], "there is no reading mode 'aloud'"),
        (["--reading", "cot"], "--reading does not go with the extractive answerer"),
    ],
)
def test_a_reading_mode_that_cannot_be_had_is_one_line(
    run: Run, harbour: str, options: list[str], said: str
) -> None:
    outcome = run("ask", QUESTION, "--corpus", harbour, *options)
    assert (outcome.code, said in outcome.err, outcome.out) == (2, True, "")


def test_a_model_that_is_gone_or_broken_is_one_line(run: Run, harbour: str, tmp_path: Path) -> None:
    missing = run("ask", QUESTION, "--corpus", harbour, "--model", tmp_path / "no.gguf")
    assert (missing.code, "no model file" in missing.err) == (3, True)
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(20))
    outcome = run("ask", QUESTION, "--corpus", harbour, "--model", broken)
    assert outcome.code == 2
    assert "broken.gguf" in outcome.err


def test_a_model_reads_a_question_beside_the_rules(run: Run, tiny_model: Path) -> None:
    by_rule = json.loads(run("parse", QUESTION, "--json").out)
    assert by_rule["notes"] == []
    outcome = run("parse", QUESTION, "--parser", "llm", "--model", tiny_model, "--json")
    assert outcome.code == 0
    beside = json.loads(outcome.out)
    (note,) = beside.pop("notes")  # it knows nothing, and that is said
    assert note.endswith("the rules' reading stands alone")
    assert beside == {key: value for key, value in by_rule.items() if key != "notes"}
    assert note[:40] in run("parse", QUESTION, "--parser", "llm", "--model", tiny_model).out
    lines = run(
        "parse", "-", "--jsonl", "--parser", "llm", "--model", tiny_model, stdin='{"id": "q", "text": "Who?"}'
    )
    assert "stands alone" in json.loads(lines.out)["notes"][0]


def test_a_configured_parser_reads_for_every_command(
    run: Run, harbour: str, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_LLAMA__MODEL", str(tiny_model))
    monkeypatch.setenv("TIMELENS_PARSER", "llm")
    for command in (
        ["parse", QUESTION],
        ["search", QUESTION, "--corpus", harbour],
        ["ask", QUESTION, "--corpus", harbour],
        ["ask", QUESTION, "--corpus", harbour, "--answerer", "llama"],
    ):
        outcome = run(*command, "--json")
        assert outcome.code == 0
        assert "the rules' reading stands alone" in " ".join(json.loads(outcome.out)["notes"])
    alone = json.loads(run("ask", QUESTION, "--corpus", harbour, "--parser", "rules", "--json").out)
    assert not any("stands alone" in note for note in alone["notes"])


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--parser", "guess"], 2, "there is no parser 'guess'"),
        (["--parser", "llm"], 3, "the parser llm needs a language model"),
        (["--parser", "llm", "--model", "no.gguf"], 3, "no model file"),
    ],
)
def test_a_parser_that_cannot_be_had_is_one_line(
    run: Run, harbour: str, options: list[str], code: int, said: str
) -> None:
    for command in (["parse", QUESTION], ["ask", QUESTION, "--corpus", harbour, "--answerer", "extractive"]):
        outcome = run(*command, *options)
        assert (outcome.code, said in outcome.err, outcome.out) == (code, True, "")


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--annotator", "guess"], 2, "there is no annotator 'guess'"),
        (["--annotator", "llm"], 3, "the annotator llm needs a language model"),
        (["--model", "x.gguf"], 2, "--model does not go with --annotator rules"),
        (["--annotator", "llm", "--model", "x.gguf"], 3, "no model file"),
    ],
)
@pytest.mark.usefixtures("home")
def test_an_annotator_that_cannot_be_had_is_one_line(
    run: Run, tmp_path: Path, options: list[str], code: int, said: str
) -> None:
    (tmp_path / "a.txt").write_text("The mill burnt down in 1890.")
    outcome = run("ingest", tmp_path / "a.txt", "--corpus", "mill", *options)
    assert (outcome.code, said in outcome.err, outcome.out) == (code, True, "")
