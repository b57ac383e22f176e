"""Runs the reading modes with a language model."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from timelens.answer.draft import Citation, Draft, Status, Thought
from timelens.answer.lm import reading_modes
from timelens.answer.lm.language_model import Ending, LanguageModel
from timelens.answer.lm.stop import Stop
from timelens.answer.rendering.timeline import Timeline
from timelens.answer.writing.answer_prompt import NO_ANSWER, Prompt, compose, keep_citations, plain
from timelens.answer.writing.reading_prompt import (
    MOST_EVIDENCE,
    MOST_REPLY,
    ModelReading,
    reading_of,
    reading_prompt,
)
from timelens.config import ModelSettings
from timelens.documents import Hit
from timelens.errors import BadInputError
from timelens.question.parsed_question import ParsedQuestion

_THOUGHT_TOKENS = 400
"""Maximum number of tokens written before an answer; also limited to an eighth of the context."""
_JUDGEMENT_TOKENS = 120

Written = str | Thought


@dataclass(slots=True)
class ModeRun:
    """The writing of one answer."""

    model: LanguageModel
    stop: Stop
    settings: ModelSettings
    parsed: ParsedQuestion
    timeline: Timeline
    draft: Draft
    notes: list[str] = field(default_factory=list)
    """Notes for the user on the answer."""

    def write(self) -> Iterator[Written]:
        """The model's notes and then its answer, piece by piece, by the reading mode of the settings.

        Raises:
            BadInputError: the question does not fit into the context.
        """
        match self.settings.reading:
            case "adapter" | "direct":  # the adapter reads before a draft is made
                yield from self._direct()
            case "concat":
                yield from self._direct(by_rank=True)
            case "unstructured":
                yield from self._direct(by_rank=True, timed=False)
            case "cot":
                yield from self._cot()
            case "time-cot":
                yield from self._time_cot()
            case "self-rag":
                yield from self._self_rag()

    def _answer(self, prompt: Prompt) -> Iterator[str]:
        ending = Ending()
        generated = self.model.generate(prompt, self.settings.answer_tokens, self.stop, ending)
        yield from keep_citations(generated, prompt.shown)
        if ending.note:
            self.notes.append(ending.note)

    def _direct(self, *, by_rank: bool = False, timed: bool = True) -> Iterator[Written]:
        yield from self._answer(self._prompt(self.timeline, self.draft, by_rank=by_rank, timed=timed))

    def _cot(self) -> Iterator[Written]:
        base = self._prompt(
            self.timeline, self.draft, spare=self._spare(reading_modes.THINK, reading_modes.THOUGHTS_HEAD)
        )
        lines = reading_modes.thoughts(
            self._noted(base.followed_by(reading_modes.THINK), self._thought_tokens)
        )
        yield from self._answer_after(base, reading_modes.THOUGHTS_HEAD, lines)

    def _time_cot(self) -> Iterator[Written]:
        base = self._prompt(
            self.timeline, self.draft, spare=self._spare(reading_modes.COURSE, reading_modes.COURSE_HEAD)
        )
        written = self._noted(
            base.followed_by(reading_modes.COURSE), self._thought_tokens, reading_modes.Course
        )
        if not self.stop:
            shown = [citation for citation in self.timeline.citations if citation.number in base.shown]
            lines, remarks = reading_modes.course(written, shown)
            self.notes.extend(remarks)
            yield from self._answer_after(base, reading_modes.COURSE_HEAD, lines)

    def _self_rag(self) -> Iterator[Written]:
        helping: list[Citation] = []
        lines: list[str] = []
        computed = {number for value in self.draft.values for number in value.citations}
        unread = misdated = 0
        for citation in sorted(self.timeline.citations, key=lambda citation: citation.number):
            judged = self._judged(citation)
            if self.stop:
                return
            yield Thought(_remark(citation, judged))
            if judged is None:
                unread += 1
            elif judged.helps and plain(judged.says):
                said = plain(judged.says)
                if reading_modes.borne_out(said, citation):
                    lines.append(f"- {said} [{citation.number}]")
                else:
                    misdated += 1
            if judged is None or judged.helps or citation.number in computed & self.timeline.records:
                helping.append(citation)
        self.notes += _notes_on_judging(len(self.timeline.citations), len(helping), unread, misdated)
        if not helping:
            yield f"{NO_ANSWER}: none of its pieces, read one by one, answers the question."
            return
        chosen = tuple(citation for citation in self.timeline.citations if citation in helping)
        base = self._prompt(Timeline(chosen), self.draft, spare=self._spare("", reading_modes.READINGS_HEAD))
        yield from self._answer_after(base, reading_modes.READINGS_HEAD, lines, said=True)

    def _judged(self, citation: Citation) -> reading_modes.Judgement | None:
        alone = Draft(Status.ANSWERED, "")
        spare = self.model.count(reading_modes.JUDGE) + _JUDGEMENT_TOKENS
        prompt = self._prompt(Timeline((citation,)), alone, spare=spare, noted=False)
        return reading_modes.judgement(
            self._noted(prompt.followed_by(reading_modes.JUDGE), _JUDGEMENT_TOKENS, reading_modes.Judgement)
        )

    def _noted(self, prompt: Prompt, most: int, schema: type[BaseModel] | None = None) -> str:
        """Text that a model writes as notes, not as the answer."""
        grammar = None if schema is None else self.model.grammar_of(schema.model_json_schema())
        return "".join(self.model.generate(prompt, most, self.stop, Ending(), grammar))

    def _answer_after(
        self, base: Prompt, head: str, lines: list[str], *, said: bool = False
    ) -> Iterator[Written]:
        """The answer to a prompt with the notes that fit."""
        if self.stop:
            return
        kept = reading_modes.fitting(lines, self.model.count, self._thought_tokens)
        if len(kept) < len(lines):
            self.notes.append(f"{len(lines) - len(kept)} of {len(lines)} notes of the model did not fit")
        if kept and not said:
            yield Thought("\n".join(kept))
        sections = [head, *kept, ""] if kept else []
        yield from self._answer(base.followed_by(*sections, reading_modes.ANSWER))

    def _spare(self, *texts: str) -> int:
        """Tokens to reserve for intermediate tasks and for notes."""
        tasks = sum(self.model.count(f"{text}\n") for text in (*texts, reading_modes.ANSWER))
        return tasks + self._thought_tokens

    @property
    def _thought_tokens(self) -> int:
        return min(_THOUGHT_TOKENS, self.model.context_tokens // 8)

    def _prompt(
        self,
        timeline: Timeline,
        draft: Draft,
        *,
        spare: int = 0,
        by_rank: bool = False,
        timed: bool = True,
        noted: bool = True,
    ) -> Prompt:
        """The prompt with as much evidence as fits beside the answer and ``spare`` tokens.

        The context is enlarged for all of the evidence, as far as the model and the settings allow.
        """
        count, answer = self.model.count, self.settings.answer_tokens
        around = self.model.template_tokens + answer + spare

        def composed(budget: int) -> Prompt | None:
            return compose(
                self.parsed,
                timeline,
                draft,
                count=count,
                budget=budget,
                most_evidence=self.settings.evidence_tokens,
                by_rank=by_rank,
                timed=timed,
            )

        whole = composed(sys.maxsize)
        if whole is not None:
            self.model.make_room(around + count(whole.instructions) + count(whole.request))
        prompt = composed(self.model.context_tokens - around)
        if prompt is None:
            raise _too_long(self.model, self.settings, answer)
        if noted:
            self.notes += _notes_on_room(prompt, timeline, self.settings)
        return prompt


def read_with_adapter(
    model: LanguageModel, stop: Stop, settings: ModelSettings, parsed: ParsedQuestion, hits: Sequence[Hit]
) -> ModelReading | None:
    """What a model reads in ``hits``, best first, with its adapter; ``None`` if it was stopped.

    Raises:
        BadInputError: the question does not fit into the context.
    """
    most = min(MOST_EVIDENCE, settings.evidence_tokens)
    made = reading_prompt(parsed, hits, count=model.count, most=most)
    if not model.has_room(made.prompt, MOST_REPLY):
        raise _too_long(model, settings, MOST_REPLY)
    reply = model.read(made.prompt, stop)
    if reply is None:
        return None
    return reading_of(made, reply.text, log_probability=reply.log_probability, log_refusal=reply.log_refusal)


def _too_long(model: LanguageModel, settings: ModelSettings, answer: int) -> BadInputError:
    """The error of a question and its evidence that do not fit beside ``answer`` tokens."""
    limited = model.context_tokens >= settings.context_tokens
    remedy = f"raise {settings.table}.context_tokens" if limited else "use another model"
    return BadInputError(
        f"the question and its evidence do not fit into the model's context of "
        f"{model.context_tokens} tokens, {answer} of them for the answer",
        f"shorten the question, lower {settings.table}.answer_tokens, or {remedy}",
    )


def _remark(citation: Citation, judged: reading_modes.Judgement | None) -> str:
    """The line shown for one judged piece."""
    if judged is None:
        return f"[{citation.number}] could not be judged"
    return (
        f"[{citation.number}] {plain(judged.says) or 'helps'}"
        if judged.helps
        else f"[{citation.number}] no help"
    )


def _notes_on_judging(total: int, helping: int, unread: int, misdated: int) -> Iterator[str]:
    if helping < total:
        yield f"the model found no help in {total - helping} of {total} pieces of evidence"
    if unread:
        yield (
            f"the model's judgement of {unread} of {total} pieces of evidence could not be read; "
            "these pieces are used"
        )
    if misdated:
        yield (
            f"{misdated} of the model's readings were left out: they state times that their evidence does not"
        )


def _notes_on_room(prompt: Prompt, timeline: Timeline, settings: ModelSettings) -> Iterator[str]:
    total = len(timeline.citations)
    limits = f"{settings.table}.evidence_tokens and {settings.table}.context_tokens"
    if prompt.shortened:
        left_out = f", and {total - 1} others not at all" if total > 1 else ""
        yield f"the model read the best piece of evidence only in part{left_out}: see {limits}"
    elif len(prompt.shown) < total:
        yield f"the model read the best {len(prompt.shown)} of {total} pieces of evidence: see {limits}"
