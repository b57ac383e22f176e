"""Splits the lines of an answer into pieces that can be verified against evidence. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from timelens.answer.citation_numbers import CITED, numbers_cited
from timelens.answer.draft import Citation
from timelens.answer.verification.stated_content import StatedContent, stated_content
from timelens.answer.verification.support_units import SupportUnit
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, find_expressions
from timelens.words import CAPITAL

_ABBREVIATED = "".join(rf"(?<!\b{short})" for short in "[A-Z] Mr Mrs Ms Dr St No Jr Sr vs".split())
_SENTENCE_END = re.compile(rf"{_ABBREVIATED}[.!?][\"”’)]*(?:\s*\[\d+\])*(?=\s+[^\sa-z])")
_AFTER_QUOTE = re.compile(r"[\s.!?;,\"”’)]*(?:\s*\[\d+\])*[.!?;]?")
_CITED_CLAUSE_END = re.compile(r"\[\d+\];\s")
"""A semicolon after a citation: what follows has citations of its own."""
_JOINT = re.compile(r"[,;–—]|\b(?:and|but|then|while|whereas|before|after)\b")
_LABEL_OPENS = re.compile(r"[\s*•–-]*(?:(?:in|on)\s+)?", re.IGNORECASE)
_LABEL_GOES_ON = re.compile(r",\s|\sand\s")
_FIGURES = re.compile(r"\d{3,4}")
_CAPITAL_BEFORE = re.compile(rf"(?<![\w.]){CAPITAL}[\w’'-]*\s$")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_YES_OR_NO = re.compile(r"\W*(?:yes|no)(?:, probably)?(?:\W|\[\d+\])*", re.IGNORECASE)
_QUOTE = "\ufffc"
_FEWEST_WORDS = 3
"""Minimum number of words of any quoted sentence; a heading "1998" would give its date to any line."""

Known = Mapping[int, Sequence[SupportUnit]]
"""The sentences or the row of each citation, by its number."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a piece with its own times."""

    text: str
    said: StatedContent
    times: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A sentence of an answer, or a label before a sentence."""

    text: str
    said: StatedContent
    times: tuple[Expression, ...]
    named: tuple[Expression, ...]
    """Times that are part of a name in the evidence ("Privacy Act 1974")."""
    cited: tuple[int, ...]
    marked: bool
    """Whether its citations are inside it rather than in another piece of the line."""
    quoted: tuple[SupportUnit, ...] = ()
    """The evidence that it quotes verbatim, or for a label, the evidence quoted after it."""
    clauses: tuple[Clause, ...] = ()
    labels: tuple[Expression, ...] = ()
    """The times at the head of the line: "1995 and 2005: …"."""
    dated: bool = False
    """Whether a second label with a time follows the first: "2005: 1 April 2004: …"."""

    @property
    def is_statement(self) -> bool:
        """Whether it states anything verifiable, rather than linking other statements."""
        states = self.marked or self.times or self.named or self.said.numbers or self.said.names
        return bool(states) and not self.is_yes_or_no

    @property
    def is_yes_or_no(self) -> bool:
        """Whether it only says yes or no, which follows from a sentence and stands in none."""
        return _YES_OR_NO.fullmatch(self.text) is not None


@dataclass(frozen=True, slots=True)
class _Quote:
    start: int
    end: int
    stands: tuple[tuple[int, SupportUnit], ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with its quotes, citations and times; offsets are in characters of the line."""

    text: str
    masked: str
    """The line with quotes and citations blanked."""
    quotes: tuple[_Quote, ...]
    marks: tuple[tuple[int, int], ...]
    """(offset, number) of each citation."""
    times: tuple[Expression, ...]
    known: Known


def pieces_of(
    text: str, evidence: Mapping[int, Citation], known: Known, conventions: Conventions = USUAL
) -> list[AnswerPiece]:
    """The pieces of a line in order, each with its times and citation numbers."""
    mentioned = [n for n in dict.fromkeys(numbers_cited(text)) if n in known]
    quotes = tuple(_quotes(text, {n: known[n] for n in mentioned}))
    inside = [range(quote.start, quote.end) for quote in quotes]
    matches = [m for m in CITED.finditer(text) if not any(m.start() in quote for quote in inside)]
    marks = tuple((match.start(), int(match[1])) for match in matches if int(match[1]) in known)
    blank = text
    for match in matches:
        blank = blank[: match.start()] + " " * len(match.group()) + blank[match.end() :]
    published = (evidence[n].hit.chunk.published for _, n in marks)
    anchor = next((day.start for day in published if day), None)
    times = tuple(
        e for e in find_expressions(blank, anchor, conventions=conventions) if e.interval is not None
    )
    masked = blank
    for quote in quotes:
        masked = masked[: quote.start] + _QUOTE * (quote.end - quote.start) + masked[quote.end :]
    line = _Line(text, masked, quotes, marks, times, known)
    bounds = [0, *_cuts(line), len(text)]
    pieces: list[AnswerPiece] = []
    for start, end in pairwise(bounds):
        pieces.extend(_pieces_between(line, start, end))
    return pieces


def _quotes(text: str, known: Known) -> Iterator[_Quote]:
    """The verbatim quotes of whole cited sentences in a line, in order; longer sentences take precedence."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, stands in known.items():
        for index, stand in enumerate(stands):
            if sentence := stand.sentence.rstrip(" ."):
                found.setdefault(sentence, []).append((number, index))
    quotes: list[_Quote] = []
    for sentence, places in sorted(found.items(), key=lambda entry: -len(entry[0])):
        for match in re.finditer(re.escape(sentence), text):
            start, end = match.span()
            if any(start < other.end and other.start < end for other in quotes):
                continue
            told = [(n, known[n][i]) for n, i in places if _is_quoted(text, start, end, known[n], i)]
            if told:
                quotes.append(_Quote(start, end, tuple(told)))
    return iter(sorted(quotes, key=lambda quote: quote.start))


def _is_quoted(text: str, start: int, end: int, stands: Sequence[SupportUnit], index: int) -> bool:
    """Whether a span that has the words of a sentence is that sentence, rather than a part of another.

    It stands between signs, or beside what precedes or follows the sentence in its passage. Alone, a short
    one is quoted only if it has more than one word and says more than a time.
    """
    before, after = text[:start].rstrip(), text[end:].lstrip(" .")
    last = stands[index - 1].sentence if index else ""
    following = stands[index + 1].sentence if index + 1 < len(stands) else ""
    is_led = bool(last) and before.endswith(last)
    leads = bool(following) and after.startswith(following)
    words = len(text[start:end].split())
    if words < _FEWEST_WORDS and not (is_led or leads) and (words < 2 or stands[index].said.is_empty):
        return False
    rest = text[end:].lstrip()
    opens = is_led or not before or before[-1] in '.!?:;…]"”’)'
    return opens and (leads or not rest or rest[0] in '.!?[…"”’' or text[end - 1] in '!?…"”’)')


def _cuts(line: _Line) -> list[int]:
    """The offsets between pieces: after sentences, after cited clauses and after quotes."""
    unquoted = "".join(
        _QUOTE if mask == _QUOTE else letter for letter, mask in zip(line.text, line.masked, strict=True)
    )
    cuts = {
        match.end() for match in _SENTENCE_END.finditer(unquoted) if unquoted[match.start() - 1] != _QUOTE
    }
    cuts.update(match.end() for match in _CITED_CLAUSE_END.finditer(unquoted))
    for index, quote in enumerate(line.quotes):
        until = line.quotes[index + 1].start if index + 1 < len(line.quotes) else len(line.text)
        after = _AFTER_QUOTE.match(unquoted, quote.end, until)
        if after is not None and _LETTER_OR_DIGIT.search(line.masked[after.end() : until]):
            cuts.add(after.end())
    return sorted(cut for cut in cuts if 0 < cut < len(line.text))


def _pieces_between(line: _Line, start: int, end: int) -> Iterator[AnswerPiece]:
    """The piece of a span's own words, then a piece for each quote in it."""
    here = [n for place, n in line.marks if start <= place < end]
    later = [(place, n) for place, n in line.marks if place >= end]
    cited = here or _first_run(line.text, later) or [n for _, n in line.marks]
    numbers = tuple(dict.fromkeys(cited))
    quotes = [quote for quote in line.quotes if start <= quote.start < end]
    inside = [range(quote.start, quote.end) for quote in quotes]
    times = [time for time in line.times if start <= time.char_start < end]
    own = [time for time in times if not any(time.char_start in quote for quote in inside)]
    stands = tuple(stand for quote in quotes for n, stand in quote.stands if n in numbers)
    text = line.masked[start:end].replace(_QUOTE, " ")
    if own or _LETTER_OR_DIGIT.search(text):
        yield _own_piece(line, start, text, own, cited=numbers, quoted=stands, marked=bool(here))
    for quote in quotes:
        told = [(n, stand) for n, stand in quote.stands if n in numbers]
        text = line.text[quote.start : quote.end]
        within = [time for time in times if quote.start <= time.char_start < quote.end]
        if not told:  # the quote is from a citation of another piece of the line
            yield _own_piece(line, quote.start, text, within, cited=numbers, quoted=(), marked=bool(here))
            continue
        yield AnswerPiece(
            text=text,
            said=told[0][1].said,
            times=tuple(within),
            named=(),
            cited=tuple(dict.fromkeys(n for n, _ in told)),
            marked=True,
            quoted=tuple(stand for _, stand in told),
        )


def _first_run(text: str, marks: Sequence[tuple[int, int]]) -> list[int]:
    """The numbers of the first citation and of those directly adjacent to it."""
    run: list[int] = []
    last = -1
    for place, number in marks:
        if last >= 0 and text[last:place].strip():
            break
        run.append(number)
        last = text.index("]", place) + 1
    return run


def _own_piece(
    line: _Line,
    start: int,
    text: str,
    times: Sequence[Expression],
    *,
    cited: tuple[int, ...],
    quoted: tuple[SupportUnit, ...],
    marked: bool,
) -> AnswerPiece:
    """A piece in the answer's own words; ``text`` begins at offset ``start`` of the line."""
    sources = quoted or tuple(stand for n in cited for stand in line.known[n])
    titles = list(_titles(text, quoted))
    named = [
        time
        for time in times
        if any(first <= time.char_start - start < last for first, last in titles)
        or _is_of_name(text[: time.char_start - start], time, sources)
    ]
    plain = [time for time in times if time not in named]
    spans = [(time.char_start - start, time.char_end - start) for time in plain]
    spans += [*_computed(text, sources), *titles]
    said = stated_content(text, spans)
    if quoted:
        said = replace(said, words=said.words.union(*(stand.said.words for stand in quoted)))
    clauses = () if quoted else tuple(_clauses(text, start, plain))
    labels = _labels(line, plain)
    dated = bool(labels) and bool(_labels(line, plain[len(labels) :], labels[-1].char_end + 1))
    return AnswerPiece(text, said, tuple(plain), tuple(named), cited, marked, quoted, clauses, labels, dated)


def _labels(line: _Line, times: Sequence[Expression], position: int = 0) -> tuple[Expression, ...]:
    """The consecutive times before a colon, from ``position`` on: the head of the line, or after a label."""
    for number, time in enumerate(times, start=1):
        opens = _LABEL_GOES_ON if number > 1 else _LABEL_OPENS
        if opens.fullmatch(line.text[position : time.char_start]) is None:
            break
        if line.text[time.char_end :].startswith(":"):
            return tuple(times[:number])
        position = time.char_end
    return ()


def _titles(text: str, quoted: Sequence[SupportUnit]) -> Iterator[tuple[int, int]]:
    """The offsets of titles of the quoted evidence."""
    for title in {stand.title for stand in quoted if stand.title}:
        place = text.find(title)
        if place >= 0:
            yield place, place + len(title)


def _is_of_name(before: str, time: Expression, sources: Sequence[SupportUnit]) -> bool:
    """Whether a year ends a name of a form that occurs in the evidence: "Privacy Act 1974"."""
    word = _CAPITAL_BEFORE.search(before)
    if word is None or not _FIGURES.fullmatch(time.text):
        return False
    numbered = re.compile(rf"(?<!\w){re.escape(word.group())}\d")
    return any(numbered.search(stand.passage) for stand in sources)


def _computed(text: str, sources: Sequence[SupportUnit]) -> Iterator[tuple[int, int]]:
    """The offsets of lengths computed from the days of a row."""
    taken = 0
    for phrase in (phrase for stand in sources for phrase in stand.computed):
        place = text.find(phrase, taken)
        if place >= 0 and not text[place - 1 : place].isalnum():
            yield place, place + len(phrase)


def _clauses(text: str, start: int, times: Sequence[Expression]) -> list[Clause]:
    """The clauses of a sentence, each with its own times and content; empty if it cannot be divided.

    A clause without a name is about the names of the first clause.
    """
    parts: list[tuple[int, int, list[Expression]]] = []
    begin, held = 0, list(times[:1])
    for time, after in pairwise(times):
        for joint in _JOINT.finditer(text, time.char_end - start, after.char_start - start):
            if not _said(text, start, begin, joint.start(), held).is_empty:
                parts.append((begin, joint.start(), held))
                begin, held = joint.end(), []
                break
        held.append(after)
    parts.append((begin, len(text), held))
    clauses = [Clause(text[b:e], _said(text, start, b, e, of), tuple(of)) for b, e, of in parts]
    if len(clauses) == 1 or any(clause.said.is_empty for clause in clauses):
        return []
    first = clauses[0].said
    return [
        clause if clause.said.names else replace(clause, said=clause.said.about(first)) for clause in clauses
    ]


def _said(text: str, start: int, begin: int, end: int, times: Sequence[Expression]) -> StatedContent:
    """The content of a part of a text, from offset ``begin`` to ``end``."""
    spans = [(time.char_start - start - begin, time.char_end - start - begin) for time in times]
    return stated_content(text[begin:end], spans)
