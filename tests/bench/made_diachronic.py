"""A tiny folder with questions over several periods, as the suite ``diachronic`` reads it."""

import json
from pathlib import Path
from typing import Any

DOCUMENTS = {
    "toll-2004.md": "The bridge toll",
    "toll-2011.md": "The bridge toll",
    "ferry.md": "The ferry",
}
TEXTS = {
    "toll-2004.md": "In 2004 the bridge toll was 0.5 crowns.",
    "toll-2011.md": "In 2011 the bridge toll rose to 1.5 crowns.",
    "ferry.md": "The ferry sailed in 2004 and in 2011.",
}
DATES = {"toll-2004.md": "2004-05-03", "toll-2011.md": "2011-06-09", "ferry.md": "2012-01-02"}

QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "c1",
        "kind": "comparison",
        "question": "How did the bridge toll of 2004 compare with that of 2011?",
        "facts": [[["0.5", "0.50"], ["2004"]], [["1.5", "1.50"], ["2011"]]],
        "wrong": ["ferry"],
        "part": "look",
        "periods": [
            {"start": "2004-01-01", "end": "2005-01-01", "gold_documents": ["toll-2004.md"]},
            {"start": "2011-01-01", "end": "2012-01-01", "gold_documents": ["toll-2011.md"]},
        ],
    },
    {
        "id": "p1",
        "kind": "periods",
        "question": "What was the bridge toll before 2005, in 2011 and now?",
        "as_of": "2013-01-01",
        "facts": [[["0.5"]], [["1.5"]]],
        "wrong": [],
        "part": "score",
        "periods": [
            {"start": None, "end": "2005-01-01", "gold_documents": ["toll-2004.md"]},
            {"start": "2011-01-01", "end": "2012-01-01", "gold_documents": ["toll-2011.md"]},
            {"start": "2013-01-01", "end": None, "gold_documents": []},
        ],
    },
    {
        "id": "n1",
        "kind": "nested",
        "question": "What was the bridge toll when the ferry sailed?",
        "facts": [[["0.5"], ["2004"]]],
        "wrong": [],
        "part": "score",
        "periods": [{"start": "2004-01-01", "end": "2005-01-01", "gold_documents": ["toll-2004.md"]}],
    },
    {
        "id": "r1",
        "kind": "refusal",
        "question": "How did the price of tulips change from 1961 to 1975?",
        "facts": [],
        "wrong": [],
        "part": "look",
        "periods": [{"start": "1961-01-01", "end": "1976-01-01", "gold_documents": []}],
    },
]


def write_corpus(folder: Path, questions: list[dict[str, Any]] = QUESTIONS) -> Path:
    """The folder of these questions."""
    (folder / "documents").mkdir(parents=True)
    for name, title in DOCUMENTS.items():
        text = f"---\ntitle: {title}\ndate: {DATES[name]}\n---\n\n{TEXTS[name]}\n"
        (folder / "documents" / name).write_text(text, encoding="utf-8")
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    (folder / "diachronic.jsonl").write_text(lines, encoding="utf-8")
    return folder
