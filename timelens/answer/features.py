"""What speaks for and against a stretch of text as the answer to a question, as named numbers. Pure.

Three sides are looked at: the passage (is it about the subject?), the time (does a date beside the stretch
fit the asked one?) and the stretch itself (does it stand where the relation asked for puts its answer, is it
the sort of thing wanted?). ``picking`` adds them up.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from timelens.answer.reading import denies
from timelens.answer.spans import Span, Token, spans_in, tokens_of
from timelens.answer.time_fit import Features, fit, over_for, value
from timelens.answer.topic import Topic, words_of
from timelens.answer.wanted import Sort, Wanted
from timelens.documents import EventSource, Hit
from timelens.question.model import ParsedQuestion
from timelens.question.names import is_person
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Interval
from timelens.words import STOP_WORDS, WORD, stem, topic_words

_CUT_SHORT = re.compile(
    r"(?:\b[A-Z]|\b(?:St|Mt|Ft|Dr|Mr|Mrs|Ms|Jr|Sr|No|Inc|Ltd|Co|Corp|Gen|Col|Lt|Capt|Prof|Rev|vs)) ?\.$"
)
"""A sentence that a splitter ended at an initial or an abbreviation."""
_BODY = frozenset(
    "university college school academy institute club fc f.c united city rovers athletic sc afc cf party "
    "union league company corporation inc ltd group bank association society council committee commission "
    "ministry department hospital agency board museum foundation records entertainment television tv "
    "network press publishing army navy force service railway airlines airways institution centre center "
    "laboratory church studios media holdings partners orchestra theatre ballet opera team sporting real "
    "congress alliance front movement".split()
)
_ROLE = frozenset(
    "president minister secretary chairman chair director professor governor mayor member senator judge "
    "ambassador commander general colonel captain lieutenant major admiral marshal officer head chief "
    "manager coach editor teacher lecturer dean rector bishop archbishop cardinal priest king duke count "
    "prince earl baron lord leader deputy representative speaker chancellor commissioner engineer lawyer "
    "consultant adviser advisor assistant vicar attorney mp producer actor writer journalist spokesman "
    "treasurer vice grandmaster master curator conductor".split()
)
_LEAVES = re.compile(
    r"\b(?:left|leaving|leave|resigned from|retired from|in place of|instead of|replacing|replaced|"
    r"replacement of|succeeding|succeeded|out of|split from|departure from|departed|against|defeated|beat|"
    r"beating|son of|daughter of|dissolution of|from|over|rejected|sold|dismissed from|fired from|"
    r"sacked (?:from|by)|friend of|under|met)(?:\s+(?:the|his|her|its|their|a))?\s*$",
    re.IGNORECASE,
)
"""Words after which a text names what something ceased to be, or what stood against it."""
_TELLING = ("cue", "cue_after", "tells", "title_tells")
"""Features of which one at least is there where a text speaks of the relation that is asked for."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence of the evidence, put together again where a splitter cut it at an initial."""

    hit: Hit
    sentence: int
    """Index of its first sentence in the chunk."""
    last: int
    text: str
    tokens: Sequence[Token]
    times: Sequence[tuple[Expression, Interval]]
    """The dated expressions that stand in it."""
    events: Sequence[Interval]
    """The times of its events, those of anchors too."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stretch of a sentence with what speaks for it."""

    unit: Unit
    span: Span
    interval: Interval | None
    """The time that goes with it."""
    features: Features


def units_of(hit: Hit) -> Iterator[Unit]:
    """The sentences of a piece of evidence, with their times."""
    chunk = hit.chunk
    anchor = chunk.published.start if chunk.published else None
    expressions = find_expressions(chunk.text, anchor)
    index = 0
    while index < len(chunk.sentences):
        last = index
        while last + 1 < len(chunk.sentences) and _CUT_SHORT.search(chunk.sentence(last)):
            last += 1
        start, end = chunk.sentences[index][0], chunk.sentences[last][1]
        times = [
            (replace(e, char_start=e.char_start - start, char_end=e.char_end - start), e.interval)
            for e in expressions
            if start <= e.char_start and e.char_end <= end and e.interval is not None
        ]
        events = [
            event.interval
            for event in chunk.events
            if index <= event.sentence <= last and event.source is not EventSource.PUBLISHED
        ]
        text = chunk.text[start:end]
        yield Unit(hit, index, last, text, tokens_of(text), times, events)
        index = last + 1


def candidates_of(
    parsed: ParsedQuestion, wanted: Wanted, topic: Topic, hits: Sequence[Hit]
) -> list[Candidate]:
    """Every stretch of the evidence that may answer, with its features; ``hits`` are of text, best first."""
    best = max((hit.scores.final or 0.0 for hit in hits), default=0.0) or 1.0
    found = []
    question = topic_words(parsed.question)
    verbs = topic.words - topic.in_names
    titles = [topic_words(hit.chunk.title) for hit in hits]
    pages = _of_pages(hits, titles, question)
    for rank, (hit, title) in enumerate(zip(hits, titles, strict=True)):
        base = {**_of_passage(hit, rank, best, topic), **_of_title(title, question)}
        base |= pages[hit.chunk.document_id]
        for unit in units_of(hit):
            spans = spans_in(unit.text, unit.tokens, [(e.char_start, e.char_end) for e, _ in unit.times])
            if not spans or denies(unit.text):
                continue
            shared = {**base, **_of_unit(unit, title, topic, wanted)}
            near = [i for i, token in enumerate(unit.tokens) if token.is_word and stem(token.text) in verbs]
            for span in spans:
                words = topic_words(span.text)
                if words and not words <= question | title:
                    time, interval = _of_time(unit, span, parsed.window)
                    features = {**shared, **time, **_over(interval, parsed.window)}
                    features |= {**_of_place(unit, span, wanted, near), **_of_sort(unit, span, wanted, words)}
                    features["nothing_told"] = float(not any(map(features.get, _TELLING)))
                    found.append(Candidate(unit, span, interval, features))
    _count_repeated(found)
    _count_succeeded(found, parsed.window)
    _look_over_page(found)
    for candidate in found:
        candidate.features.update(_together(candidate.features))
    return found


def _of_passage(hit: Hit, rank: int, best: float, topic: Topic) -> Features:
    whole = words_of(hit)
    return {
        "hit": (hit.scores.final or 0.0) / best,
        "rank": -math.log1p(rank),
        "first": float(rank == 0),
        "temporal": hit.scores.temporal or 0.0,
        "semantic": hit.scores.semantic or 0.0,
        "chunk_words": topic.share(whole),
        "chunk_lacks_name": float(len(topic.missing(whole))),
        "held_on": float("validity" in hit.passed),
    }


def _of_title(title: AbstractSet[str], question: AbstractSet[str]) -> Features:
    """How much of a title the question names, and whether all of it."""
    return {
        "titled": len(title & question) / len(title) if title else 0.0,
        "title_said": float(bool(title) and title <= question),
    }


def _of_pages(
    hits: Sequence[Hit], titles: Sequence[AbstractSet[str]], question: AbstractSet[str]
) -> dict[str, Features]:
    """Whether each document is the one asked about: by how much evidence it has, and by its title.

    Where no document has more than one piece, shares tell nothing, and each counts as the whole. A title may
    go on to a section, so that of a document's titles the one counts that the question names most.
    """
    pieces = Counter(hit.chunk.document_id for hit in hits)
    most = max(pieces.values(), default=0)
    titled = dict.fromkeys(pieces, 0.0)
    for hit, title in zip(hits, titles, strict=True):
        document = hit.chunk.document_id
        titled[document] = max(titled[document], _of_title(title, question)["titled"])
    named_most = max(titled.values(), default=0.0)
    return {
        document: {
            "page_share": count / pieces.total() if most > 1 else 1.0,
            "page_leads": float(count == most),
            "page_named_most": float(titled[document] == named_most),
        }
        for document, count in pieces.items()
    }


def _of_unit(unit: Unit, title: AbstractSet[str], topic: Topic, wanted: Wanted) -> Features:
    own = topic_words(unit.text)
    is_best = unit.hit.sentence is not None and unit.sentence <= unit.hit.sentence <= unit.last
    return {
        "words": topic.share(own | title),
        "own_words": topic.share(own),
        "lacks_name": float(len(topic.missing(own | title))),
        "listed": float(unit.text[:1] in "-–*•"),
        "long": math.log1p(len(unit.tokens)) / 4,
        "best_sentence_temporal": (unit.hit.scores.temporal or 0.0) if is_best else 0.0,
        "tells": float(bool(wanted.relations) and wanted.relations[0].question.search(unit.text) is not None),
        "title_tells": _told_by(unit.hit.chunk.title, wanted),
        "only_names": float((topic.words - topic.in_names).isdisjoint(own | title)),
        "no_relation": float(not wanted.relations),
        "untimed": float(not unit.times),
    }


def _told_by(title: str, wanted: Wanted) -> float:
    """Whether a heading names the relation asked for; half where that is the less likely one."""
    told = zip(wanted.relations, (1.0, 0.5), strict=False)
    return next((weight for relation, weight in told if relation.question.search(title)), 0.0)


def _of_time(unit: Unit, span: Span, window: Interval | None) -> tuple[Features, Interval | None]:
    """How the times of a sentence fit the asked one, that beside the span above all; and the span's time."""
    apart = [(_distance(unit, span, expression), interval) for expression, interval in unit.times]
    nearest = min(apart, key=lambda pair: pair[0], default=None)
    if window is None:
        return {}, nearest[1] if nearest else next(iter(unit.events), None)
    if nearest is None:
        event = max(unit.events, key=lambda event: value(fit(event, window)), default=None)
        return ({} if event is None else _named("event", fit(event, window))), event
    fits = [(fit(interval, window), distance, interval) for distance, interval in apart]
    best, distance, interval = max(fits, key=lambda found: (value(found[0]), -found[1]))
    features = {**_named("near", fit(nearest[1], window)), **_named("best", best)}
    if value(best) <= 0:
        return features, nearest[1]
    features["best_distance"] = -math.log1p(distance) / 3
    return features, interval


def _over(time: Interval | None, window: Interval | None) -> Features:
    return {} if time is None or window is None else {"over_for": over_for(time, window)}


def _named(prefix: str, features: Features) -> Features:
    return {f"{prefix}_{name}": value for name, value in features.items()}


def _distance(unit: Unit, span: Span, expression: Expression) -> float:
    """Words between a span and a time; right beside it ("Pupo (2005–2006)") there are none."""
    if expression.char_start >= span.end:
        between, beside = unit.text[span.end : expression.char_start], {"(", ",", ":", "–", "-"}
    else:
        between, beside = unit.text[expression.char_end : span.start], {":", "–", "-", ")", ") :"}
    if between.strip() in beside:
        return 0.0
    return 1.0 + len(WORD.findall(between)) + 2 * sum(map(between.count, ",;()"))


def _of_place(unit: Unit, span: Span, wanted: Wanted, verbs: Sequence[int]) -> Features:
    """Where a span stands: after which words, before which, how near to the question's verb."""
    tokens = unit.tokens
    before, after = unit.text[: span.start], unit.text[span.end :]
    previous = tokens[span.first - 1].text.casefold() if span.first else "^"
    following = tokens[span.last + 1].text.casefold() if span.last + 1 < len(tokens) else "$"
    features: Features = {
        f"prev_{previous}": 1.0,
        f"prev_{previous}_{wanted.sort}": 1.0,
        f"next_{following}" if following in _FOLLOWING else "next_other": 1.0,
        "leaves": float(_LEAVES.search(before[-40:]) is not None),
        "begins": float(span.first <= 1),
    }
    for relation, weight in zip(wanted.relations, (1.0, 0.5), strict=False):
        if relation.before.search(before[-60:]):
            features["cue"] = max(features.get("cue", 0.0), weight)
            features[f"cue_{relation.name}"] = weight
        if relation.after is not None and relation.after.search(after[:40]):
            features["cue_after"] = max(features.get("cue_after", 0.0), weight)
    if verbs:
        distance = min(max(span.first - verb, verb - span.last, 0) for verb in verbs)
        features["near_verb"] = 1 / (1 + distance)
        features["after_verb"] = float(any(0 < span.first - verb <= 4 for verb in verbs))
    return features


_FOLLOWING = frozenset(
    "$ ( , . ; : – - from in until was is became and of who at on to as for 's where which by with".split()
)


def _of_sort(unit: Unit, span: Span, wanted: Wanted, words: AbstractSet[str]) -> Features:
    """Whether a span is the sort of thing that is wanted, and all of it."""
    sort: Sort = wanted.sort
    tokens = unit.tokens[span.first : span.last + 1]
    lower = {token.text.casefold() for token in tokens}
    features: Features = {
        "length": len(tokens) / 5,
        "joins_and": float(" and " in span.text),
        "inside_name": float(_inside_name(unit, span)),
        "stops": float(tokens[0].text.casefold() in STOP_WORDS),
        "holds_noun": float(bool(wanted.noun) and not words.isdisjoint(topic_words(wanted.noun.split()[-1]))),
    }
    shapes = {
        "whole": span.is_whole,
        "name": span.is_name,
        "one_word": len(tokens) == 1,
        "person": is_person(span.text.replace(" .", ".")),
        "body": not lower.isdisjoint(_BODY),
        "role": not lower.isdisjoint(_ROLE),
    }
    for shape, is_so in shapes.items():
        if is_so:
            features[shape] = features[f"{shape}_{sort}"] = 1.0
            for relation in wanted.relations[:1]:
                features[f"{shape}_for_{relation.name}"] = 1.0
    return features


def _inside_name(unit: Unit, span: Span) -> bool:
    """Whether a name goes on beyond the span, on either side."""
    tokens = unit.tokens
    before = tokens[span.first - 1] if span.first else None
    after = tokens[span.last + 1] if span.last + 1 < len(tokens) else None
    leads = before is not None and before.is_capital and before.text.casefold() not in STOP_WORDS
    return (leads and span.is_name) or (after is not None and after.is_capital)


def _count_repeated(candidates: Sequence[Candidate]) -> None:
    """In how many sentences each stretch is named."""
    units: dict[str, set[tuple[str, int]]] = {}
    for candidate in candidates:
        key = (candidate.unit.hit.chunk.id, candidate.unit.sentence)
        units.setdefault(candidate.span.text.casefold(), set()).add(key)
    for candidate in candidates:
        candidate.features["repeated"] = math.log(len(units[candidate.span.text.casefold()]))


def _count_succeeded(candidates: Sequence[Candidate], window: Interval | None) -> None:
    """How many facts of its kind lie between each earlier one and the asked time: what holds is the last."""
    if window is None:
        return
    first = window.bounds[0]
    starts: dict[str, set[float]] = {}
    for candidate in candidates:
        if candidate.interval is not None and candidate.features["tells"]:
            starts.setdefault(candidate.unit.hit.chunk.document_id, set()).add(candidate.interval.bounds[0])
    for candidate in candidates:
        if candidate.interval is not None and candidate.interval.bounds[1] <= first:
            own = candidate.interval.bounds[0]
            known = starts.get(candidate.unit.hit.chunk.document_id, set())
            later = sum(own < start <= first for start in known)
            candidate.features["succeeded"] = math.log1p(later)
            candidate.features["latest"] = float(later == 0)


def _look_over_page(candidates: Sequence[Candidate]) -> None:
    """What all sentences of a document tell: one that nowhere names the asked time rarely answers."""
    pages: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        pages.setdefault(candidate.unit.hit.chunk.document_id, []).append(candidate)
    for page in pages.values():
        starts, ends, both, told = map(max, zip(*map(_told_of_time, page), strict=True))
        for candidate in page:
            candidate.features["page_starts"] = starts
            candidate.features["page_ends"] = ends
            candidate.features["page_undated"] = float(not (starts or ends))
            candidate.features["page_starts_and_ends"] = both
            candidate.features["page_title_tells"] = told


def _told_of_time(candidate: Candidate) -> tuple[float, float, float, float]:
    """Whether a sentence states where the asked time starts, where it ends, and both; and its heading."""
    features = candidate.features
    kinds = ("near", "best", "event")
    starts = max(features.get(f"{kind}_starts", 0.0) for kind in kinds)
    ends = max(features.get(f"{kind}_ends", 0.0) for kind in kinds)
    both = features.get("best_starts", 0.0) * features.get("best_ends", 0.0)
    return starts, ends, both, features["title_tells"]


def _together(features: Features) -> Features:
    """What counts only together: a date that fits, with a thing of the sort, on the page asked about."""

    def most(*names: str) -> float:
        return max(features.get(name, 0.0) for name in names)

    dated = most("best_starts", "best_ends", "near_starts", "event_starts")
    in_time = max(dated, most("best_covers", "near_covers", "event_covers"))
    return {
        "starts_and_ends": features.get("best_starts", 0.0) * features.get("best_ends", 0.0),
        "dated_of_sort": dated * most("person_person", "body_body", "role_role"),
        "in_time_page_share": in_time * features["page_share"],
        "latest_told": features.get("latest", 0.0) * most("tells", "title_tells"),
    }
