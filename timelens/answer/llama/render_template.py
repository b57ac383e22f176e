"""A program that renders a chat template in the sandbox of llama-cpp-python, with limits of time and memory.

It reads a request as JSON from standard input and writes the outcome as JSON to standard output. A template
is part of a model file and may be hostile; at worst it ends this process.
"""

import json
import sys
from pathlib import Path

if sys.platform != "win32":
    import resource

SECONDS = 2
"""Limit of processor time."""
MEGABYTES = 512
"""Limit of memory, in addition to the program's own. Enforced on Linux only."""
CHARACTERS = 65_536
"""Limit of the rendered text."""


def main() -> None:
    """Render each conversation of the request, or report the exceeded limit."""
    from llama_cpp.llama_chat_format import Jinja2ChatFormatter

    class Formatter(Jinja2ChatFormatter):  # type: ignore[misc]
        """Records whether the template uses the current time."""

        dated = False

        def strftime_now(self, form: str) -> str:
            self.dated = True
            return str(Jinja2ChatFormatter.strftime_now(form))

        def rendered(self, messages: list[dict[str, str]]) -> str | None:
            """The template with messages; ``None`` if it does not accept them, as without a system role."""
            try:
                return str(self(messages=messages, enable_thinking=False).prompt)
            except (MemoryError, RecursionError):
                raise
            except Exception:  # noqa: BLE001 -- a template may raise anything
                return None

    request = json.load(sys.stdin)
    _limit()
    try:
        formatter = Formatter(request["template"], request["eos"], request["bos"])
        rendered = [formatter.rendered(messages) for messages in request["conversations"]]
        outcome: dict[str, object] = {"rendered": rendered, "dated": formatter.dated}
        if any(len(text or "") > CHARACTERS for text in rendered):
            outcome = {"exceeded": "length"}
    except MemoryError:
        outcome = {"exceeded": "memory"}
    except RecursionError:
        outcome = {"exceeded": "depth"}
    except Exception as error:  # noqa: BLE001 -- a template may raise anything
        outcome = {"broken": str(error)}
    json.dump(outcome, sys.stdout)


def _limit() -> None:
    """Set the limits of this process. Windows has none."""
    if sys.platform == "win32":
        return
    spent = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(spent.ru_utime + spent.ru_stime) + 1 + SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        size = pages * resource.getpagesize() + (MEGABYTES << 20)
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


if __name__ == "__main__":
    main()
