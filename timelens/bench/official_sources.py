"""Addresses of the official distributions, as data; this module opens no connection."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from timelens import BadInputError, MissingError

HUB, REPOSITORY, WEB = "hub", "repository", "web"

TEMPO_SPLITS = tuple(
    "bitcoin cardano economics genealogy history hsm iota law monero politics quant travel workplace".split()
)
TEMPO_REFORMULATIONS = ("gpt4o_reason", "qwen72b_reason", "deepseek_reason", "llama70b_reason")
"""Reformulations of its questions by a language model, each a configuration of the data set."""
_TEMPO_DOCUMENTS = "f9df06c05688225e37701974d23c8e3c5d4efaf6"
_TEMPO_QUERIES = "1dba7027d0afa628993c6dd794e9b68c657a6fac"
_TEMPO_HASHES = {
    "bitcoin": (
        "59d6ba938caf477dc3ec483e1f56e5ed00bce5b47230f1a2f45c233fac1ea295",
        "248106172d2cb391bf29e776163daa2e224d73afe57ab38ccff8d5ab27558fe1",
    ),
    "cardano": (
        "097a4a801b63424f207b480747a1c7013b6d43368c5fdf6c1df36d7d8b49fe37",
        "70ce3fa4cd5660156d3c51d24916d49521d59659a3a772ca06f6232c29ab6948",
    ),
    "economics": (
        "764ce276971c83a0f05a2b3192d7ec606dc9f026cdfb9ad8758f33abf51dc36e",
        "77ea08e8f190205976b2a8ded38d0a33b660b8a7bc71de9b34c03a9138787859",
    ),
    "genealogy": (
        "98e00e196d563802e343df5b7041a4694da6eb7b6579284442ebd99ee906e889",
        "739169c19da86178d5b870a3eaaca41d1b1af32e979f3da382515a7c0d378485",
    ),
    "history": (
        "56495c2b56866d44ba19eea5a9756c8216e3bd52d65949fadc3e3d17c87ffeb5",
        "a4b22ce7a0609ca3defc14a36ce7a741cbab5ef2f2325568e483f3ee2c198cbb",
    ),
    "hsm": (
        "25f6c18188b88ac4f5dcb58c83b37ac62d1b73b7a2c5fb46d1235019c128f3f0",
        "880c5ad095273c86b5d24833185c08ccee3915c16f4f3749348d5771f6f4bd1d",
    ),
    "iota": (
        "79eb29454ed69c746eceb508d6f00a0b07fd89d1dce12ee13ade7d86ab26705c",
        "ca69f1f551ecf7262ee5bf164504a8fef97b52c96499ba6480bc7a461f8db9c3",
    ),
    "law": (
        "d1d026a841c40feb8b9cb761b8af240264b9379f5f11e11385dfc03d174c1a70",
        "c6a0b3dbf0d777f8ede11998c2947cca37cd86f436836f29ca05a8a723647d06",
    ),
    "monero": (
        "6a0e7417942fcf76295befaddc5e246d4a35582c57ec6939d17c434f93dba594",
        "f76335aa33f2c0a72388feef220330d0ffe52979b1b1aecc95b2b9c15fa530e6",
    ),
    "politics": (
        "e7f503e393e6c87909fee27fa87a1737d2ee8d5c5f8eefbc8aacd749310f4b06",
        "5662c668a05d88f00f09e4aec104989464f0cea4818c4cfcfafb6ccb9408bcc2",
    ),
    "quant": (
        "f548346df75f99df12d7ebcd617d44e3b0421225dd3d99da7262e66061bf42a0",
        "30283086d66d6b5a2d55b21e7b53403c69e38adcf1eb2699daa91e83bd3e9b05",
    ),
    "travel": (
        "d42f60421dac02b374390ccbf3348a3c6473476d6ccf24973a1c6a3ce6ee7b95",
        "666aa368a7ca42c879cc5a153431d3b9f8ec1452d8d00325cb9e8ed10f918025",
    ),
    "workplace": (
        "e5f17c03c249af6319993d9bc820fcd97ac96b3c9e32fd48ad2c3b56a05bdba2",
        "7fd6e93fb2b83e25eb9a00709a2bb72886d0281baa438508954ac0b1393d994a",
    ),
}
"""SHA-256 of the queries and of the documents of each split, at the revisions above."""

_ATLAS = "https://dl.fbaipublicfiles.com/atlas/corpora/wiki/enwiki-dec2021"
_TDBENCH_REVISION = "18b3107668d345f7fcef45425831321128077774"


@dataclass(frozen=True, slots=True)
class Source:
    """One file of a distribution."""

    kind: str
    """:data:`HUB` (the Hugging Face hub), :data:`REPOSITORY` (GitHub, with Git LFS) or :data:`WEB`."""
    place: str
    """The data set or repository, ``owner/name``; for :data:`WEB` the address of the folder."""
    path: str
    """The path of the file, both in the distribution and in the local folder."""
    revision: str = "main"
    sha256: str | None = None
    """The expected hash; ``None`` if it is not published. Git LFS states its own."""


_TDBENCH = tuple(
    Source(REPOSITORY, "ssoy0701/tdbench_public", path, _TDBENCH_REVISION)
    for path in (
        *(f"dataset/crafted/dyknow/dyknow_{name}.csv" for name in ("leaders", "organizations", "sports")),
        *(f"qa_pairs/dyknow/{name}_sql_gpt4o.jsonl" for name in ("basic", "basic_org", "basic_sport", "now")),
    )
)


def sources_of(
    suite: str, split: str | None = None, *, queries: Sequence[str] = (), corpus: bool = False
) -> tuple[Source, ...]:
    """The files of a suite.

    Args:
        suite: the name of the suite.
        split: the domain to fetch; TEMPO only.
        queries: also fetch the questions as reformulated by these models (:data:`TEMPO_REFORMULATIONS`).
        corpus: also fetch the Wikipedia passages of TempRAGEval, about 20 GB.

    Raises:
        BadInputError: the suite has no distribution to fetch, or lacks this split or these queries.
    """
    if suite not in FETCHED:
        raise BadInputError(f"nothing can be fetched for the suite {suite!r}", f"choose {', '.join(FETCHED)}")
    if (split is not None) != (suite == "tempo"):
        hint = f"add --split: {', '.join(TEMPO_SPLITS)}" if suite == "tempo" else "leave out --split"
        raise BadInputError(f"the suite {suite} is {'' if split is None else 'not '}fetched by splits", hint)
    if corpus and suite != "temprageval":
        raise BadInputError(f"the suite {suite} has no corpus to add", "leave out --corpus")
    if queries and suite != "tempo":
        raise BadInputError(f"the suite {suite} has no reformulations to add", "leave out --query")
    if suite == "tempo":
        return _tempo(str(split), queries)
    if suite == "adqab":
        paths = ("DQABench/C_final.jsonl", "DQABench/dqabench_MCQA.json")
        return tuple(Source(REPOSITORY, "kwunhang/TA-RAG", path) for path in paths)
    if suite == "tdbench":
        return _TDBENCH
    test = Source(HUB, "siyue/TempRAGEval", "test.csv")
    passages = Source(
        WEB,
        _ATLAS,
        "text-list-100-sec.jsonl",
        sha256="a21b3f1374a8a795e4412f436b1555f3cba155c9cdb008ae37ec2093f1d32485",
    )
    return (test, passages) if corpus else (test,)


FETCHED = ("tempo", "temprageval", "adqab", "tdbench")
"""The suites that can be fetched."""


def missing(suite: str, what: str, folder: Path, split: str | None = None) -> MissingError:
    """The error for missing data, with the command that fetches it."""
    options = f" --split {shlex.quote(split)}" if split is not None else ""
    command = f"timelens bench fetch {suite}{options} --out {shlex.quote(str(folder))}"
    return MissingError(f"there is no {what} in {folder}", f"fetch it once: {command}")


def _tempo(split: str, reformulations: Sequence[str]) -> tuple[Source, ...]:
    if split not in TEMPO_SPLITS:
        raise BadInputError(f"TEMPO has no split {split!r}", f"choose one of {', '.join(TEMPO_SPLITS)}")
    for name in reformulations:
        if name not in TEMPO_REFORMULATIONS:
            raise BadInputError(
                f"TEMPO has no reformulation {name!r}", f"choose one of {', '.join(TEMPO_REFORMULATIONS)}"
            )
    queries, documents = _TEMPO_HASHES[split]
    place = "tempo26/Tempo"
    return (
        Source(HUB, place, f"examples/{split}.parquet", _TEMPO_QUERIES, queries),
        Source(HUB, place, f"steps/{split}.parquet", _TEMPO_QUERIES),
        Source(HUB, place, f"documents/{split}.parquet", _TEMPO_DOCUMENTS, documents),
        *(Source(HUB, place, f"{name}/{split}.parquet") for name in dict.fromkeys(reformulations)),
    )
