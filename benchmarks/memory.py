"""Peak memory of an ingest of many short documents: of the writing process and of the reading process.

Takes numbers of chunks (default: 10,000 and 100,000), each a record with one or two short sentences. With
``--stand-in`` random vectors replace the encoder: minutes instead of an hour, and without the memory of the
encoder, which does not grow with the corpus. With ``--resident`` they do so beside the encoder, after it has
encoded one batch, as for users. Budget: the last peak is at most 1.2 times the first.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from timelens.config import EmbedderSettings
from timelens.embedding import EmbedderIdentity, EncodedDocuments, Span, Vectors, load_embedder
from timelens.ingest.pipeline import ingest
from timelens.store.corpus import CorpusStore

WORDS = (
    "mill river council letter bridge school harvest lamp keeper road winter tower market storm boat".split()
)
BUDGET = 1.2
IN_A_BATCH = 256


class StandIn:
    """Random vectors with the dimension of the bundled encoder."""

    identity = EmbedderIdentity("random", 384, "0" * 64)
    token_limit = 256

    def __init__(self) -> None:
        self._chance = np.random.default_rng(1)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """About one and a half tokens per word."""
        return [len(text.split()) * 3 // 2 + 2 for text in texts]

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """A vector of length 1 for each query."""
        drawn = self._chance.standard_normal((len(queries), self.identity.dimension)).astype(np.float32)
        vectors: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
        return vectors

    def encode_documents(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> EncodedDocuments:
        """A vector for each text, and one for each span."""
        return EncodedDocuments(
            self.encode_queries(texts), [self.encode_queries([""] * len(one)) for one in spans]
        )


def write_records(file: Path, count: int) -> None:
    """One record per chunk, each with its own day."""
    chance = random.Random(count)
    with file.open("w", encoding="utf-8") as out:
        for number in range(count):
            told = [" ".join(chance.choices(WORDS, k=4)) for _ in range(chance.randrange(1, 3))]
            text = " ".join(f"In {chance.randrange(1800, 2030)} the {words}." for words in told)
            day = f"{chance.randrange(1800, 2030)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
            out.write(json.dumps({"id": f"r{number}", "title": "", "text": text, "date": day}) + "\n")


def peaks(command: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """(peak of the process, highest peak of its children, seconds), memory in MiB."""
    started = time.perf_counter()
    process = subprocess.Popen(command, env=environment)
    own = children = 0.0
    while process.poll() is None:
        own = max(own, _peak(process.pid))
        children = max([children, *map(_peak, _children(process.pid))])
        time.sleep(0.2)
    if process.returncode:
        sys.exit(f"the ingest ended with {process.returncode}")
    return own, children, time.perf_counter() - started


def _peak(pid: int) -> float:
    """Peak resident memory in MiB, as the system counts it."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0.0)


def _children(pid: int) -> Iterable[int]:
    """The child processes of all its threads."""
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, children.read_text(encoding="ascii").split())
        except OSError:
            continue
    return found


def main() -> None:
    """Print both peaks for each number of chunks, and the ratio of the last to the first."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["--ingest"]:  # internal: this script calls itself
        folder = Path(arguments[2])
        if "--resident" in arguments:
            encoder = load_embedder(EmbedderSettings())
            text = " ".join(WORDS)
            encoder.encode_documents([text] * IN_A_BATCH, [[(0, len(text))]] * IN_A_BATCH)
        print(ingest([Path(arguments[1])], CorpusStore.create(folder, StandIn.identity), StandIn()).chunks)
        return
    resident = [argument for argument in arguments if argument == "--resident"]
    stands_in = resident or "--stand-in" in arguments
    counts = [int(argument) for argument in arguments if argument.isdigit()] or [10_000, 100_000]
    found = []
    for count in counts:
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / "records.jsonl"
            write_records(file, count)
            environment = os.environ | {"TIMELENS_HOME": str(Path(scratch) / "home")}
            command = [sys.executable, "-m", "timelens", "ingest", str(file), "--corpus", "many", "--quiet"]
            if stands_in:
                command = [sys.executable, __file__, "--ingest", str(file), str(Path(scratch) / "corpus")]
                command += resident
            found.append(peaks(command, environment))
        own, children, seconds = found[-1]
        print(
            f"{count:>9,} chunks: {own:,.0f} MiB, its reader {children:,.0f} MiB, {seconds:,.0f} s",
            flush=True,
        )
    ratios = [last / first for first, last in zip(found[0][:2], found[-1][:2], strict=True)]
    print(f"memory       {ratios[0]:.2f} and {ratios[1]:.2f} times (budget {BUDGET})")


if __name__ == "__main__":
    main()
