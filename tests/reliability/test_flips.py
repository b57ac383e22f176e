"""A thousand single bits flipped, anywhere in the files of a corpus."""

from pathlib import Path

import pytest
from flipping import flips, made
from unit.conftest import HashedEmbedder

FLIPS = 1000


@pytest.mark.long
def test_every_flipped_bit_is_found_and_repaired(tmp_path: Path) -> None:
    embedder = HashedEmbedder(token_limit=256)
    outcomes = flips(made(tmp_path, embedder), embedder, FLIPS, seed=20261122)
    for (kind, outcome), count in sorted(outcomes.items()):
        print(f"{kind:28} {outcome:28} {count}")  # noqa: T201 -- the figures are what it is for
    assert {outcome for _, outcome in outcomes} == {"repaired"}
