"""Settings: from ``config.toml`` in the timelens home, then environment variables, then the command line."""

import json
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Literal, Self, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from timelens.config_keys import PREFIX, key_error, require_known_variables, require_valid
from timelens.errors import BadInputError, reason_of
from timelens.folders import home, write_atomically
from timelens.processes import Budget
from timelens.temporal.conventions import Conventions

BUNDLED_EMBEDDER = "all-MiniLM-L6-v2"
RISK = 0.57
"""Default of :attr:`Settings.risk`."""
CAUTIOUS_RISK = 0.3
"""The same for a cautious answer."""
ReadingMode = Literal["adapter", "direct", "cot", "concat", "unstructured", "self-rag", "time-cot"]
"""How a language model reads the evidence: :mod:`timelens.answer.lm.reading_modes`."""
AnswererName = Literal["extractive", "llama", "server"]
"""What writes answers: rules, a model on this machine, or a model on a server."""
_BUDGET = Budget()
_CREDENTIAL = re.compile(
    r"secret|token|password|credential|account_key|access_key|api_key|sas|client_id", re.IGNORECASE
)
"""Matches the names of options that may hold a credential."""
MOST_EVIDENCE = 1000
"""Largest number of pieces of evidence that can be asked for."""
ANSWERERS: tuple[AnswererName, ...] = get_args(AnswererName)
READING_MODES: tuple[ReadingMode, ...] = get_args(ReadingMode)


def config_file() -> Path:
    """The configuration file, which need not exist."""
    return home() / "config.toml"


STRATEGY_NAMES = ("bm25", "naive", "hybrid", "tarag", "mrag", "timelens")
"""The names of ``timelens.retrieval.strategies.STRATEGIES``, which stands above the settings."""


class EmbedderSettings(BaseModel):
    """The model that turns text into vectors: the bundled encoder, or a sentence-transformers model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = BUNDLED_EMBEDDER
    """The bundled model, a folder, or the name of a model in the local hub cache."""
    query_prefix: str | None = None
    """Prefix of every question; ``None`` uses the prefix that the model's family (E5, BGE, nomic) needs."""
    document_prefix: str | None = None
    """Prefix of every passage; ``None`` uses the prefix that the model's family needs."""
    allow_download: bool = False
    """Whether a model that is not on this machine is fetched from the hub. Nothing is fetched otherwise."""
    device: str | None = None
    """``cpu``, ``cuda``, ``mps``, or ``None`` for the best there is.

    The bundled encoder reads documents on it, and questions on the CPU.
    """


class RerankerSettings(BaseModel):
    """The cross-encoder that reranks for strategies named ``NAME+rerank``, in place of the bundled reader."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str | None = None
    """A folder, or the name of a model in the local hub cache; ``None`` is the bundled reader."""
    allow_download: bool = False
    """Whether a model that is not on this machine is fetched from the hub. Nothing is fetched otherwise."""
    device: str | None = None
    """``cpu``, ``cuda``, ``mps``, or ``None`` for the best there is."""


def _address_without_key(
    url: str, path: str = "", instead: str = "put the key into the environment variable AWS_ACCESS_KEY_ID"
) -> str:
    try:
        parts = urlsplit(url)
        complete = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        complete = False
    if not complete or not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError(f"it must be an address, such as http://127.0.0.1:8080{path}")
    if "@" in parts.netloc:
        raise ValueError(f"it must not contain a name or password; {instead}")
    if parts.query or parts.fragment:
        raise ValueError("it must end with its path, without ? and #")
    return url


class ModelSettings(BaseModel):
    """Settings of language models, wherever they run."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    table: ClassVar[str]
    """Name of the table in the configuration file."""
    reading: ReadingMode = "adapter"
    """Reading mode: ``adapter`` (``direct`` if none fits the model), ``direct``,
    ``cot``, ``concat``, ``unstructured``, ``self-rag``, ``time-cot``."""
    context_tokens: int = Field(default=16_384, ge=256)
    """The largest context, in tokens; it is made as large as the evidence needs."""
    evidence_tokens: int = Field(default=1500, ge=64)
    """Maximum number of tokens of evidence that the model reads, best first; more takes longer."""
    answer_tokens: int = Field(default=512, ge=16)
    """Maximum number of tokens that the model writes."""
    temperature: float = Field(default=0.0, ge=0, le=2)
    """Sampling temperature; 0 always takes the most likely token."""
    seed: int = Field(default=0, ge=0, lt=2**32 - 1)
    """Seed of sampling: the same seed gives the same text."""


class LlamaSettings(ModelSettings):
    """A language model on this machine."""

    table = "llama"
    model: Path | None = None
    """A GGUF file."""
    hub: str = "https://huggingface.co"
    """Where ``timelens model pull`` and ``/model`` get the models of the catalogue; may be a mirror."""
    gpu_layers: int = -1
    """Layers on the GPU; -1 is all of them. Without a GPU build of llama.cpp it has no effect."""
    threads: int | None = Field(default=None, ge=1)
    """Threads on the CPU; ``None`` takes as many as the process has cores for."""

    @field_validator("hub")
    @classmethod
    def _plain_address(cls, hub: str) -> str:
        return _address_without_key(hub)


class ServerSettings(ModelSettings):
    """A server with an OpenAI-compatible API, which answers in place of a local model."""

    table = "server"
    url: str | None = None
    """The address, such as ``http://127.0.0.1:8080/v1``; one without a path gets ``/v1``."""
    model: str | None = Field(default=None, min_length=1, max_length=200)
    """The name of the model on the server; not needed if the server has only one."""
    key_env: str = Field(default="TIMELENS_SERVER_KEY", pattern=r"^[A-Z][A-Z0-9_]{0,63}$")
    """Name of the environment variable that holds the key, if the server needs one; never the key itself."""
    timeout_seconds: float = Field(default=120, gt=0, le=3600)
    """Longest silence of the server in seconds; it may have to load its model, and reads the prompt first."""
    context_tokens: int = Field(default=4096, ge=256)
    """The context length that the server was started with, in tokens; the server is not asked for it."""
    reading: ReadingMode = "direct"
    """Reading mode, as for a model on this machine; no adapter is used on a server."""

    @field_validator("url")
    @classmethod
    def _plain_address(cls, url: str | None) -> str | None:
        if url is None:
            return None
        url = _address_without_key(
            url, "/v1", "put the key into the environment variable that server.key_env names"
        )
        return url.rstrip("/") + ("" if urlsplit(url).path.strip("/") else "/v1")


class IngestSettings(BaseModel):
    """The budget for reading and dating one document; one that takes more is listed as a failure."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cpu_seconds: float = Field(default=_BUDGET.cpu_seconds, gt=0)
    """Processor time, in seconds."""
    seconds: float = Field(default=_BUDGET.seconds, gt=0)
    """Elapsed time, in seconds; waiting for a slow disk counts."""
    memory_mib: int = Field(default=_BUDGET.memory_mib, ge=1)
    """Memory, in MiB; enforced on Linux only. Windows enforces none of the three."""


class TimeSettings(BaseModel):
    """How to read expressions whose meaning depends on the place."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fiscal_year_first_month: int = Field(default=1, ge=1, le=12)
    """The month in which fiscal years start; 10 makes fiscal 2020 October 2019 to September 2020."""
    hemisphere: Literal["northern", "southern"] = "northern"
    """Whose seasons are meant: ``northern`` or ``southern``."""
    day_first: bool = False
    """Whether 3/4/2019 is 3 April."""

    @property
    def conventions(self) -> Conventions:
        """The settings in the form that the temporal layer reads."""
        return Conventions(self.fiscal_year_first_month, self.hemisphere == "southern", self.day_first)


class StorageSettings(BaseModel):
    """Access to corpora in object stores. Credentials are read from the environment only."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    endpoint: str | None = None
    """For ``s3://``: the address of a store other than Amazon's, such as ``http://127.0.0.1:9000``."""
    region: str | None = Field(default=None, pattern=r"^[A-Za-z0-9-]{1,64}$")
    """For ``s3://``: the region of the buckets."""
    connect_seconds: float = Field(default=5, gt=0, le=600)
    """Timeout of a connection, in seconds."""
    request_seconds: float = Field(default=60, gt=0, le=3600)
    """Timeout of a request, in seconds; a request transfers up to some megabytes."""
    retries: int = Field(default=3, ge=0, le=100)
    """Number of retries of a failed request, for at most ``request_seconds`` in total."""
    options: dict[str, str] = {}
    """Other storage options of LanceDB, by name."""
    bench: str | None = None
    """Where ``timelens bench`` keeps its corpora: ``s3://bucket/bench``; ``None`` is the timelens home."""

    @field_validator("endpoint")
    @classmethod
    def _without_key(cls, endpoint: str | None) -> str | None:
        return None if endpoint is None else _address_without_key(endpoint).rstrip("/")

    @field_validator("options")
    @classmethod
    def _no_keys(cls, options: dict[str, str]) -> dict[str, str]:
        if any(_CREDENTIAL.search(name) for name in options):
            raise ValueError(
                "it must not contain a key; put the key into the environment: AWS_SECRET_ACCESS_KEY, "
                "GOOGLE_APPLICATION_CREDENTIALS or AZURE_STORAGE_ACCOUNT_KEY"
            )
        return options

    def lance_options(self, url: str) -> dict[str, str]:
        """The storage options of LanceDB for a corpus at an address."""
        options = {
            "connect_timeout": f"{self.connect_seconds:g}s",
            "timeout": f"{self.request_seconds:g}s",
            "client_max_retries": str(self.retries),
            "client_retry_timeout": str(math.ceil(self.request_seconds)),
        }
        if url.lower().startswith("s3:"):
            named = self.endpoint or os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT")
            stated = {"aws_endpoint": named, "aws_region": self.region}
            options |= {name: value for name, value in stated.items() if value}
            if named and named.lower().startswith("http://"):
                options["allow_http"] = "true"
        return options | self.options


class TableSettings(BaseModel):
    """Declared properties of tables."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    keys: tuple[str, ...] = ()
    """Columns that determine all others of their table on any day; commas separate the columns of one key."""


class HistorySettings(BaseModel):
    """Retention of conversations."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    keep_days: int | None = Field(default=None, ge=1)
    """The chat deletes conversations without a question for this many days; ``None`` keeps all."""


class ChatSettings(BaseModel):
    """Theme and keys of the chat."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    theme: str | None = None
    """One of the themes that ``/theme`` lists; ``None`` is the dark one."""
    keys: dict[str, str] = Field(default_factory=dict)
    """Keys by the names that F1 shows, such as ``history = "f9,ctrl+g"``."""


class Settings(BaseSettings):
    """All settings; every key has a default that works offline."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )
    embedder: EmbedderSettings = EmbedderSettings()
    reranker: RerankerSettings = RerankerSettings()
    llama: LlamaSettings = LlamaSettings()
    server: ServerSettings = ServerSettings()
    time: TimeSettings = TimeSettings()
    tables: TableSettings = TableSettings()
    storage: StorageSettings = StorageSettings()
    ingest: IngestSettings = IngestSettings()
    history: HistorySettings = HistorySettings()
    chat: ChatSettings = ChatSettings()
    strategy: str = "timelens"
    """Retrieval strategy: ``timelens``, ``bm25``, ``naive``, ``hybrid``, ``tarag``, ``mrag``."""
    answerer: AnswererName = "extractive"
    """What writes the answer: ``extractive`` (no model), ``llama`` (a local model) or ``server``."""
    parser: Literal["rules", "llm"] = "rules"
    """What reads the question: ``rules``, or ``llm`` for a language model as well."""
    k: int = Field(default=10, ge=1, le=MOST_EVIDENCE)
    """Number of pieces of evidence used."""
    risk: float = Field(default=RISK, gt=0, lt=1)
    """Largest accepted probability that an answer read in texts is wrong; above it, passages are shown."""

    @field_validator("strategy")
    @classmethod
    def _known_strategy(cls, strategy: str) -> str:
        name = re.split(r"[-+]", strategy, maxsplit=1)[0]
        if name not in STRATEGY_NAMES:
            raise ValueError(f"there is no strategy {name!r}; choose one of {', '.join(STRATEGY_NAMES)}")
        return strategy

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 -- the base class names them
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Precedence: arguments, environment, file. There is no dotenv file and no secrets folder."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, config_file())

    @classmethod
    def load(cls) -> Self:
        """Settings of this machine and environment.

        Raises:
            BadInputError: the file is a folder or not TOML, a key or a variable is unknown, or one has a bad
                value.
        """
        if config_file().is_dir():
            raise BadInputError(f"{config_file()} is a folder, not a file", "remove or rename it")
        try:
            settings = cls()
        except ValidationError as error:
            raise key_error(error, f" (in {config_file()} or the environment)") from error
        except SettingsError as error:
            raise BadInputError(
                f"the environment cannot be read: {error}",
                "correct or unset the TIMELENS_ variable of that name",
            ) from error
        except (OSError, ValueError) as error:
            raise BadInputError(
                f"{config_file()} cannot be read: {reason_of(error)}", "it must be TOML; correct or remove it"
            ) from error
        require_known_variables(cls.model_fields, settings.server.key_env)
        return settings

    def cautious(self) -> Self:
        """These settings, with a risk of at most ``CAUTIOUS_RISK``."""
        return self.model_copy(update={"risk": min(self.risk, CAUTIOUS_RISK)})


def configure(values: Mapping[str, str]) -> Path:
    """Write settings into the configuration file; everything else in it stays unchanged.

    Args:
        values: values by key; a key in a table has a dot, as in ``llama.model``.

    Returns:
        The file.

    Raises:
        BadInputError: a key is unknown or has a bad value, the file cannot be read or written, or a key that
            should be a table is not one.
    """
    import tomlkit

    for key, value in values.items():
        require_valid(Settings.model_fields, key, value)
    path = config_file()
    try:
        document = tomlkit.parse(path.read_text("utf-8") if path.exists() else "")
        for key, value in values.items():
            table, _, name = key.rpartition(".")
            (document.setdefault(table, tomlkit.table()) if table else document)[name] = value
        write_atomically(path, tomlkit.dumps(document))
    except (OSError, ValueError, TypeError) as error:
        by_hand = ", ".join(f"{key} = {json.dumps(value)}" for key, value in values.items())
        raise BadInputError(
            f"{path} cannot be changed: {reason_of(error)}", f"write this into it: {by_hand}"
        ) from error
    return path
