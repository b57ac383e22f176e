"""Figures printed in the papers, as data: shown beside measured figures, never mixed with them.

Each table has its source and number, and only the rows that summarise a system. The names of measures are
those of this project if the measure is the same (MAP@10 is ``AP@10``, MRR ``RR``). The captions state what
was measured: corpora, models and judges may differ from those of a run here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Published:
    """A table of a paper, or the part of it that is quoted. Figures are in percent."""

    suite: str
    source: str
    """Paper and number of the table."""
    caption: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float | None, ...]]
    """By system, a figure for each column; ``None`` if the paper has none."""
    deviations: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """The standard deviations of the same figures, if the paper states them."""


_RETRIEVERS = "BM25 BGE Contriever DiVeR E5 GritLM Inst-L Qwen Rader ReasonIR SBERT SFR".split()
"""The columns of TEMPO's tables by domain."""


def _of_retrievers(*figures: float) -> dict[str, tuple[float | None, ...]]:
    return {name: (figure,) for name, figure in zip(_RETRIEVERS, figures, strict=True)}


_TEMPO = (
    Published(
        "tempo",
        "TEMPO, Table 3",
        "averages over 13 domains",
        ("nDCG@10",),
        _of_retrievers(10.8, 22.0, 21.4, 32.0, 30.4, 27.2, 24.8, 22.8, 24.2, 27.2, 24.9, 30.0),
    ),
    Published(
        "tempo",
        "TEMPO, Table 4",
        "judged by a model; averages over 13 domains",
        ("TP@10", "TR@10", "TC@10", "nDCG|FC@10"),
        {
            "BM25": (24.0, 11.1, 32.8, 22.5),
            "BGE": (53.7, 34.0, 66.1, 25.3),
            "Contriever": (49.6, 30.3, 64.1, 26.2),
            "Inst-L": (53.1, 33.8, 66.9, 25.8),
            "SBERT": (54.1, 35.0, 67.2, 26.9),
            "E5": (53.5, 31.1, 63.2, 33.4),
            "GritLM": (53.8, 35.0, 69.1, 27.2),
            "Qwen": (46.2, 28.8, 61.0, 29.9),
            "DiVeR": (62.0, 41.3, 71.4, 32.5),
            "Rader": (50.6, 32.3, 66.1, 26.1),
            "ReasonIR": (57.4, 38.2, 72.4, 28.8),
        },
    ),
    Published(
        "tempo",
        "TEMPO, Table 5",
        "nDCG@10 by query variant; averages over 13 domains",
        ("baseline", "strip", "temporal-only", "normalised"),
        {
            "BM25": (10.8, 10.4, 11.0, 10.9),
            "BGE": (22.0, 19.5, 9.6, 22.1),
            "Contriever": (21.4, 18.9, 10.2, 22.4),
            "Inst-L": (24.8, 23.2, 13.5, 24.7),
            "SBERT": (24.9, 23.3, 8.7, 23.5),
            "E5": (30.4, 27.0, 14.2, 29.1),
            "GritLM": (27.2, 24.9, 15.2, 27.1),
            "Qwen": (22.8, 21.2, 17.2, 23.3),
            "SFR": (30.0, 27.8, 16.3, 29.5),
            "DiVeR": (32.0, 29.9, 17.7, 30.2),
            "Rader": (24.2, 21.8, 9.4, 21.6),
            "ReasonIR": (27.3, 25.1, 13.8, 35.3),
        },
    ),
    Published(
        "tempo",
        "TEMPO, Table 6",
        "answers by Llama-3-70B-Instruct, scored 0 to 100 by GPT-4o; averages over 13 domains",
        ("answer score",),
        {
            "no retrieval": (77.3,),
            "oracle (gold documents)": (80.5,),
            "DiVeR": (75.6,),
            "BGE": (74.8,),
            "BM25": (73.8,),
        },
    ),
    Published(
        "tempo",
        "TEMPO, Table 19",
        "steps, Step-Only; averages over 13 domains",
        ("nDCG@10",),
        _of_retrievers(11.6, 8.3, 10.5, 20.1, 18.0, 20.0, 13.7, 19.4, 8.8, 17.2, 11.2, 20.7),
    ),
    Published(
        "tempo",
        "TEMPO, Table 20",
        "steps, Query+Step; averages over 13 domains",
        ("nDCG@10",),
        _of_retrievers(10.8, 21.5, 20.7, 33.3, 32.1, 28.2, 26.9, 28.2, 25.5, 35.0, 25.9, 33.3),
    ),
    Published(
        "tempo",
        "TEMPO, Table 29",
        "averages over 13 domains",
        ("AP@10", "R@10", "P@10", "RR"),
        {
            "BM25": (7.7, 13.7, 3.5, 14.5),
            "BGE": (15.4, 27.5, 7.4, 30.3),
            "Contriever": (15.2, 26.9, 7.2, 28.8),
            "Inst-L": (17.3, 31.7, 8.5, 32.6),
            "SBERT": (17.4, 31.6, 8.4, 33.5),
            "E5": (22.4, 37.0, 10.1, 38.9),
            "GritLM": (19.7, 34.8, 9.1, 34.5),
            "Qwen": (16.1, 28.1, 8.1, 30.5),
            "SFR": (21.7, 37.9, 10.2, 37.8),
            "DiVeR": (23.5, 40.1, 11.1, 39.8),
            "Rader": (17.0, 31.8, 8.3, 31.0),
            "ReasonIR": (19.6, 35.1, 9.5, 34.2),
        },
    ),
)

_TEMPRAGEVAL = (
    Published(
        "temprageval",
        "MRAG, Table 2",
        "perturbed questions of the TimeQA part; QFS: how many passages are summarised",
        ("AR@1", "AR@5", "ER@1", "ER@5"),
        {
            "BM25": (17.5, 39.0, 4.2, 14.1),
            "Contriever": (18.8, 49.9, 9.6, 28.7),
            "Hybrid": (18.8, 51.2, 9.6, 28.1),
            "Contriever, ELECTRA": (40.1, 76.9, 21.8, 58.6),
            "Contriever, MiniLM": (34.0, 76.1, 16.2, 57.3),
            "Contriever, Jina": (42.4, 77.2, 23.6, 58.6),
            "Contriever, BGE": (40.3, 80.9, 23.3, 61.3),
            "Contriever, NV-Embed": (49.9, 81.2, 33.4, 62.9),
            "Contriever, Gemma": (46.7, 82.5, 26.0, 66.6),
            "Contriever, MRAG": (57.6, 89.4, 32.4, 73.5),
            "Contriever, MRAG, 5 QFS": (58.6, 90.0, 37.1, 74.3),
            "Contriever, MRAG, 10 QFS": (56.0, 88.1, 35.5, 73.2),
        },
    ),
    Published(
        "temprageval",
        "MRAG, Table 2",
        "perturbed questions of the SituatedQA part; QFS: how many passages are summarised",
        ("AR@1", "AR@5", "ER@1", "ER@5"),
        {
            "BM25": (27.6, 58.2, 6.8, 18.4),
            "Contriever": (22.6, 51.1, 6.8, 17.1),
            "Hybrid": (22.6, 55.8, 6.8, 19.7),
            "Contriever, ELECTRA": (35.5, 71.3, 15.3, 37.1),
            "Contriever, MiniLM": (36.8, 73.4, 20.0, 40.3),
            "Contriever, Jina": (47.9, 78.4, 19.5, 41.1),
            "Contriever, BGE": (36.3, 74.2, 14.5, 35.0),
            "Contriever, NV-Embed": (47.4, 81.3, 23.4, 46.1),
            "Contriever, Gemma": (54.7, 82.6, 20.3, 45.3),
            "Contriever, MRAG": (61.1, 88.2, 27.4, 56.3),
            "Contriever, MRAG, 5 QFS": (61.3, 89.0, 31.1, 59.2),
            "Contriever, MRAG, 10 QFS": (62.1, 87.9, 30.8, 57.9),
        },
    ),
    Published(
        "temprageval",
        "MRAG, Table 3",
        "answers; the TimeQA part, then the SituatedQA part",
        ("EM, TimeQA", "F1, TimeQA", "EM, SituatedQA", "F1, SituatedQA"),
        {
            "GPT4o-mini, direct prompt": (19.6, 30.6, 54.2, 58.6),
            "TIMO, direct prompt": (16.2, 24.8, 50.6, 53.1),
            "TIMO, RAG-Concat": (43.4, 55.2, 55.8, 58.1),
            "TIMO, MRAG-Concat": (48.2, 57.2, 61.4, 63.6),
            "TIMO, Self-MRAG": (44.6, 54.9, 62.4, 64.5),
            "Llama3.1-8B, direct prompt": (16.0, 23.9, 42.8, 45.0),
            "Llama3.1-8B, RAG-Concat": (44.0, 52.8, 60.0, 62.7),
            "Llama3.1-8B, MRAG-Concat": (49.2, 59.2, 65.8, 68.0),
            "Llama3.1-8B, Self-MRAG": (54.2, 65.6, 66.4, 68.2),
            "Llama3.1-70B, direct prompt": (31.0, 42.3, 59.0, 62.1),
            "Llama3.1-70B, RAG-Concat": (54.4, 63.2, 67.0, 69.8),
            "Llama3.1-70B, MRAG-Concat": (58.0, 68.4, 69.2, 72.5),
            "Llama3.1-70B, Self-MRAG": (61.2, 75.3, 72.2, 76.0),
        },
    ),
)

_AT_K = ("A, k = 5", "A, k = 10", "A, k = 20", "A, k = 50")
_ADQAB = (
    Published(
        "adqab",
        "TA-RAG, Table 5",
        "525 questions with four choices, answers by LLaMA3.3-70B-Instruct; mean and deviation over 5 runs",
        _AT_K,
        {
            "BM25": (36.72, 55.09, 65.79, 79.39),
            "Naive RAG": (44.27, 56.72, 67.50, 74.82),
            "Naive RAG + Reranker": (48.30, 59.39, 72.42, 82.10),
            "TS-Retriever": (32.04, 42.78, 52.15, 58.51),
            "TA-RAG + Reranker": (59.89, 71.50, 80.53, 87.09),
            "TA-RAG (Full)": (71.73, 84.84, 88.23, 88.00),
        },
        {
            "BM25": (0.87, 0.58, 1.25, 0.69),
            "Naive RAG": (0.67, 0.69, 1.19, 0.64),
            "Naive RAG + Reranker": (0.50, 0.87, 0.53, 0.77),
            "TS-Retriever": (0.25, 0.61, 0.75, 0.47),
            "TA-RAG + Reranker": (0.98, 0.86, 0.53, 0.69),
            "TA-RAG (Full)": (0.81, 0.46, 0.89, 0.88),
        },
    ),
    Published(
        "adqab",
        "TA-RAG, Table 6",
        "ablation; as Table 5",
        _AT_K,
        {
            "TA-RAG using q_core": (67.05, 80.50, 88.15, 88.19),
            "TA-RAG w/o Time Filtering": (67.16, 80.88, 87.09, 88.65),
            "TA-RAG w/o Context Structuring": (65.68, 80.99, 86.40, 88.46),
            "TA-RAG (Full)": (71.73, 84.84, 88.23, 88.00),
        },
        {
            "TA-RAG using q_core": (0.36, 0.32, 0.91, 0.90),
            "TA-RAG w/o Time Filtering": (1.15, 0.79, 1.30, 0.39),
            "TA-RAG w/o Context Structuring": (0.95, 0.78, 0.32, 0.77),
            "TA-RAG (Full)": (0.81, 0.46, 0.89, 0.88),
        },
    ),
)

_TDBENCH = (
    Published(
        "tdbench",
        "TDBench, Table 4",
        "questions about what is current, all of Wikipedia",
        ("A", "AT", "Δ"),
        {
            "GPT-3.5": (47.5, 22.4, 25.1),
            "GPT-4": (44.5, 29.6, 14.9),
            "GPT-4o": (73.9, 48.8, 25.1),
            "Llama3.1-70B": (64.6, 56.7, 7.9),
            "Mixtral-8x7B": (42.9, 30.9, 12.0),
            "Gemma2-27B": (69.3, 32.8, 36.5),
            "Qwen2-72B": (62.7, 34.1, 28.6),
            "Granite3.1-8B": (49.6, 26.1, 23.5),
        },
    ),
    Published(
        "tdbench",
        "TDBench, Table 5",
        "reasoning, open book, Wikipedia; by number of answers",
        ("A, multiple", "T, multiple", "AT, multiple", "A, unique", "T, unique", "AT, unique", "A, none"),
        {
            "GPT-3.5": (34.4, 41.9, 20.1, 43.3, 67.8, 36.8, 17.9),
            "GPT-4": (60.3, 77.8, 49.8, 61.7, 82.9, 49.9, 45.0),
            "GPT-4o": (58.1, 67.3, 42.2, 67.8, 68.7, 43.7, 62.4),
            "Llama3.1-70B": (48.6, 45.7, 29.4, 69.1, 51.8, 33.2, 44.2),
            "Mixtral-8x7B": (36.2, 57.6, 24.1, 49.9, 78.1, 36.6, 7.8),
            "Gemma2-27B": (49.7, 56.1, 29.1, 61.9, 63.6, 41.7, 20.0),
            "Qwen2-72B": (48.3, 62.5, 37.7, 63.4, 86.4, 57.0, 49.1),
            "Granite3.1-8B": (22.5, 41.9, 14.8, 46.9, 51.2, 25.8, 25.1),
        },
    ),
    Published(
        "tdbench",
        "TDBench, Table 27",
        "questions over joined tables; two hops, then three",
        ("A, 2 hops", "AT, 2 hops", "H1, 2 hops", "A, 3 hops", "AT, 3 hops", "H1, 3 hops", "H2, 3 hops"),
        {
            "GPT-3.5": (66.7, 63.1, 9.1, 33.8, 33.8, 8.5, 7.6),
            "GPT-4": (88.4, 67.2, 4.5, 57.1, 52.5, 10.8, 0.5),
            "GPT-4o": (86.9, 79.3, 0.0, 90.4, 87.9, 26.3, 0.0),
            "Llama3.1-70B": (91.9, 83.8, 68.8, 82.8, 80.8, 38.2, 4.5),
            "Mixtral-8x7B": (80.8, 72.7, 45.9, 60.1, 49.0, 19.5, 10.6),
            "Gemma2-27B": (79.8, 77.8, 35.1, 48.0, 43.9, 26.5, 24.7),
            "Qwen2-72B": (78.3, 65.2, 50.0, 68.2, 59.1, 35.1, 5.6),
            "Granite3.1-8B": (73.7, 50.5, 80.4, 11.1, 11.1, 10.3, 77.8),
        },
    ),
)

PUBLISHED: tuple[Published, ...] = (*_TEMPO, *_TEMPRAGEVAL, *_ADQAB, *_TDBENCH)


def published_for(suite: str) -> tuple[Published, ...]:
    """The published tables for the data of a suite."""
    return tuple(table for table in PUBLISHED if table.suite == suite)
