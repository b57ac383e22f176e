"""A real cross-encoder of random weights over the hits of a strategy."""

from pathlib import Path

import pytest

from timelens.config import RerankerSettings
from timelens.documents import Document
from timelens.embedding import Embedder, Reranker, load_reranker
from timelens.errors import BadInputError, MissingError
from timelens.ingest.pipeline import ingest_documents
from timelens.question.parse import parse
from timelens.retrieval.request import Request, Retrieved
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import STRATEGIES, Strategy, strategy_named
from timelens.store.corpus import CorpusStore
from timelens.temporal.calendar import day_number

TODAY = day_number(2026, 11, 20)
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] who led the port in 2001 2002 2003 ada bell cy dow eve fox . ?"


def make_cross_encoder(folder: Path, labels: int = 1) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    words = WORDS.split()
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(words))
    BertTokenizer(vocab_file=str(folder / "vocab.txt"), model_max_length=32).save_pretrained(folder)
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        initializer_range=2.0,
    )
    config.num_labels = labels
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> Reranker:
    folder = make_cross_encoder(tmp_path_factory.mktemp("models") / "tiny")
    found = load_reranker(RerankerSettings(model=str(folder)))
    assert found is not None
    return found


@pytest.fixture
def store(tmp_path: Path, hashed: Embedder) -> CorpusStore:
    store = CorpusStore.create(tmp_path / "c", hashed.identity)
    names = ("Ada Bell", "Cy Dow", "Eve Fox", "Ada Fox", "Cy Bell")
    ingest_documents(
        [
            Document(str(n), f"/{n}", "", f"{name} led the port in 200{n}.", str(n))
            for n, name in enumerate(names)
        ],
        store,
        hashed,
    )
    return store


def test_relevances_lie_between_0_and_1_and_do_not_depend_on_company(reranker: Reranker) -> None:
    texts = ["ada bell led the port in 2001 .", "cy dow", "", "port " * 500]
    together = reranker.relevances("who led the port ?", texts)
    assert all(0 <= value <= 1 for value in together)
    assert len(set(together)) == len(texts)
    alone = [reranker.relevances("who led the port ?", [text])[0] for text in texts]
    assert alone == pytest.approx(together, abs=1e-5)
    assert reranker.relevances("who ?", []) == []


@pytest.mark.parametrize("name", STRATEGIES)
def test_any_strategy_can_be_put_in_the_order_of_a_cross_encoder(
    name: str, store: CorpusStore, hashed: Embedder, reranker: Reranker
) -> None:
    parsed = parse("Who led the port?", TODAY)
    request = Request(parsed, parsed.core, parsed.window, 3)
    searcher = Searcher(store, hashed, reranker)
    hits = strategy_named(f"{name}+rerank").retrieve(request, searcher).hits
    everything = strategy_named(name).retrieve(Request(parsed, parsed.core, parsed.window, 5), searcher).hits
    contents = [hit.chunk.content for hit in everything]
    scores = dict(zip(contents, reranker.relevances(request.query, contents), strict=True))
    best = sorted(scores.values(), reverse=True)[:3]
    assert [hit.scores.final for hit in hits] == pytest.approx(best, abs=1e-5)
    assert [scores[hit.chunk.content] for hit in hits] == pytest.approx(best, abs=1e-5)
    assert all(hit.passed[-1] == "rerank" for hit in hits)


@pytest.mark.parametrize(
    ("added", "pool"), [("rerank1", 2), ("rerank2", 4), ("rerank20", 40), ("rerank", 200)]
)
def test_how_much_a_cross_encoder_reads_can_be_told(
    added: str,
    pool: int,
    store: CorpusStore,
    hashed: Embedder,
    reranker: Reranker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def spied(request: Request, _searcher: Searcher) -> Retrieved:
        asked.append(request.k)
        return Retrieved(())

    monkeypatch.setitem(STRATEGIES, "naive", Strategy(spied))
    parsed = parse("Who led the port?", TODAY)
    request = Request(parsed, parsed.core, parsed.window, 2)
    strategy_named(f"naive+{added}").retrieve(request, Searcher(store, hashed, reranker))
    assert asked == [pool]


def test_stages_can_be_left_out_before_it(store: CorpusStore, hashed: Embedder, reranker: Reranker) -> None:
    parsed = parse("Who led the port in 2001?", TODAY)
    strategy = strategy_named("timelens-validity-filter+rerank")
    hits = strategy.retrieve(
        Request(parsed, parsed.core, parsed.window, 9), Searcher(store, hashed, reranker)
    ).hits
    assert len(hits) == 5


@pytest.mark.parametrize("added", ["magic", "rerank0", "rerank100", "rerank²", "rerank-2"])
def test_nothing_else_can_be_added(added: str) -> None:
    with pytest.raises(BadInputError, match="cannot take"):
        strategy_named(f"hybrid+{added}")


def test_a_model_that_is_not_here_or_no_reranker_is_said(tmp_path: Path) -> None:
    assert load_reranker(RerankerSettings()) is None
    with pytest.raises(MissingError, match="the reranker nobody/nothing is not on this machine"):
        load_reranker(RerankerSettings(model="nobody/nothing"))
    broken = load_reranker(RerankerSettings(model=str(make_cross_encoder(tmp_path / "three", labels=3))))
    assert broken is not None
    with pytest.raises(MissingError, match="gives 3 scores"):
        broken.relevances("who ?", ["cy"])
