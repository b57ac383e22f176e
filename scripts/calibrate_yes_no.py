"""Fit the probabilities that a sentence answers a yes-or-no question and says yes, on held-out collections.

    python scripts/calibrate_yes_no.py

The questions are the yes-or-no questions of ``scripts/reading/collections``, in all their wordings, over the
evidence retrieved for them. Every fifth question is asked again over evidence without the documents that
answer it. A logistic regression over the sentences that were read gives the weights of
``answer/text/yes_no.py`` for telling yes or no; another one, over the sentences that tell, gives its weights
for saying yes. The printed figures are cross-validated over collections, and the reader was trained on none
of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path

from calibrate_reader import NOW, K, calibration_error, opened
from calibration import Found, evidence, parts_in_turn, print_weights
from collection_examples import questions_of
from fits import Row, fit_weights

from timelens.answer.scorecard import probability_of, score_of
from timelens.answer.text.yes_no import yes_no_candidates
from timelens.question.parse import parse
from timelens.reader.yes_no_reader import bundled_yes_no_reader

_CUTOFFS = (0.2, 0.3, 0.43, 0.5, 0.6, 0.7)
_ABSENT = 5
"""One in so many questions is also asked without the documents that answer it."""


def found_in(file: Path) -> Iterator[Found]:
    """The questions about the documents of ``file``; each wording is a separate question."""
    name = file.name.partition(".")[0]
    with opened(file) as corpus:
        for number, row in enumerate(row for row in questions_of(file) if row["type"] == "yesno"):
            telling = [(f"{one['document']}.md", one["answer"]) for one in row["answers"]]
            for question in (row["question"], *row.get("also", ())):
                found = corpus.search(question, as_of=NOW, strategy="timelens", k=K)
                parsed = replace(parse(question, NOW), periods=found.periods)
                yield Found(name, telling, parsed, found.pool, row["yes"])
                if number % _ABSENT == 0:
                    documents = tuple(document for document, _ in telling)
                    rest = [hit for hit in found.pool if not hit.chunk.document_id.endswith(documents)]
                    yield Found(name, (), parsed, rest, row["yes"])


@dataclass(frozen=True)
class Read:
    """A sentence that was read for a question."""

    telling: Row
    """Its features for telling yes or no, and whether it tells."""
    saying: Row
    """Its features for saying yes, and whether the answer is yes."""


def sentences_of(one: Found) -> list[Read]:
    """The sentences read for a question about one time."""
    if len(one.parsed.periods) > 1:
        return []
    read = yes_no_candidates(one.parsed, one.texts)
    rows = one.rows(((pick.hit, pick.hit.said, features) for pick, features, _ in read), _overlap)
    return [Read(row, (yes, bool(one.yes))) for row, (_, _, yes) in zip(rows, read, strict=True)]


def _overlap(sentence: str, words: str) -> bool:
    sentence, words = (" ".join(text.split()) for text in (sentence, words))
    return sentence in words or words in sentence


@dataclass(frozen=True)
class Told:
    """The likeliest sentence of a question, by fits to the other collections."""

    probability: float
    """That it tells yes or no, and says which."""
    tells: tuple[float, bool]
    """The log odds that it tells, and whether it does."""
    right: bool
    """Whether the question has an answer, and it is the one that the sentence is taken to say."""


def told_in_turn(asked: Sequence[Found], read: Sequence[Sequence[Read]]) -> Iterator[Told]:
    """The likeliest sentence of each question."""
    for others, part in parts_in_turn(asked, read):
        telling = fit_weights([sentence.telling for own in others for sentence in own])
        saying = fit_weights(says(others))
        for one, own in part:
            if not own:
                continue
            score, best = max(((score_of(each.telling[0], telling), each) for each in own), key=itemgetter(0))
            yes = probability_of(score_of(best.saying[0], saying))
            probability = probability_of(score) * max(yes, 1 - yes)
            is_right = bool(one.places) and (yes >= 0.5) == one.yes
            yield Told(probability, (score, best.telling[1]), is_right)


def says(read: Sequence[Sequence[Read]]) -> list[Row]:
    """The rows for saying yes, of the sentences that tell."""
    return [sentence.saying for own in read for sentence in own if sentence.telling[1]]


def report(told: Sequence[Told]) -> None:
    """Print the calibration of the likeliest sentence of each question, and the verdicts at cutoffs."""
    expected = calibration_error([one.tells for one in told])
    print(f"{len(told)} questions, calibration error of telling {expected:.3f}")
    for cut in _CUTOFFS:
        tell = [one.tells[1] for one in told if probability_of(one.tells[0]) >= cut]
        right = [one.right for one in told if one.probability >= cut]
        print(
            f"  at {cut}: {len(tell)} tell, right {sum(tell) / max(1, len(tell)):.2f}; "
            f"yes or no {len(right)}, right {sum(right) / max(1, len(right)):.2f}"
        )


def main() -> None:
    """Read, fit and print."""
    asked = evidence(__doc__, "documents", Path("build/yes_no.pickle"), found_in)
    bundled_yes_no_reader().warm()
    read = [sentences_of(one) for one in asked]
    report(list(told_in_turn(asked, read)))
    print_weights([[sentence.telling for sentence in own] for own in read])
    print_weights([says(read)])


if __name__ == "__main__":
    main()
