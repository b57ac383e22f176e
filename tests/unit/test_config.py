import tomllib
import traceback
from pathlib import Path

import pytest

from timelens import config
from timelens.config import BUNDLED_EMBEDDER, ServerSettings, Settings, config_file
from timelens.errors import BadInputError, ExitCode
from timelens.folders import home
from timelens.retrieval.strategies import STRATEGIES

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture(autouse=True)
def no_settings_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STRATEGY", "ANSWERER", "K", "EMBEDDER", "LLAMA", "EMBEDDER__MODEL"):
        monkeypatch.delenv(f"TIMELENS_{name}", raising=False)


def configure(text: str) -> None:
    config_file().write_text(text, encoding="utf-8")


def test_without_a_file_everything_has_a_default_that_works_offline() -> None:
    settings = Settings.load()
    assert settings.embedder.model == BUNDLED_EMBEDDER
    assert not settings.embedder.allow_download
    assert settings.llama.model is None
    assert (settings.strategy, settings.answerer, settings.k) == ("timelens", "extractive", 10)


def test_the_home_folder_comes_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "elsewhere"))
    assert home() == tmp_path / "elsewhere"
    monkeypatch.setenv("TIMELENS_HOME", "~/notes")
    assert home() == Path.home() / "notes"
    monkeypatch.delenv("TIMELENS_HOME")
    assert home().name == "timelens"


def test_a_toml_file_sets_values_at_every_level() -> None:
    configure('k = 5\nstrategy = "hybrid"\n[embedder]\nquery_prefix = "q: "\n[llama]\nmodel = "a.gguf"\n')
    settings = Settings.load()
    assert (settings.k, settings.strategy, settings.embedder.query_prefix) == (5, "hybrid", "q: ")
    assert settings.llama.model == Path("a.gguf")
    assert settings.embedder.model == BUNDLED_EMBEDDER


def test_nothing_is_deleted_and_no_key_is_changed_unless_it_is_configured() -> None:
    assert Settings.load().history.keep_days is None
    assert (Settings.load().chat.theme, Settings.load().chat.keys) == (None, {})
    configure('[history]\nkeep_days = 90\n[chat]\ntheme = "nord"\n[chat.keys]\nhistory = "f6,ctrl+y"\n')
    settings = Settings.load()
    assert (settings.history.keep_days, settings.chat.theme) == (90, "nord")
    assert settings.chat.keys == {"history": "f6,ctrl+y"}


def test_arguments_win_over_the_environment_and_that_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    configure('k = 5\nstrategy = "bm25"\n[embedder]\nmodel = "file"\ndevice = "cpu"\n')
    monkeypatch.setenv("TIMELENS_K", "7")
    monkeypatch.setenv("TIMELENS_EMBEDDER__MODEL", "environment")
    settings = Settings.load()
    assert (settings.k, settings.strategy) == (7, "bm25")
    assert (settings.embedder.model, settings.embedder.device) == ("environment", "cpu")
    assert Settings(k=9).k == 9


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("https://models.example/v1/", "https://models.example/v1"),
        ("https://models.example/openai/v1", "https://models.example/openai/v1"),
        ("http://[::1]:11434", "http://[::1]:11434/v1"),
    ],
)
def test_the_address_of_a_server_ends_with_the_root_of_its_api(given: str, asked: str) -> None:
    assert ServerSettings(url=given).url == asked


@pytest.mark.parametrize("url", ["http://me:secret@models.example", "https://secret@models.example/v1"])
def test_an_address_with_a_name_or_key_is_refused_and_not_repeated(url: str) -> None:
    configure(f"[server]\nurl = '{url}'\n")
    with pytest.raises(BadInputError) as caught:
        Settings.load()
    assert "put the key into the environment variable" in caught.value.message
    assert "secret" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("kk = 3", "kk", "unknown key"),
        ("[embedder]\nmodle = 'x'", "embedder.modle", "unknown key"),
        ("k = 0", "k", "greater than or equal to 1"),
        ("k = 'many'", "k", "valid integer"),
        ("answerer = 'oracle'", "answerer", "extractive"),
        ("[llama]\ncontext_tokens = 3", "llama.context_tokens", "256"),
        ("embedder = 3", "embedder", "dictionary"),
        ("[server]\nurl = 'models.example'", "server.url", "it must be an address"),
        ("[server]\nurl = 'http://:80'", "server.url", "it must be an address"),
        ("[server]\nurl = 'http://a b'", "server.url", "it must be an address"),
        ("[server]\nurl = 'http://a:99999'", "server.url", "it must be an address"),
        ("[server]\napi_key = 'secret'", "server.api_key", "unknown key"),
        ("[server]\nkey_env = 'sk-secret'", "server.key_env", "match pattern"),
        ("[server]\ntimeout_seconds = 0", "server.timeout_seconds", "greater than 0"),
        ("[time]\nfiscal_year_first_month = 13", "time.fiscal_year_first_month", "12"),
        ("[history]\nkeep_days = 0", "history.keep_days", "greater than or equal to 1"),
        ("[chat.keys]\nhistory = 6", "chat.keys.history", "valid string"),
        ("[time]\nhemisphere = 'east'", "time.hemisphere", "northern"),
        ("strategy = 'foo'", "strategy", "there is no strategy 'foo'; choose one of bm25, naive"),
        ("strategy = 'foo-filter+rerank'", "strategy", "there is no strategy 'foo'"),
    ],
)
def test_a_wrong_key_is_named_with_its_file(text: str, key: str, said: str) -> None:
    configure(text)
    with pytest.raises(BadInputError) as caught:
        Settings.load()
    assert f"key {key}:" in caught.value.message
    assert said in caught.value.message
    assert str(config_file()) in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.exit_code is ExitCode.BAD_INPUT


@pytest.mark.parametrize("strategy", [*STRATEGIES, "timelens-time", "naive+rerank20", "tarag-filter+rerank"])
def test_every_strategy_may_be_configured(strategy: str) -> None:
    assert tuple(STRATEGIES) == config.STRATEGY_NAMES
    configure(f"strategy = '{strategy}'")
    assert Settings.load().strategy == strategy


@pytest.mark.parametrize("content", [b"k = ", b"= 3", b"k = 3\nk = 4", b"\xff\xfe\x00k", b"\0"])
def test_a_file_that_is_not_toml_is_named(content: bytes) -> None:
    config_file().write_bytes(content)
    with pytest.raises(BadInputError) as caught:
        Settings.load()
    assert str(config_file()) in caught.value.message
    assert "TOML" in caught.value.hint


def test_an_unknown_key_in_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_EMBEDDER__MODLE", "x")
    with pytest.raises(BadInputError, match=r"embedder\.modle: unknown key.*environment"):
        Settings.load()


def test_a_fault_in_the_environment_is_not_blamed_on_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_EMBEDDER", "{not json")
    with pytest.raises(BadInputError) as caught:
        Settings.load()
    assert "environment" in caught.value.message
    assert "TOML" not in caught.value.hint


CHOSEN = {"answerer": "llama", "llama.model": '/m/"a" ü.gguf'}


@pytest.mark.parametrize(
    "before",
    [
        "",
        'answerer = "extractive"  # none yet\nk = 5\n',
        "# mine\nk = 5\n\n[llama]  # the model\nseed = 3\nmodel = 'old.gguf'\n\n[time]\nday_first = true\n",
        "[time]\nday_first = true",
        "[llama]",
        '[embedder]\nmodel = "x"\n',
        "[chat.keys]\nhistory = 'f6'  # as before\n\n[llama]\n# no model\n",
        "k = 5\n[tables]\nkeys = [\n  'a',  # the first\n  'b',\n]\n",
    ],
)
def test_a_setting_is_written_and_all_else_stays(before: str) -> None:
    configure(before)
    assert config.configure(CHOSEN) == config_file()
    after = tomllib.loads(config_file().read_text())
    wanted = tomllib.loads(before)
    wanted["answerer"] = "llama"
    wanted.setdefault("llama", {})["model"] = CHOSEN["llama.model"]
    assert after == wanted
    kept = [
        line for line in before.splitlines() if line and not line.startswith(("answerer", "model = 'old"))
    ]
    assert set(kept) <= set(config_file().read_text().splitlines())


@pytest.mark.parametrize(
    "before", ["llama = {seed = 3}", "llama.seed = 3\nk = 5\n[time]\nday_first = true\n"]
)
def test_a_setting_is_written_into_every_form_of_a_table(before: str) -> None:
    configure(before)
    config.configure(CHOSEN)
    settings = Settings.load()
    assert (settings.answerer, str(settings.llama.model)) == ("llama", CHOSEN["llama.model"])
    assert settings.llama.seed == 3
    assert "seed = 3" in config_file().read_text()


@pytest.mark.parametrize("before", ["llama = 3", "not TOML", "[[llama]]", "k = 3\nk = 4", "[llama]\n[llama]"])
def test_a_file_that_cannot_be_changed_stays_and_the_remedy_is_said(before: str) -> None:
    configure(before)
    with pytest.raises(BadInputError, match=r"config\.toml") as error:
        config.configure(CHOSEN)
    assert 'answerer = "llama"' in error.value.hint
    assert config_file().read_text() == before


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("TIMELENS_STRATGY", "did you mean TIMELENS_STRATEGY?"),
        ("TIMELENS_LLAMA_MODEL", "did you mean TIMELENS_LLAMA__MODEL?"),
        ("TIMELENS_QUITE_DIFFERENT", ""),
        ("TIMELENS_STRATEGY__X", "did you mean TIMELENS_STRATEGY?"),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_name(
    name: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "bm25")
    with pytest.raises(BadInputError, match=f"environment variable {name}: unknown key") as caught:
        Settings.load()
    assert caught.value.exit_code is ExitCode.BAD_INPUT
    assert caught.value.hint.startswith(meant or "correct or unset it")


def test_variables_that_other_parts_read_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    configure('[server]\nkey_env = "TIMELENS_MY_KEY"\n')
    for name in ("SERVE_TOKEN", "SERVER_KEY", "TEST_KILLS", "MY_KEY", "CHAT__KEYS__HISTORY"):
        monkeypatch.setenv(f"TIMELENS_{name}", "f9")
    assert Settings.load().chat.keys == {"history": "f9"}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("foo.bar", "1", "foo: unknown key"),
        ("kk", "1", "kk: unknown key"),
        ("k", "0", "k: .*greater than or equal to 1"),
        ("llama.modle", "a.gguf", "llama.modle: unknown key"),
        ("llama", "a.gguf", "llama: "),
        ("answerer", "magic", "answerer: "),
        ("storage.endpoint", "nowhere", "storage.endpoint: .*must be an address"),
    ],
)
def test_a_setting_that_would_be_refused_later_is_not_written(key: str, value: str, message: str) -> None:
    configure("k = 5\n")
    with pytest.raises(BadInputError, match=f"configuration key {message}"):
        config.configure({"strategy": "bm25", key: value})
    assert config_file().read_text("utf-8") == "k = 5\n"


def test_a_file_that_cannot_be_opened_is_told_in_plain_words() -> None:
    config_file().mkdir(parents=True)
    with pytest.raises(BadInputError, match=r"cannot be changed: Is a directory$"):
        config.configure({"chat.theme": "nord"})
