"""Fixtures that several layers' tests share."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_randomly
from hypothesis import settings
from object_store import SERVER, ObjectStore
from tiny_gguf import write_tiny_gguf

from timelens.config import EmbedderSettings
from timelens.embedding import Embedder, load_embedder
from timelens.store import write_lease
from timelens.store.lazy_import import load_on_demand

settings.register_profile("shared-machine", deadline=None)  # time is tested where it is meant
settings.load_profile("shared-machine")


def _seed_torch(seed: int) -> None:
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.manual_seed(seed)


# In place of thinc's, which imports torch at once, and formats the stack for each device, three times a test.
pytest_randomly.entrypoint_reseeds = [_seed_torch]

if "PYTEST_XDIST_WORKER" in os.environ:  # workers share the cores: a thread each, for what they start too
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("TIMELENS_LLAMA__THREADS", "1")  # those of llama.cpp spin while they wait

# The client of a service, which importing LanceDB would run: seconds of each worker's time.
load_on_demand("lance_namespace_urllib3_client")


def pytest_collection_finish() -> None:
    """All modules and tests stay until the end: a tenth of the time went into looking for garbage there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The bundled model; its packages take seconds to import, so one serves all tests."""
    return load_embedder(EmbedderSettings())


@pytest.fixture(scope="session", autouse=True)
def _no_home_of_a_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What tests leave in the timelens home goes into none of a person's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMELENS_HOME", str(tmp_path_factory.mktemp("home-of-all")))
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A timelens home of the test's own."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("TIMELENS_HOME", str(folder))
    return folder


@pytest.fixture
def new_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place of a timelens home that is not made yet."""
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF model that llama.cpp runs like any other; what it writes is printable and means nothing."""
    return write_tiny_gguf(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(scope="session", autouse=True)
def _nothing_of_llama_cpp_stays_open() -> Iterator[None]:
    """It leaves files open, which Python would warn of at exit."""
    yield
    if "llama_cpp" in sys.modules:
        from llama_cpp import _utils

        _utils.outnull_file.close()
        _utils.errnull_file.close()


@pytest.fixture(scope="session")
def _object_store_of_all() -> Iterator[ObjectStore]:
    if not SERVER.exists():
        pytest.skip("there is no S3 server: make setup installs one")
    store = ObjectStore.started()
    yield store
    store.stop()


@pytest.fixture
def object_store(_object_store_of_all: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> ObjectStore:
    """An S3 server that all tests share, and the environment that leads to it.

    No other process makes the tables of a corpus that this one makes, so it need not wait long for one.
    """
    monkeypatch.setattr(write_lease, "SETTLING", 0.1)
    monkeypatch.setattr(write_lease, "_PAUSE", (0.02, 0.1))
    for name in list(os.environ):
        if name.startswith(("AWS_", "TIMELENS_STORAGE")):
            monkeypatch.delenv(name)
    for name, value in _object_store_of_all.environment().items():
        monkeypatch.setenv(name, value)
    return _object_store_of_all
