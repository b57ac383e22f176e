"""What the chat keeps and shows of the lines of an answer."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from scripted_chat import script

from timelens.agent import Answered, Gathered
from timelens.answer.draft import Citation, Claim, Nearest, Support, Value
from timelens.answer.rendering.labels import SupportMark, heading
from timelens.answer.rendering.shown_evidence import AskedPeriod, ShownEvidence, asked_of, nearest_of
from timelens.answer.rendering.timeline import Timeline, label
from timelens.documents import Chunk, Event, EventSource, Fact, Hit, Scores
from timelens.history import KeptExchange
from timelens.question.parsed_question import PeriodRole
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, year_interval
from timelens.tui.exchange import _styled
from timelens.tui.export import exported
from timelens.tui.stored_answer import read_stored_json, stored_json
from timelens.tui.timeline.axis import short_recorded
from timelens.tui.timeline.pieces import pieces_of
from timelens.tui.timeline.values import values_of


def test_the_lines_of_an_answer_are_kept_with_what_the_evidence_says_of_them(timeline: Timeline) -> None:
    claims = (
        Claim("It was in 1961.", Support.CONTRADICTED, False, (1,)),
        Claim("That is 2 years.", Support.SUPPORTED, True, (1, 2)),
    )
    *_, last = script(timeline)
    assert isinstance(last, Answered)
    assert read_stored_json(stored_json(replace(last.answer, claims=claims), None)).claims == claims


def test_the_dates_of_a_fact_are_the_same_in_both_panels_and_when_it_was_kept() -> None:
    start, end = day_number(2010, 7, 15), day_number(2010, 7, 24)
    fact = Fact((("ship", "Vega"), ("port", "Riga")), start, end, Granularity.DAY)
    chunk = Chunk(
        "f#1",
        "f",
        0,
        "",
        "ships",
        "Vega, Riga",
        None,
        ((0, 10),),
        fact=fact,
        events=(Event(fact.validity, 0, EventSource.STATED, 1.0),),
    )
    hit = Hit(chunk, Scores(final=0.5), fact.validity, 0)
    shown = ShownEvidence(Timeline((Citation(1, hit),)))
    read = read_stored_json(stored_json(None, shown)).evidence
    assert read is not None
    for evidence in (shown, read):
        [citation] = evidence.timeline.citations
        assert label(citation.hit) == "from 15 July 2010 to 24 July 2010"
        assert heading(citation.hit) == "Riga, Vega"
        [piece] = pieces_of(evidence)
        assert piece.date == "15 to 24 Jul 2010"
        assert citation.hit.chunk.fact is not None
        assert citation.hit.chunk.fact.fields == fact.fields


@pytest.mark.parametrize(
    ("start", "end", "unit", "words"),
    [
        ((2010, 7, 15), (2010, 7, 15), Granularity.DAY, "on 15 Jul 2010"),
        ((2010, 7, 15), (2011, 2, 3), Granularity.DAY, "2010 to 2011"),
        ((2010, 7, 1), (2010, 9, 1), Granularity.MONTH, "Jul to Sep 2010"),
        ((2010, 1, 1), (2012, 1, 1), Granularity.YEAR, "2010 to 2012"),
        ((2010, 4, 1), (2010, 4, 1), Granularity.QUARTER, "Apr to Jun 2010"),
        ((2010, 1, 1), (2010, 7, 1), Granularity.QUARTER, "Jan to Sep 2010"),
        ((2019, 3, 4), (2019, 3, 4), Granularity.WEEK, "4 to 10 Mar 2019"),
        ((2010, 7, 15), None, Granularity.DAY, "since 15 Jul 2010"),
        (None, None, Granularity.DAY, "at all times"),
    ],
)
def test_recorded_dates_in_short(
    start: tuple[int, ...] | None, end: tuple[int, ...] | None, unit: Granularity, words: str
) -> None:
    first, last = (None if parts is None else day_number(*parts) for parts in (start, end))
    assert short_recorded(first, last, unit) == words


def test_the_gaps_of_the_asked_time_are_kept(timeline: Timeline) -> None:
    gathered, *_, last = script(timeline)[-4:]
    assert isinstance(gathered, Gathered)
    assert isinstance(last, Answered)
    shown = ShownEvidence(timeline, asked_of(gathered.periods), gaps=gathered.coverage.gaps)
    for answer in (last.answer, None):  # a question that was cancelled has none
        read = read_stored_json(stored_json(answer, shown)).evidence
        assert read is not None
        assert [gap.bounds for gap in read.gaps] == [gap.bounds for gap in shown.gaps] != []


def test_the_turn_is_kept_with_the_sentence_that_it_shows(timeline: Timeline) -> None:
    *_, last = script(timeline)
    assert isinstance(last, Answered)
    turn = last.answer.turn
    assert turn.shown
    text = stored_json(last.answer, None)
    assert text is not None
    assert read_stored_json(text).turn == turn


def test_the_values_that_an_answer_states_are_kept(timeline: Timeline) -> None:
    *_, last = script(timeline)
    assert isinstance(last, Answered)
    series = (
        Value("£40", day_number(1961), day_number(1962), (1,)),
        Value("£48", day_number(1971), None, (2,)),
    )
    shown = ShownEvidence(timeline, cited=frozenset({1}), series=series)
    text = stored_json(replace(last.answer, series=series), shown)
    assert text is not None
    read = read_stored_json(text).evidence
    assert read is not None
    assert read.series == series
    assert values_of(read) == values_of(shown) is not None
    older = json.loads(text)
    del older["series"]
    read = read_stored_json(json.dumps(older)).evidence
    assert read is not None
    assert read.series == ()


def test_a_history_without_the_columns_of_rows_still_opens() -> None:
    piece = {
        "n": 1,
        "doc_id": "d",
        "title": "Riga, Vega",
        "place": "",
        "text": "t",
        "time": ["2010-07-15", None],
    }
    piece |= {
        "recorded": ["2010-07-15", None, "day"],
        "scores": dict.fromkeys(("semantic", "keyword", "temporal", "final")),
    }
    read = read_stored_json(json.dumps({"asked": None, "evidence": [piece]})).evidence
    assert read is not None
    assert heading(read.timeline.citations[0].hit) == "Riga, Vega"
    assert read.gaps == ()
    assert values_of(read) is None


def test_where_evidence_stands_is_kept_and_need_not_be(timeline: Timeline) -> None:
    text = stored_json(None, ShownEvidence(timeline))
    assert text is not None
    older = json.loads(text)
    for piece in older["evidence"]:
        del piece["chunk"], piece["uri"]
    read = {
        text: ("First flight 0#0", "/somewhere/First flight 0"),
        json.dumps(older): ("First flight 0", ""),
    }
    for kept, expected in read.items():
        evidence = read_stored_json(kept).evidence
        assert evidence is not None
        chunk = evidence.timeline.citations[0].hit.chunk
        assert (chunk.id, chunk.uri) == expected


def test_an_answer_that_was_kept_without_its_lines_is_read() -> None:
    assert read_stored_json('{"time_references": [], "notes": ["a note"]}').notes == ("a note",)


def test_signs_stand_after_doubtful_dates_and_at_the_ends_of_doubtful_lines() -> None:
    text = "Ann in 1961 [1].\nBob [2]."
    marks = [
        SupportMark(7, 11, Support.CONTRADICTED),
        SupportMark(16, 16, Support.UNSUPPORTED),
        SupportMark(len(text), len(text), Support.UNSUPPORTED),
    ]
    assert _styled(text, marks).plain == "Ann in 1961✗ [1].?\nBob [2].?"
    assert _styled(text, []).plain == text


def test_the_periods_of_an_answer_are_kept_and_exported(timeline: Timeline) -> None:
    question = "Compare Bank Rate in 2004 with Bank Rate in 2009."
    near = [
        Nearest(timeline.citations[0], year_interval(2004)),
        Nearest(timeline.citations[0], year_interval(2009)),
    ]
    *_, gathered, _, _, last = script(timeline, "Nothing [1].", question, nearest=near)
    assert isinstance(gathered, Gathered)
    assert isinstance(last, Answered)
    asked = asked_of(gathered.periods)
    evidence = ShownEvidence(timeline, asked, nearest=nearest_of(near))
    text = stored_json(last.answer, evidence)
    assert text is not None
    read = read_stored_json(text).evidence
    assert read is not None
    assert read.asked == asked
    assert [period.role for period in read.asked] == [PeriodRole.BASELINE, PeriodRole.COMPARISON]
    number = timeline.citations[0].number
    assert [time.start for time in read.nearest[number]] == [day_number(2004), day_number(2009)]

    exchange = KeptExchange(
        question, "space", 0, "timelens", "no_answer", "Nothing [1].", text, datetime(2024, 6, 1, tzinfo=UTC)
    )
    markdown = exported("A title", [exchange], ".md")
    assert "*Time asked for: 2004 (baseline); 2009 (comparison)*" in markdown
    assert "nearest passage (2004; 2009)" in markdown
    [turn] = json.loads(exported("A title", [exchange], ".json"))["exchanges"]
    assert [(period["start"], period["role"]) for period in turn["result"]["periods"]] == [
        ("2004-01-01", "baseline"),
        ("2009-01-01", "comparison"),
    ]
    assert [near["n"] for near in turn["result"]["nearest"]] == [number, number]


@pytest.mark.parametrize(
    ("pair", "asked"),
    [
        ('["1960-01-01", "1970-01-01"]', (AskedPeriod(Interval(day_number(1960), day_number(1970))),)),
        ('[null, "1970-01-01"]', (AskedPeriod(Interval(None, day_number(1970))),)),
        ("null", ()),
    ],
)
def test_an_answer_that_was_kept_with_a_single_time_still_opens(
    pair: str, asked: tuple[AskedPeriod, ...], timeline: Timeline
) -> None:
    [piece, *_] = json.loads(stored_json(None, ShownEvidence(timeline)) or "")["evidence"]
    known = read_stored_json(
        f'{{"asked": {pair}, "evidence": [{json.dumps(piece)}], "citations": [{{"n": 1}}]}}'
    )
    assert known.notes == ()
    assert known.evidence is not None
    assert (known.evidence.asked, known.evidence.cited) == (asked, frozenset({1}))
    assert known.evidence.nearest == {}
    exchange = KeptExchange(
        "Old?", "c", 0, "timelens", "answered", "x", stored_json(None, known.evidence), datetime.now(UTC)
    )
    assert ("Time asked for: " in exported("x", [exchange], ".md")) is bool(asked)
