"""A process that writes to a corpus in an object store, or reads it: ``WHAT URL [FOLDER]``.

Its turns are over after four seconds of silence, so that a test of killed writers is short. With ``PATIENT``
in the environment they last as long as in use: where no writer is killed, a busy machine must not end a turn.
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from unit.conftest import HashedEmbedder

from timelens.config import Settings
from timelens.errors import TimelensError
from timelens.ingest import pipeline
from timelens.store import write_lease
from timelens.store.corpus import CorpusStore
from timelens.store.location import address

EMBEDDER = HashedEmbedder(token_limit=64)


def main(what: str, url: str, *folders: str) -> None:
    if "PATIENT" not in os.environ:
        write_lease.SILENCE, write_lease.BEAT, write_lease.SETTLING = 4.0, 0.5, 0.5
    write_lease._PAUSE = (0.1, 0.3)
    pipeline._CHUNKS_PER_WRITE = 4
    place = address(url, Settings.load().storage.lance_options(url))
    if what == "ingest":
        store = CorpusStore.create(place, EMBEDDER.identity)
        report = pipeline.ingest([Path(folder) for folder in folders], store, EMBEDDER)
        say(json.dumps([report.added, report.updated, report.unchanged]))
    elif what == "hold":
        with write_lease.write_lease(place):
            say("held")
            sys.stdin.readline()
    elif what == "read":
        store = CorpusStore(place)
        for _ in sys.stdin:
            say(len(store.keyword("launched", 1000)))


def say(result: object) -> None:
    sys.stdout.write(f"{result}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except TimelensError as error:
        sys.stderr.write(f"{error.message} – {error.hint}\n")
        sys.exit(error.exit_code)
