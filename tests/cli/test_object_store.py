"""``--corpus s3://…`` on the command line, with a real S3 server."""

import hmac
import json
import os
import shutil
import subprocess
import time
import urllib.request
from base64 import b64decode, b64encode
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest
from bench.conftest import write_beir
from cli.conftest import DOCUMENTS, Run
from object_store import KEY, SECRET, ObjectStore, free_port

from timelens.config import Settings
from timelens.errors import BadInputError, ExitCode


@pytest.fixture(autouse=True)
def _works_in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_corpus_from_its_making_to_its_removal(
    object_store: ObjectStore, run: Run, home: Path, tmp_path: Path
) -> None:
    url = object_store.corpus()
    made = run("ingest", DOCUMENTS, "--corpus", url, "--json", "-q")
    assert made.code == 0, made.err
    assert json.loads(made.out)["documents"]["added"] == 5
    again = run("ingest", DOCUMENTS, "--corpus", url, "--json", "-q")
    assert json.loads(again.out)["documents"]["unchanged"] == 5
    question = "Who was the keeper of North Point in 2010?"
    found = run("search", question, "--corpus", url, "--json")
    assert found.code == 0, found.err
    assert json.loads(found.out)["hits"]
    answered = run("ask", question, "--corpus", url)
    assert answered.code == 0, answered.err
    assert "[1]" in answered.out
    shown = json.loads(run("corpora", "show", url, "--json").out)
    assert (shown["name"], shown["path"], shown["documents"], shown["health"]) == (url, url, 5, "fine")
    verified = run("corpora", "verify", url)
    assert verified.code == 0
    assert f"{url}: 5 documents" in verified.out
    assert run("corpora", "verify", url, "--repair").code == ExitCode.BAD_INPUT
    assert run("corpora", "list").code == 0
    assert run("corpora", "remove", url, "--yes").code == 0
    for command in (["corpora", "verify", url], ["corpora", "remove", url], ["search", "x", "--corpus", url]):
        gone = run(*command)
        assert gone.code == ExitCode.MISSING
        assert url in gone.err
    assert not (home / "corpora").exists()
    assert [path.name for path in tmp_path.iterdir()] == [home.name]


NO_NETWORK = {"HTTPS_PROXY": "http://127.0.0.1:9", "AWS_EC2_METADATA_DISABLED": "true"}


@pytest.mark.parametrize(
    ("url", "environment", "said"),
    [
        ("s3://no-such-bucket/x", {}, "there is no bucket no-such-bucket"),
        (None, {"TIMELENS_STORAGE__ENDPOINT": "http://127.0.0.1:{port}"}, "cannot be reached"),
        (None, {"AWS_ACCESS_KEY_ID": "", **NO_NETWORK, "HOME": "/nowhere"}, "there are no credentials"),
        (None, {"AWS_REGION": "", "AWS_ENDPOINT_URL": "", **NO_NETWORK}, "the region of the bucket"),
        ("az://container/x", {}, "there are no credentials"),
    ],
)
@pytest.mark.parametrize("command", ["ingest", "search"])
def test_what_keeps_it_from_the_store_is_one_line_soon(
    url: str | None,
    environment: dict[str, str],
    said: str,
    command: str,
    object_store: ObjectStore,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        if value:
            monkeypatch.setenv(name, value.format(port=free_port()))
        else:
            monkeypatch.delenv(name)
    begun = time.monotonic()
    outcome = run(
        command, DOCUMENTS if command == "ingest" else "x", "--corpus", url or object_store.corpus()
    )
    assert time.monotonic() - begun < 30
    require_one_line(outcome.err, said)
    assert outcome.code == ExitCode.MISSING


def test_keys_that_are_refused(object_store: ObjectStore, run: Run) -> None:
    object_store.refuse_keys(refuse=True)
    try:
        outcome = run("ingest", DOCUMENTS, "--corpus", object_store.corpus(), "-q")
        debugged = run("--debug", "corpora", "show", object_store.corpus())
    finally:
        object_store.refuse_keys(refuse=False)
    require_one_line(outcome.err, "the object store refused the credentials")
    assert outcome.code == debugged.code == ExitCode.MISSING
    assert KEY not in debugged.err
    assert SECRET not in debugged.err


def require_one_line(err: str, said: str) -> None:
    """An error and its remedy, without a key."""
    lines = err.strip().splitlines()
    assert len(lines) == 2, err
    assert said in lines[0]
    assert KEY not in err
    assert SECRET not in err


def test_a_suite_is_run_on_a_corpus_there(
    object_store: ObjectStore, run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_STORAGE__BENCH", object_store.corpus())
    data = write_beir(tmp_path / "beir")
    outcome = run(
        "bench", "run", "beir", "--data", data, "--out", tmp_path / "run", "--strategy", "bm25", "-q"
    )
    assert outcome.code == 0, outcome.err
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["corpus"].startswith("s3://")
    assert not (home / "bench" / "corpora").exists()


@pytest.mark.parametrize("name", ["aws_secret_access_key", "AZURE_STORAGE_SAS_TOKEN", "aws_access_key_id"])
def test_keys_in_the_configuration_are_refused(name: str, home: Path) -> None:
    (home / "config.toml").write_text(f'[storage.options]\n{name} = "hidden"\n')
    with pytest.raises(BadInputError) as caught:
        Settings.load()
    assert "hidden" not in caught.value.message + caught.value.hint


def test_the_options_of_the_configuration(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    (home / "config.toml").write_text(
        '[storage]\nendpoint = "http://127.0.0.1:9000/"\nregion = "eu-central-1"\nrequest_seconds = 1.5\n'
        '[storage.options]\naws_server_side_encryption = "aws:kms"\n'
    )
    storage = Settings.load().storage
    assert storage.lance_options("s3://b/x") == {
        "connect_timeout": "5s",
        "timeout": "1.5s",
        "client_max_retries": "3",
        "client_retry_timeout": "2",
        "aws_endpoint": "http://127.0.0.1:9000",
        "allow_http": "true",
        "aws_region": "eu-central-1",
        "aws_server_side_encryption": "aws:kms",
    }
    assert "aws_endpoint" not in storage.lance_options("gs://b/x")


AZURE = {
    "AZURE_STORAGE_ACCOUNT_NAME": "timelens",
    "AZURE_STORAGE_ACCOUNT_KEY": b64encode(b"of the tests").decode(),
}


@pytest.fixture
def azure(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server of Azure's protocol with the container ``timelens``, where Azurite is installed."""
    if (program := shutil.which("azurite-blob")) is None:
        pytest.skip("there is no server of Azure's protocol: npm install -g azurite")
    name, key = AZURE.values()
    port = free_port()
    endpoint = f"http://127.0.0.1:{port}/{name}"
    options = ["--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry", "--silent"]
    with subprocess.Popen(
        [program, "--blobHost", "127.0.0.1", "--blobPort", str(port), *options],
        env={**os.environ, "AZURITE_ACCOUNTS": f"{name}:{key}"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            make_container(endpoint, name, key)
            for variable, value in AZURE.items():
                monkeypatch.setenv(variable, value)
            stated = {"azure_storage_endpoint": endpoint, "allow_http": "true"}
            monkeypatch.setenv("TIMELENS_STORAGE__OPTIONS", json.dumps(stated))
            yield
        finally:
            server.terminate()


def make_container(endpoint: str, name: str, key: str) -> None:
    """Make the container ``timelens``, by a request that is signed as Azure wants it."""
    version, day = "2021-08-06", formatdate(usegmt=True)
    signed = "\n".join(
        [
            "PUT",
            *[""] * 11,
            f"x-ms-date:{day}",
            f"x-ms-version:{version}",
            f"/{name}/{name}/timelens",
            "restype:container",
        ]
    )
    signature = b64encode(hmac.digest(b64decode(key), signed.encode(), "sha256")).decode()
    headers = {"x-ms-date": day, "x-ms-version": version, "Content-Type": ""}
    headers["Authorization"] = f"SharedKey {name}:{signature}"
    asked = urllib.request.Request(f"{endpoint}/timelens?restype=container", b"", headers, method="PUT")
    deadline = time.monotonic() + 120
    while True:
        try:
            urllib.request.urlopen(asked, timeout=10).close()
        except HTTPError:
            raise
        except URLError:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        else:
            return


@pytest.mark.usefixtures("azure", "home")
def test_a_corpus_in_a_store_of_azure(run: Run) -> None:
    url = "az://timelens/harbour"
    for added, unchanged in ((5, 0), (0, 5)):
        made = run("ingest", DOCUMENTS, "--corpus", url, "--json", "-q")
        assert made.code == 0, made.err
        documents = json.loads(made.out)["documents"]
        assert (documents["added"], documents["unchanged"]) == (added, unchanged)
    assert "[1]" in run("ask", "Who was the keeper of North Point in 2010?", "--corpus", url).out
    assert run("corpora", "verify", url).code == 0
    assert run("corpora", "remove", url, "--yes").code == 0
    assert run("corpora", "verify", url).code == ExitCode.MISSING
