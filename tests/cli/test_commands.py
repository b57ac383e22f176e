"""What people meet: readable output, one-line errors with a remedy, documented exit codes, quick help."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import DOCUMENTS, Run
from made_pdf import make_pdf

import timelens
from timelens.cli.lazy_commands import COMMANDS, load_command

HEAVY_MODELS = (
    "torch",
    "numpy",
    "pyarrow",
    "lancedb",
    "spacy",
    "llama_cpp",
    "httpx2",
    "textual",
    "transformers",
)
HEAVY = (
    "torch",
    "lancedb",
    "textual",
    "spacy",
    "llama_cpp",
    "httpx2",
    "numpy",
    "pyarrow",
    "pydantic",
    "sentence_transformers",
)
NOT_FOR_ASKING = (
    "torch",
    "scipy",
    "spacy",
    "textual",
    "mcp",
    "langchain_core",
    "llama_index",
    "matplotlib",
    "ray",
    "boto3",
    "botocore",
)


def python(*arguments: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"TIMELENS_HOME": str(home)} if home else {})}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False
    )


def test_help_imports_nothing_heavy() -> None:
    result = python("-X", "importtime", "-m", "timelens", "--help")
    assert result.returncode == 0
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in result.stderr.splitlines()}
    assert "typer" in imported
    assert not imported & set(HEAVY)


def test_help_loads_no_command() -> None:
    code = (
        "import sys; from timelens.cli import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted(name for name in sys.modules if name.startswith('timelens.cli.')))"
    )
    result = python("-c", code)
    assert result.stdout.splitlines()[-1] == str(
        ["timelens.cli.lazy_commands", "timelens.cli.streams", "timelens.cli.unloaded"]
    )


def test_the_help_keeps_what_stands_in_it(run: Run) -> None:
    assert "needs the extra ray" in " ".join(run("ingest", "--help").out.replace("│", " ").split())
    assert "`" not in run("model", "use", "--help").out
    shift = " ".join(run("bench", "make", "shift", "--help").out.split())
    assert ("default: 2000-01-01" in shift, "default: the current day" in shift) == (True, False)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_timelens_says_of_a_command_what_its_own_help_says(name: str) -> None:
    own = inspect.cleandoc(load_command(name).help).split("\n\n")[0]
    assert COMMANDS[name].help == " ".join(own.split())


@pytest.mark.parametrize(("command", "loaded"), [("parse", ["numpy"]), ("tag", [])])
def test_what_needs_no_corpus_loads_no_heavy_model(command: str, loaded: list[str]) -> None:
    code = (
        "import sys; from timelens.cli import app\n"
        f"try: app(['{command}', '-', '--json'])\nexcept SystemExit: pass\n"
        f"print(sorted(set(sys.modules) & set({HEAVY_MODELS})))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], input="in May 2015", capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == str(loaded)  # a small network in numpy reads questions


def test_a_question_is_read_without_torch(harbour_home: Path) -> None:
    code = (
        "import sys; from timelens.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "from timelens.reader.span_reader import bundled_reader\n"
        "print('arrays' in vars(bundled_reader()))\n"
        f"print([name for name in {NOT_FOR_ASKING} if name in sys.modules])"
    )
    result = python("-c", code, "ask", "Why was the harbour dredged?", "-c", "harbour", home=harbour_home)
    assert result.stdout.splitlines()[-2:] == ["True", "[]"], result.stderr


def test_no_command_loads_ray_unless_it_is_told_to(harbour_home: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The pier was built in 1902.")
    code = (
        "import sys; from timelens.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([name for name in ('ray', 'pandas') if name in sys.modules])"
    )
    for home, command in (
        (tmp_path / "home", ("ingest", str(tmp_path), "-c", "other", "-q")),
        (harbour_home, ("ask", "Why was the harbour dredged?", "-c", "harbour")),
    ):
        result = python("-c", code, *command, home=home)
        assert result.stdout.splitlines()[-1] == "[]", result.stderr


def test_importing_the_package_loads_none_of_it() -> None:
    code = "import sys, timelens; print([m for m in sys.modules if m.startswith('timelens.')])"
    assert python("-c", code).stdout.strip() == "[]"


def test_every_name_of_the_api_is_there() -> None:
    import timelens

    for name in timelens.__all__:
        assert getattr(timelens, name) is not None
    with pytest.raises(AttributeError):
        timelens.no_such_name  # noqa: B018 -- the look-up is what is tested


def test_version(run: Run) -> None:
    from timelens import __version__

    assert run("--version").out.strip() == f"timelens {__version__}"


def test_an_answer_for_people(run: Run, harbour: str) -> None:
    outcome = run("ask", "What was the ferry fare as of 1 July 2015?", "-c", harbour)
    assert outcome.code == 0
    assert "2.80 crowns" in outcome.out
    assert "[1] 10 June 2015" in outcome.out


@pytest.mark.parametrize("stdin", [None, '{"id": "a", "text": "What date is 90 days before 1 March 2020?"}'])
@pytest.mark.usefixtures("home")
def test_counting_from_a_date_takes_no_corpus(stdin: str | None, run: Run) -> None:
    question = "What date is 90 days before 1 March 2020?"
    outcome = run("ask", question, "--json") if stdin is None else run("ask", "-", "--jsonl", stdin=stdin)
    answer = json.loads(outcome.out)
    assert outcome.code == 0
    assert (answer["status"], answer["citations"]) == ("answered", [])
    assert answer["values"][0]["start"] == "2019-12-02"


@pytest.mark.usefixtures("copied")
def test_counting_between_dates_takes_none_of_several_corpora(run: Run) -> None:
    assert run("ingest", "-", "--corpus", "second", stdin='{"id": "1", "text": "A boat."}').code == 0
    question = "How many days between 1 March 2019 and 5 March 2020?"
    assert run("ask", question).out == "370 days: calculated from the calendar, not from documents.\n"
    assert run("ask", "Who was keeper?").code == 3


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("What date is 90 days before 31 February 2020?", "31 February 2020"),
        ("Which day was two months after the 31st of April 2020?", "the 31st of April 2020"),
        ("what is 3 weeks after 2019-02-30", "2019-02-30"),
        ("Who was keeper on 31 February 2015?", "31 February 2015"),
        ("how many days between the 31st of June 2020 and 3 May 2021", "the 31st of June 2020"),
    ],
)
@pytest.mark.usefixtures("home")
def test_a_question_for_a_date_that_does_not_exist_is_refused(question: str, date: str, run: Run) -> None:
    outcome = run("ask", question)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == f"timelens: {date} is no date\n  correct it\n"
    lines = run("ask", "-", "--jsonl", stdin=json.dumps({"id": 1, "text": question}))
    assert (lines.code, lines.err) == (1, f"line 1, id 1: {date} is no date (correct it)\n")


def test_a_date_that_does_not_exist_is_noted_beside_a_question_about_documents(
    run: Run, harbour: str
) -> None:
    outcome = run("ask", "Who was the keeper 90 days before 31 February 2020?", "-c", harbour)
    assert outcome.code == 0
    assert "is no date; it was not read as a time" in outcome.err


def test_the_only_corpus_needs_no_name(run: Run, harbour: str) -> None:
    outcome = run("ask", "Who was the keeper of North Point in 2010?")
    assert "Jonas Berg" in outcome.out
    assert outcome.err.splitlines()[0] == f"corpus: {harbour}"
    named = run("ask", "Who was the keeper of North Point in 2010?", "-c", harbour)
    assert (named.out, "corpus:" in named.err) == (outcome.out, False)
    assert run("search", "ferry", "--json").err == f"corpus: {harbour}\n"
    assert harbour in run("corpora").out


def test_evidence_for_people(run: Run, harbour: str) -> None:
    outcome = run("search", "ferry fare in 2016", "-c", harbour, "-k", 6)
    assert "21 September 2016" in outcome.out
    assert "temporal" in outcome.out
    assert "covers 17% of the asked time; nothing for January 2016 to July 2016" in outcome.err


def test_evidence_for_several_periods_is_counted_for_each(run: Run, harbour: str) -> None:
    outcome = run("search", "ferry fare in 2014, 2016 and 1950", "-c", harbour, "-k", 6)
    lines = [line for line in outcome.err.splitlines() if line.startswith("coverage")]
    named = [line.partition(":")[0] for line in lines]
    assert named == ["coverage, 2014", "coverage, 2016", "coverage, 1950"]
    assert lines[-1] == "coverage, 1950: none"
    assert all("%" in line for line in lines[:-1])
    assert "of the asked time" not in outcome.err


def test_an_answer_to_several_periods_says_what_each_is_covered_by(run: Run, harbour: str) -> None:
    outcome = run("ask", "Compare the ferry fare in 2014 with the ferry fare in 2018.", "-c", harbour)
    assert "coverage, 2014: " in outcome.err
    assert "coverage, 2018: " in outcome.err
    assert "coverage" not in run("ask", "What was the ferry fare as of 1 July 2015?", "-c", harbour).err


def test_passages_that_answer_nothing_are_shown_as_nearest(run: Run, harbour: str) -> None:
    outcome = run("ask", "Why was the harbour dredged in 1950 and in 1960?", "-c", harbour)
    lines = outcome.out.splitlines()
    assert lines[0].startswith("No clear statement was found for 1950. Nearest:")
    [listed] = [line for line in lines if line.startswith("[1] ")]
    assert listed.endswith("nearest passage (1950; 1960)")


def test_the_periods_and_steps_of_a_question_are_drawn_on_one_axis(run: Run) -> None:
    shown = run("parse", "Compare the fare in 2004 with the fare in 2009.", "--as-of", "2020-01-01").out
    lines = shown.splitlines()
    first = next(line for line in lines if line.startswith("baseline"))
    second = next(line for line in lines if line.startswith("comparison"))
    assert first.rindex("━") < second.index("━")
    assert first.split()[2:] == ["2004", "←", "in", "2004"]
    assert second.split()[2:] == ["2009", "←", "in", "2009"]
    assert "what changed between them (change, after 1, 2)" in shown
    looked_up = run("parse", "Who was keeper when the successor of Ada Berg took office?").out
    assert "(hop)" in looked_up
    assert "(evidence, after 1" in looked_up


def test_a_hostile_question_about_periods_is_made_printable(run: Run) -> None:
    shown = run("parse", "Compare \x1b[31m\u202e in 2004 with \x1b[2J in 2009.").out
    assert "baseline" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_a_question_and_a_text_for_people(run: Run) -> None:
    parsed = run("parse", "Who was the last keeper before 2010?").out
    assert "before 2010" in parsed
    assert "Who was the keeper?" in parsed
    tagged = run("tag", "-", stdin="Opened in May 2015, in use since 2017, twice a week. \x1b[31m").out
    assert [" ".join(line.split()) for line in tagged.splitlines()] == [
        "Opened in May 2015, in use since 2017, twice a week. ␛[31m",
        "May 2015 ━━ May 2015 (explicit, 0.99)",
        "since 2017 ━━▶ since 2017 (explicit, 0.95)",
        "twice a week no interval (set, 0.85)",
        "╵Jul 2015 ╵Jul 2016",
    ]


def test_times_are_tagged_from_the_day_of_their_entry(run: Run, tmp_path: Path) -> None:
    text = "".join(f"## {day} May 2019\nThe hen laid yesterday.\n\n" for day in (4, 9, 14))
    (tmp_path / "hens.md").write_text(text)
    named = run("tag", str(tmp_path / "hens.md"), "--json").out
    assert [json.loads(line)["start"][-2:] for line in named.splitlines()] == "04 03 09 08 14 13".split()
    lines = run("tag", "-", "--jsonl", stdin=json.dumps({"id": 1, "text": text})).out
    assert [one["start"][-2:] for one in json.loads(lines)["expressions"]] == "04 03 09 08 14 13".split()


@pytest.mark.parametrize(("variable", "coloured"), [("FORCE_COLOR", True), ("NO_COLOR", False)])
def test_colour_is_for_terminals_that_want_it(variable: str, coloured: bool, home: Path) -> None:
    environment = {**os.environ, "TIMELENS_HOME": str(home), "TERM": "xterm-256color", variable: "1"}
    environment.pop({"NO_COLOR": "FORCE_COLOR", "FORCE_COLOR": "NO_COLOR"}[variable], None)
    result = subprocess.run(
        [sys.executable, "-m", "timelens", "tag", "-"],
        input="Opened in May 2015.",
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert ("\x1b[1;36mMay 2015" in result.stdout) is coloured
    assert "Opened in" in result.stdout


def test_a_pipe_gets_no_colour(run: Run) -> None:
    assert "\x1b" not in run("tag", "-", stdin="Opened in May 2015.").out
    assert "\x1b" not in run("parse", "Who was keeper in May 2015?").out


def test_settings_say_how_dates_are_read(run: Run, home: Path) -> None:
    text = "On 3/4/2019, in summer 2012, in fiscal 2020."
    usual = [json.loads(line)["start"] for line in run("tag", "-", "--json", stdin=text).out.splitlines()]
    assert usual == ["2019-03-04", "2012-06-01", "2020-01-01"]
    settings = '[time]\nday_first = true\nhemisphere = "southern"\nfiscal_year_first_month = 10\n'
    (home / "config.toml").write_text(settings)
    other = [json.loads(line)["start"] for line in run("tag", "-", "--json", stdin=text).out.splitlines()]
    assert other == ["2019-04-03", "2012-12-01", "2019-10-01"]
    asked = json.loads(run("parse", "Who led it in fiscal 2020?", "--json").out)
    assert asked["constraints"][0]["start"] == "2019-10-01"


def test_the_risk_of_a_wrong_answer_is_as_it_is_set(
    run: Run, harbour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "What did the harbour office paint?"

    def status(*options: str) -> str:
        return str(json.loads(run("ask", question, "--corpus", harbour, "--json", *options).out)["status"])

    monkeypatch.setenv("TIMELENS_RISK", "0.9999")
    assert (status(), status("--cautious")) == ("answered", "no_answer")
    monkeypatch.setenv("TIMELENS_RISK", "0.0001")
    assert status("--cautious") == "no_answer"
    monkeypatch.setenv("TIMELENS_RISK", "1.5")
    assert run("ask", question, "--corpus", harbour).code == 2


@pytest.mark.parametrize("as_of", ["1990-12-31", "1990", "as of 1990", "December 1990"])
def test_the_day_that_counts_as_now_is_read_as_a_question_reads_it(as_of: str, run: Run) -> None:
    read = json.loads(run("parse", "What was the fare last year?", "--as-of", as_of, "--json").out)
    assert [period["start"] for period in read["periods"]] == ["1989-01-01"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["ask", "Who?", "--corpus", "nowhere"], 3, "there is no corpus"),
        (["ask", "  ", "--corpus", "harbour"], 2, "the question is empty"),
        (["ask", "?! 🙂", "--corpus", "harbour"], 2, "the question has no words"),
        (["ask", "Who?", "--corpus", "bad name"], 2, "cannot be the name of a corpus"),
        (["ask", "Who?", "--corpus", "harbour", "--as-of", "2020-02-31"], 2, "day 31 does not exist"),
        (["parse", "Who?", "--as-of", "1990 vs 2000"], 2, "--as-of: '1990 vs 2000' is not a date"),
        (["ask", "Who?", "--corpus", "harbour", "--strategy", "magic"], 2, "there is no strategy"),
        (["ask", "Who?", "--corpus", "harbour", "--answerer", "oracle"], 2, "there is no answerer"),
        (["ask", "Who?", "--corpus", "harbour", "-k", "0"], 2, "greater than or equal to 1"),
        (["ask"], 2, "missing argument"),
        (["search", "", "--corpus", "harbour"], 2, "the question is empty"),
        (["ingest", "nothing/here", "--corpus", "new"], 3, "there is nothing at"),
        (["ingest", "--corpus", "new"], 2, "there is nothing to ingest"),
        (["ingest", "."], 2, "no corpus is named"),
        (["corpora", "show", "nowhere"], 3, "there is no corpus"),
        (["corpora", "remove", "nowhere", "--yes"], 3, "there is no corpus"),
        (["tag", "no-such-file.txt"], 3, "there is no file"),
        (["tag", "."], 2, "cannot be read"),
        (["parse", ""], 2, "the question is empty"),
        (["model", "show"], 3, "no model is configured"),
        (["model", "show", __file__], 2, "not a GGUF file"),
        (["frobnicate"], 2, "no such command"),
        (["ask", "Who \udcff?", "--corpus", "harbour"], 2, "the question is not UTF-8 text"),
        (["parse", "Who \udcff?"], 2, "the question is not UTF-8 text"),
        (["ask", "Nothing?", "--corpus", "harbour", "--model", "no.gguf"], 3, "there is no model file"),
        (["ask", "Nothing?", "--corpus", "harbour", "--answerer", "llama"], 3, "no language model"),
        (["ingest", ".", "--corpus", __file__], 2, "no corpus can be made at"),
        (["corpora", "remove", "nowhere"], 3, "there is no corpus"),
        (["chat", "--strategy", "magic"], 2, "there is no strategy"),
        (["chat"], 2, "the chat needs a terminal"),
        (["corpora", "remove", ""], 2, "cannot be the name of a corpus"),
    ],
)
def test_wrong_input(arguments: list[str], code: int, message: str, run: Run, harbour: str) -> None:
    assert harbour
    outcome = run(*arguments)
    assert outcome.code == code
    assert message in outcome.err
    assert outcome.out == ""
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[" * 10_000,
        '{"id": NaN, "text": "2015"}',
        '{"id": null, "text": "2015"}',
        '{"text": "no id"}',
        '{"id": 1}',
        '["a"]',
        '{"id": 1, "text": "2015", "anchor": 2015}',
        '{"id": 1, "text": "2015", "anchor": "soon", "as_of": "soon"}',
        '{"id": 1, "text": "2015", "choices": "AB"}',
        '{"id": 1, "text": "2015 \\ud800"}',
    ],
)
@pytest.mark.parametrize("command", ["tag", "parse"])
def test_a_bad_line_is_named_and_does_not_stop_the_rest(command: str, line: str, run: Run) -> None:
    stdin = f'{{"id": 0, "text": "2015"}}\n{line}\n\n{{"id": "z", "text": "in 2016"}}'
    outcome = run(command, "-", "--jsonl", "--json", stdin=stdin)
    assert [json.loads(one)["id"] for one in outcome.out.splitlines()] == [0, "z"]
    assert outcome.code == 1
    (message,) = outcome.err.splitlines()
    assert message.startswith("line 2")


def test_one_bad_question_does_not_stop_the_rest(run: Run, harbour: str) -> None:
    asked = '{"id": "y", "text": "Who was the keeper of North Point in 2010?"}'
    stdin = f'{{"id": "x", "text": " "}}\nno JSON\n{asked}'
    outcome = run("ask", "-", "--jsonl", "-c", harbour, "--json", stdin=stdin)
    assert outcome.code == 1
    said = [line.partition(":")[0] for line in outcome.err.splitlines()]
    assert said == ["line 1, id x", "line 2"]
    assert '"id": "y"' in outcome.out


@pytest.mark.parametrize("command", ["tag", "parse", "ask"])
@pytest.mark.usefixtures("home")
def test_a_bad_day_for_all_lines_stops_them(command: str, run: Run) -> None:
    option = "--anchor" if command == "tag" else "--as-of"
    outcome = run(command, "-", "--jsonl", option, "soon", stdin='{"id": 1, "text": "2015"}')
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"timelens: {option}: ")


def test_a_line_ends_only_at_a_line_feed(run: Run) -> None:
    outcome = run("tag", "-", "--jsonl", stdin='{"id": 1.5, "text": "in\u2028May 2015"}\r\n')
    (line,) = outcome.out.splitlines()
    assert (outcome.code, json.loads(line)["id"]) == (0, 1.5)


def test_an_unknown_key_of_the_configuration_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path))
    (tmp_path / "config.toml").write_text("strategie = 'bm25'\n")
    outcome = run("ask", "Who?", "--corpus", "x")
    assert outcome.code == 2
    assert "strategie" in outcome.err
    assert "config.toml" in outcome.err
    assert run("doctor").code == 1  # the same, among the checks


def test_doctor_names_what_cannot_work(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_folder = tmp_path / "file"
    no_folder.write_text("")
    monkeypatch.setenv("TIMELENS_HOME", str(no_folder))
    monkeypatch.setenv("TIMELENS_STRATEGY", "magic")
    broken = {
        check["name"]: check["detail"]
        for check in json.loads(run("doctor", "--json").out)["checks"]
        if check["health"] == "broken"
    }
    assert "cannot be written" in broken["home"]
    assert "there is no strategy 'magic'" in broken["settings"]
    monkeypatch.delenv("TIMELENS_STRATEGY")
    made = run("ingest", DOCUMENTS, "--corpus", "new")
    assert (made.code, "no corpus can be made at" in made.err) == (2, True)


def test_a_home_that_is_a_file_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("")
    outcome = run("corpora", "list")
    assert (outcome.code, "is not a folder" in outcome.err, "TIMELENS_HOME" in outcome.err) == (2, True, True)


def test_a_configuration_that_is_a_folder_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path))
    (tmp_path / "config.toml").mkdir()
    outcome = run("ask", "Who?", "--corpus", "x")
    assert (outcome.code, "config.toml is a folder, not a file" in outcome.err) == (2, True)


def test_what_timelens_stores_is_for_the_user_alone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    (tmp_path / "a.md").write_text("The pier opened on 4 May 2015.")
    assert run("ingest", tmp_path / "a.md", "--corpus", "new", "-q").code == 0
    for folder in ("home", "home/corpora", "home/corpora/new"):
        assert (tmp_path / folder).stat().st_mode & 0o777 == 0o700


def test_a_folder_without_files_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    (tmp_path / "empty").mkdir()
    outcome = run("ingest", tmp_path / "empty", "--corpus", "new", "-q")
    assert (outcome.code, f"there are no files in {tmp_path / 'empty'}" in outcome.err) == (0, True)


def test_a_piped_list_is_not_cut(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path))
    assert "Qwen/Qwen2.5-0.5B-Instruct-GGUF" in run("model", "list").out


def test_the_traceback_is_there_on_request(harbour_home: Path) -> None:
    result = python("-m", "timelens", "--debug", "ask", "Who?", "--corpus", "nowhere", home=harbour_home)
    assert "Traceback" in result.stderr


def test_corpora_can_be_removed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path))
    assert "no corpus yet" in run("corpora").err
    assert run("corpora", "--json").out == run("corpora", "list", "--json").out
    misplaced = run("corpora", "--json", "show")
    assert (misplaced.code, "timelens corpora show --json" in misplaced.err) == (2, True)
    assert run("ingest", DOCUMENTS / "keepers.csv", "-c", "keepers", "-q").code == 0
    kept = run("corpora", "remove", "keepers", stdin="n\n")
    assert (kept.code, "Delete the corpus keepers?" in kept.err, kept.out) == (2, True, "")
    assert run("corpora", "remove", "keepers", stdin="").code == 2
    assert "keepers" in run("corpora").out
    assert run("corpora", "remove", "keepers", "--yes").code == 0
    assert "no corpus yet" in run("corpora").err


def test_terminal_sequences_in_documents_do_not_reach_the_terminal(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    evil = tmp_path / "evil.md"
    title = "\\e]0;owned\\a [bold]x[/bold]"
    text = "The ferry fare rose \x1b[31magain\x1b[0m."
    evil.write_text(f"---\ntitle: '{title}'\ndate: 2015-05-05\n---\n\n{text}\n")
    assert run("ingest", evil, "-c", "evil", "-q").code == 0
    for command in ("ask", "search"):
        outcome = run(command, "What of the fare in 2015?", "-c", "evil")
        assert "\x1b" not in outcome.out + outcome.err
        assert "fare" in outcome.out


def test_an_interruption_is_one_line_and_its_own_exit_code(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path))
    monkeypatch.setattr("timelens.corpus.Corpus.ingest", interrupted)
    outcome = run("ingest", DOCUMENTS, "--corpus", "harbour")
    assert outcome.code == 130
    assert outcome.err.splitlines()[-1].startswith("timelens: interrupted")


def test_evidence_is_cited_with_its_page_or_heading(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_HOME", str(tmp_path / "home"))
    folder = tmp_path / "in"
    folder.mkdir()
    pages = [["The harbour board met on 4 May 2015."], ["The board raised the ferry fare to 2.80 crowns."]]
    (folder / "minutes.pdf").write_bytes(
        make_pdf(pages, {"/Title": "Minutes", "/CreationDate": "D:20150504"})
    )
    (folder / "report.html").write_text(
        "<title>Report</title><meta name=date content=2016-06-07><h1>Report</h1><p>All was well."
        "<h2>[bold]Findings\x1b[31m[/bold]</h2><p>The lighthouse lamp was replaced."
    )
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    (folder / "report.md").write_text(
        "# Report\n\nAll was well.\n\n## Outlook\n\nThe breakwater was repaired in 2017."
    )
    ingested = run("ingest", folder, "--corpus", "places")
    assert ingested.code == 1
    assert "broken.pdf: it is not a readable PDF" in ingested.err
    assert "EOF marker" not in ingested.err
    for question, title, place in (
        ("What was the ferry fare in 2015?", "Minutes", "page 2"),
        ("What happened to the lighthouse lamp in 2016?", "Report", "[bold]Findings"),
        ("What happened to the breakwater in 2017?", "Report", "Outlook"),
    ):
        cited = json.loads(run("ask", question, "--corpus", "places", "--json").out)["citations"][0]
        assert cited["title"] == title
        assert cited["place"].startswith(place)
        shown = run("ask", question, "--corpus", "places").out
        assert f"{title}, {place}" in shown
        assert "\x1b" not in shown
    (hit,) = json.loads(run("search", "board met", "-s", "bm25", "--corpus", "places", "--json").out)["hits"]
    assert hit["place"] == "page 1"


@pytest.mark.parametrize("group", [("bench",), ("bench", "make"), ("model",)])
def test_a_group_without_a_command_says_so(group: tuple[str, ...], run: Run) -> None:
    outcome = run(*group)
    assert outcome.code == 2
    assert outcome.err.startswith("timelens: no command is named\n  see: ")
    assert outcome.err.endswith(f"{' '.join(group)} --help\n")


def test_a_strategy_of_the_configuration_that_does_not_exist_is_refused_by_every_command(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMELENS_STRATEGY", "foo")
    outcome = run("parse", "Who was treasurer in 2013?")
    assert (outcome.code, "there is no strategy 'foo'" in outcome.err) == (2, True)


@pytest.fixture(scope="module")
def dunmore(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus with a rate of each year from 2004 to 2013."""
    folder = tmp_path_factory.mktemp("dunmore")
    lines = (
        {"id": f"d{year}", "text": f"The rate of Dunmore was {year - 1900} pounds.", "date": f"{year}-03-01"}
        for year in range(2004, 2014)
    )
    (folder / "rates.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    timelens.open_corpus(str(folder / "corpus")).ingest([folder / "rates.jsonl"])
    return folder / "corpus"


@pytest.mark.parametrize(
    ("options", "years"),
    [
        (["--from", "2006", "--to", "2008-12"], {2006, 2007, 2008}),
        (["--from", "2006-03-02", "--to", "2007-03-01"], {2007}),
        (["--from", "2011"], {2011, 2012, 2013}),
        (["--to", "2005-06-01"], {2004, 2005}),
        (["--from", "1990", "--to", "1995"], set()),
    ],
)
def test_a_search_may_be_restricted_to_a_period(
    options: list[str], years: set[int], run: Run, dunmore: Path
) -> None:
    outcome = run(
        "search", "What was the rate of Dunmore?", "-c", dunmore, "--as-of", "2020", "--json", *options
    )
    assert outcome.code == 0, outcome.err
    assert {hit["doc_id"] for hit in json.loads(outcome.out)["hits"]} == {f"d{year}" for year in years}


def test_an_answer_may_be_restricted_to_a_period(run: Run, dunmore: Path) -> None:
    asked = ("ask", "What was the rate of Dunmore?", "-c", dunmore, "--json")
    outcome = run(*asked, "--from", "2007-02", "--to", "2007-04")
    assert outcome.code == 0, outcome.err
    answer = json.loads(outcome.out)
    assert answer["question"] == "What was the rate of Dunmore from 1 February 2007 to 30 April 2007?"
    assert [(period["start"], period["end"]) for period in answer["periods"]] == [
        ("2007-02-01", "2007-05-01")
    ]
    named = run("search", "What was the rate of Dunmore in 2007?", "-c", dunmore, "--from", "2005", "--json")
    first, *others = [hit["doc_id"] for hit in json.loads(named.out)["hits"]]
    assert (first, "d2004" in others) == ("d2007", False)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--from", "soon"], "--from: 'soon' is not a date"),
        (["--to", "2010-02-30"], "--to: day 30 does not exist in 2010-02"),
        (["--from", "2010", "--to", "2009"], "--to 2009 is before --from 2010"),
        (["--from", "2006", "-s", "bm25"], "--from and --to do not go with the strategy bm25"),
        (["--to", "2004"], "the question names a time of its own that goes beyond the given period"),
    ],
)
@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_period_that_cannot_be_used_is_named(
    command: str, options: list[str], said: str, run: Run, dunmore: Path
) -> None:
    outcome = run(command, "What was the rate of Dunmore in 2005?", "-c", dunmore, *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"timelens: {said}"), outcome.err
