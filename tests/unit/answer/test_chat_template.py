"""Chat templates, rendered with limits in a process of their own."""

import time
from pathlib import Path

import pytest
from tiny_gguf import CHAT_TEMPLATE, write_tiny_gguf
from tiny_llama import settings, stream

from timelens.answer.llama import LlamaAnswerer, chat_template
from timelens.answer.llama.chat_template import INSTRUCTIONS_MARK, REQUEST_MARK, frame_of
from timelens.errors import BadInputError

MESSAGES = "{% for m in messages %}{{ m.content }}{% endfor %}"


@pytest.fixture(autouse=True)
def _own_home(home: Path) -> None:
    """Nothing is known of any model."""


def framed(model: Path, template: str) -> tuple[str, ...]:
    return frame_of(model, template, eos="<e>", bos="<b>")


def test_a_template_is_cut_at_the_marks(tiny_model: Path) -> None:
    assert framed(tiny_model, "{{ bos_token }}" + MESSAGES + "{{ eos_token }}") == (
        *("<b>", INSTRUCTIONS_MARK, "", REQUEST_MARK, "<e>"),
    )


def test_a_frame_is_kept_for_the_file_and_needs_no_other_process(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = framed(tiny_model, CHAT_TEMPLATE)
    monkeypatch.setattr(chat_template, "_rendered", pytest.fail)
    assert framed(tiny_model, CHAT_TEMPLATE) == first


def test_a_frame_that_names_the_day_is_not_kept(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    template = "{{ strftime_now('%Y') }} " + MESSAGES
    assert framed(tiny_model, template)[0].strip().isdecimal()
    monkeypatch.setattr(chat_template, "_rendered", lambda _: {"rendered": [], "dated": True})
    with pytest.raises(BadInputError, match="cannot be used"):
        framed(tiny_model, template)


@pytest.mark.parametrize(
    ("hostile", "said"),
    [
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "2 seconds"),
        ("{% for a in range(99999) %}{{ messages[0].content }}{% endfor %}", "characters|MB of memory"),
        ("{{ 'a' * 10**11 }}", "MB of memory"),
        ("{{ 10 ** (10 ** 9) }}", "2 seconds|MB of memory"),
        ("{% set n = 99999999 %}{{ 'a' * n * n }}", "MB of memory"),
        ("{% set n = 99999999 %}{{ ('a' * n) | length }}{{ ('b' * (n * 9)) | length }}", "MB of memory"),
        ("{% set n = 9999999 %}{{ 'a' * n }}", "writes more than 65,536 characters"),
        ("{% set n = 99999999 %}{% for a in 'a' * n %}{% endfor %}", "2 seconds"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "calls itself without end"),
        ("{% macro m(a) %}{{ m([a]) }}{{ m([a]) }}{% endmacro %}{{ m(1) }}", "calls itself without end"),
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "calls itself without end|cannot be used"),
        ("{{ '%0999999999d' % 1 }}", "MB of memory"),
    ],
)
def test_a_hostile_template_ends_in_one_clear_line(tmp_path: Path, hostile: str, said: str) -> None:
    """None of them takes this process's time or memory, though llama.cpp's wrapper would compile it."""
    model = write_tiny_gguf(tmp_path / "m.gguf", template=hostile + MESSAGES)
    answerer = LlamaAnswerer(settings(model))
    begun = time.process_time()
    with pytest.raises(BadInputError, match=rf"the chat template of the model .*m\.gguf .*({said})") as error:
        list(stream(answerer))
    assert "use another model" in error.value.hint
    assert "\n" not in error.value.message
    assert time.process_time() - begun < 2
    answerer.close()


@pytest.mark.parametrize(
    "escape",
    [
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ messages.append(1) }}",
        "{{ cycler.__init__.__globals__.os.system('true') }}",
        "{% include '/etc/passwd' %}",
    ],
)
def test_the_sandbox_holds(tiny_model: Path, escape: str) -> None:
    with pytest.raises(BadInputError, match="cannot be used"):
        framed(tiny_model, escape + MESSAGES)


def test_what_a_broken_template_says_acts_on_no_terminal(tiny_model: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be used: ") as error:
        framed(tiny_model, "{% \x1b[31m %}")
    assert error.value.message.isprintable()
