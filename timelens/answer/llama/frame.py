"""The chat template of a model as a frame around two texts.

A template never sees a question or a document: it is rendered once around two marks, in a process of its own
with limits (:mod:`timelens.answer.llama.render_template`), and what it made is cut at the marks. A prompt is
put together from the pieces, which costs nothing, and the pieces are kept for the file.
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
"""Of a model without a template."""
_KIND = "frame"
_CONVERSATIONS = (
    [{"role": "system", "content": INSTRUCTIONS_MARK}, {"role": "user", "content": REQUEST_MARK}],
    [{"role": "user", "content": f"{INSTRUCTIONS_MARK}\n\n{REQUEST_MARK}"}],
)
"""Some templates know no system."""
_PATIENCE_SECONDS = 60
"""Of a busy machine, beside the limit of processor time."""
_EXCEEDED = {
    "time": f"takes more than {render_template.SECONDS} seconds of processor time",
    "memory": f"takes more than {render_template.MEGABYTES} MB of memory",
    "depth": "calls itself without end",
    "length": f"writes more than {render_template.CHARACTERS:,} characters",
}


def frame_of(model: Path, template: str, *, eos: str, bos: str) -> tuple[str, ...]:
    """A chat template around the two marks, split at them; the marks are among the pieces.

    Args:
        model: the file that it comes from.
        template: in Jinja.
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
    """What a template made, cut at the marks; ``None`` where one is not there just once."""
    if rendered.count(INSTRUCTIONS_MARK) != 1 or rendered.count(REQUEST_MARK) != 1:
        return None
    return tuple(re.split(f"({INSTRUCTIONS_MARK}|{REQUEST_MARK})", rendered))


def _rendered(request: str) -> dict[str, Any]:
    """What the limited process makes of a request."""
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
