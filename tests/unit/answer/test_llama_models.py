"""Model files, good and bad, and how they are loaded."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tiny_gguf import CHAT_TEMPLATE, write_tiny_gguf
from tiny_llama import SETTINGS, settings, stream

from timelens.answer.llama import LlamaAnswerer, build_info
from timelens.answer.llama.loaded_model import LoadedModel
from timelens.answer.models.gguf_header import describe_model
from timelens.answer.writing.answer_prompt import Prompt
from timelens.errors import BadInputError, MissingError


@pytest.mark.parametrize(
    ("template", "system"),
    [
        (None, "Rules.\n\nWho?\n\nANSWER:"),
        (CHAT_TEMPLATE, "<|im_start|>system\nRules.<|im_end|>\n<|im_start|>user\nWho?<|im_end|>\n"),
        (
            "{{ raise_exception('no') if messages[0].role == 'system' }}{{ messages[0].content }}!",
            "Rules.\n\nWho?!",
        ),
        ("{% for m in messages if m.role == 'user' %}{{ m.content | trim }}{% endfor %}", "Rules.\n\nWho?"),
        ("{{ bos_token }}{{ messages[0].content }}{{ messages[-1].content }}", "Rules.Who?"),
    ],
)
def test_the_models_own_template_frames_the_prompt(tmp_path: Path, template: str | None, system: str) -> None:
    model = LoadedModel(describe_model(write_tiny_gguf(tmp_path / "m.gguf", template=template)), SETTINGS)
    tokens = model._tokens(Prompt("Rules.", "Who?", frozenset()))
    text = b"".join(model._bytes(token, special=True) for token in tokens).decode()
    assert text.removeprefix("<|endoftext|>").startswith(system)
    model.close()


@pytest.mark.parametrize("template", ["nothing of the question", "{% for %}", "{{ 1 / 0 }}"])
def test_a_chat_template_that_does_not_work_is_an_error(tmp_path: Path, template: str) -> None:
    answerer = LlamaAnswerer(settings(write_tiny_gguf(tmp_path / "m.gguf", template=template)))
    with pytest.raises(BadInputError, match=r"m\.gguf"):
        list(stream(answerer))
    answerer.close()


@pytest.mark.parametrize("content", [b"", b"GGUF", b"This is a letter to my bank.", b"PK\x03\x04" * 500])
def test_a_file_that_is_no_model_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=r"broken\.gguf"):
        list(stream(LlamaAnswerer(settings(path))))


@pytest.mark.parametrize("kept", [0.3, 0.9, 0.999])
def test_a_truncated_model_is_an_error(tiny_model: Path, tmp_path: Path, kept: float) -> None:
    path = tmp_path / "cut.gguf"
    content = tiny_model.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    with pytest.raises(BadInputError, match=r"cut\.gguf is truncated"):
        list(stream(LlamaAnswerer(settings(path))))


def test_a_folder_and_nothing_at_all_are_errors(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="is not a file"):
        list(stream(LlamaAnswerer(settings(tmp_path))))
    with pytest.raises(MissingError, match=r"none\.gguf"):
        list(stream(LlamaAnswerer(settings(tmp_path / "none.gguf"))))
    with pytest.raises(MissingError, match="no language model is configured"):
        list(stream(LlamaAnswerer(SETTINGS)))


def test_a_model_of_an_unknown_architecture_is_an_error(tiny_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd.gguf"
    path.write_bytes(tiny_model.read_bytes().replace(b"llama", b"xxxxx"))
    with pytest.raises(BadInputError, match=r"odd\.gguf \(xxxxx\) cannot be loaded: .*architecture"):
        list(stream(LlamaAnswerer(settings(path))))


def test_a_model_that_llama_cpp_crashes_on_is_an_error(tiny_model: Path, tmp_path: Path) -> None:
    """Its vocabulary names a token twice."""
    path = tmp_path / "twice.gguf"
    string = (1).to_bytes(8, "little")
    path.write_bytes(tiny_model.read_bytes().replace(string + b"a", string + b"b", 1))
    describe_model(path)
    with pytest.raises(
        BadInputError, match=r"crashes on the model .*twice\.gguf, with every setting that was tried"
    ):
        list(stream(LlamaAnswerer(settings(path))))


def test_loading_writes_nothing_over_the_screen(tiny_model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    answerer = LlamaAnswerer(settings(tiny_model, context_tokens=3000))
    list(stream(answerer))
    answerer.close()
    assert capfd.readouterr() == ("", "")


def test_nobody_waits_for_a_model_that_is_being_loaded(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which cannot be stopped; the next question waits for it and then has it."""
    from timelens.answer.llama import llama_session as module

    begun, ended = threading.Event(), threading.Event()

    def slow(*arguments: object) -> LoadedModel:
        begun.set()
        time.sleep(1.5)
        ended.set()
        return LoadedModel(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "LoadedModel", slow)
    answerer = LlamaAnswerer(settings(tiny_model))

    def cancel() -> None:
        begun.wait(30)
        answerer.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    assert list(stream(answerer)) == []
    canceller.join()
    assert not ended.is_set()  # it is still being loaded
    assert len(list(stream(answerer))) > 10
    answerer.close()


def test_a_closed_answerer_loads_the_model_again(tiny_model: Path) -> None:
    answerer = LlamaAnswerer(settings(tiny_model))
    first = list(stream(answerer))
    answerer.close()
    answerer.close()
    assert list(stream(answerer)) == first
    answerer.close()


def test_the_build_is_described() -> None:
    build = build_info()
    assert build.loads
    assert build.version


def test_without_the_package_the_error_names_the_remedy(tiny_model: Path, tmp_path: Path) -> None:
    script = tmp_path / "ask.py"
    script.write_text(
        "import sys\n"
        f"sys.path[:0] = {sys.path!r}\n"
        "sys.modules['llama_cpp'] = None\n"
        "from pathlib import Path\n"
        "from tiny_llama import settings, stream\n"
        "from timelens.answer.llama import LlamaAnswerer, build_info\n"
        "from timelens.errors import TimelensError\n"
        "assert not build_info().loads\n"
        "try:\n    list(stream(LlamaAnswerer(settings(Path(sys.argv[1])))))\n"
        "except TimelensError as error:\n    print(int(error.exit_code), error, '|', error.hint)\n"
    )
    result = subprocess.run(
        [sys.executable, str(script), str(tiny_model)], capture_output=True, text=True, check=False
    )
    assert result.stdout == (
        '3 llama-cpp-python is not installed | pip install "timelens[llama]", or in a clone: make setup\n'
    ), result.stderr


def test_nothing_native_is_imported_until_a_model_is_needed() -> None:
    code = "import sys; from timelens.answer.llama import LlamaAnswerer; print('llama_cpp' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
