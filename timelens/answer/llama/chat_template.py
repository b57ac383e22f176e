"""Renders the chat template of a model as a frame around two placeholders.

A template never receives a question or a document: it is rendered once with two placeholders (marks), in a
separate process with limits (:mod:`timelens.answer.llama.render_template`), and the result is split at the
marks. Prompts are assembled from the pieces, which are stored for the model file.
"""

import json
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from timelens.answer.llama import render_template
from timelens.answer.llama.remembered import recall, remember
from timelens.errors import BadInputError
from timelens.printable import printable_line
from timelens.processes import ending_signal, own_environment

INSTRUCTIONS_MARK, REQUEST_MARK = "\ue000instructions\ue000", "\ue000request\ue000"
PLAIN_FRAME = (INSTRUCTIONS_MARK, "\n\n", REQUEST_MARK, "\n\nANSWER:")
"""The frame of a model without a template."""
_KIND = "frame"
_CONVERSATIONS = (
    [{"role": "system", "content": INSTRUCTIONS_MARK}, {"role": "user", "content": REQUEST_MARK}],
    [{"role": "user", "content": f"{INSTRUCTIONS_MARK}\n\n{REQUEST_MARK}"}],
)
"""Conversations to render; the second is for templates without a system role."""
_PATIENCE_SECONDS = 60
"""Limit of elapsed time on a busy machine, in addition to the limit of processor time."""
_EXCEEDED = {
    "time": f"takes more than {render_template.SECONDS} seconds of processor time",
    "memory": f"takes more than {render_template.MEGABYTES} MB of memory",
    "depth": "calls itself without end",
    "length": f"writes more than {render_template.CHARACTERS:,} characters",
}


def frame_of(model: Path, template: str, *, eos: str, bos: str) -> tuple[str, ...]:
    """A chat template rendered around the two marks and split at them; the marks are among the pieces.

    Args:
        model: the file that contains it.
        template: the template in Jinja.
        eos: the token that ends a turn, as text.
        bos: the token that begins a text, as text.

    Raises:
        BadInputError: the template does not work, or exceeds a limit of time, memory, depth or length.
    """
    request = json.dumps(
        {"template": template, "eos": eos, "bos": bos, "conversations": _CONVERSATIONS}, sort_keys=True
    )
    circumstances = sha256(request.encode()).hexdigest()
    kept = recall(model, _KIND, circumstances)
    if isinstance(kept, str) and (frame := _split(kept)):
        return frame
    outcome = _rendered(request)
    if limit := outcome.get("exceeded"):
        raise BadInputError(
            f"the chat template of the model {model} {_EXCEEDED[limit]}: it is not used",
            "the file may be hostile; use another model: timelens model list",
        )
    for text in outcome.get("rendered", ()):
        if text and (frame := _split(text)):
            if not outcome["dated"]:
                remember(model, _KIND, circumstances, text)
            return frame
    why = f": {printable_line(outcome['broken'])}" if outcome.get("broken") else ""
    raise BadInputError(f"the chat template of the model {model} cannot be used{why}", "use another model")


def _split(rendered: str) -> tuple[str, ...] | None:
    """A rendered template split at the marks; ``None`` unless each mark occurs exactly once."""
    if rendered.count(INSTRUCTIONS_MARK) != 1 or rendered.count(REQUEST_MARK) != 1:
        return None
    return tuple(re.split(f"({INSTRUCTIONS_MARK}|{REQUEST_MARK})", rendered))


def _rendered(request: str) -> dict[str, Any]:
    """The outcome of a request to the limited process."""
    try:
        process = subprocess.run(  # noqa: S603 -- a program of this package
            [sys.executable, "-P", render_template.__file__],
            input=request.encode(),
            capture_output=True,
            check=False,
            timeout=_PATIENCE_SECONDS,
            env=own_environment(),
        )
    except subprocess.TimeoutExpired:
        return {"exceeded": "time"}
    if ending_signal(process.returncode) in {"SIGXCPU", "SIGKILL"}:
        return {"exceeded": "time"}
    if process.returncode:
        said = process.stderr.decode(errors="replace").splitlines()[-1:]
        return {"broken": " ".join(["its process ended with", str(process.returncode), *said])}
    outcome: dict[str, Any] = json.loads(process.stdout)
    return outcome
