"""Hops in questions that first introduce an entity and then refer to it. Pure."""

from timelens.question.hops.hop import (
    Hop,
    HopKind,
    asked_of,
    being_of,
    lower_first,
    mark,
    marks_in,
    telling,
    time_words,
)
from timelens.question.hops.hop_grammar import (
    BEHIND,
    FRONTED,
    HOLDER_ALONE,
    INTRODUCED,
    KIN_ALONE,
    NAMED,
    NEIGHBOURS,
    POINTED,
    POSSESSED,
    SET_BEHIND,
    THAT_TERM,
    TOLD,
)
from timelens.question.names import names_in


def introduced(text: str, number: int) -> tuple[Hop, str] | None:
    """A hop for an entity that a first clause introduces and the question refers to."""
    had = KIN_ALONE.match(text)
    if had is not None and HOLDER_ALONE.match(lower_first(had["whole"])):
        text = f"Take {lower_first(had['whole'])}: who was that person's {had['kin'].lower()}?"
    introduced = INTRODUCED.match(text)
    holder = HOLDER_ALONE.match(introduced["whole"]) if introduced else None
    if introduced is not None and holder is not None:
        being, time = being_of(holder, introduced["main"]), time_words(holder["time"], holder["clause"])
        head = telling(holder["head"] or "", introduced["main"])
        asks = asked_of(being, head, time)
        hop = Hop(
            number, HopKind.HOLDER, holder.group(), introduced.span("whole"), asks, head=head, being=being
        )
        return pointing_back(introduced["main"], hop)
    for pattern in (FRONTED, BEHIND):
        match = pattern.match(text)
        if match is None:
            continue
        article = "the " if match["some"].lower().startswith("there") else ""
        being = f"{'was' if article else match['verb'] or 'was'} {article}{match['being']}"
        time = time_words(match["time"], match["clause"])
        words = text[: match.start("main")].rstrip(" ;:.,")
        hop = Hop(
            number, HopKind.HOLDER, words, (0, match.start("main")), asked_of(being, "", time), being=being
        )
        return pointing_back(match["main"], hop)
    return None


def set_behind(text: str, number: int) -> tuple[Hop, str] | None:
    """A hop for an entity with a relative clause after the verb of the question."""
    match = SET_BEHIND.match(text)
    whole = f"{match['thing']} {match['relative']}" if match else ""
    holder = HOLDER_ALONE.match(whole)
    if match is None or holder is None:
        return None
    being, time = being_of(holder, whole), time_words(holder["time"], holder["clause"])
    head = telling(holder["head"] or "", text)
    hop = Hop(
        number, HopKind.HOLDER, whole, match.span(), asked_of(being, head, time), head=head, being=being
    )
    return hop, f"{match['before']} {mark(number)} {match['verb']}?"


def told(text: str, number: int) -> tuple[Hop, str] | None:
    """A hop for the object of an action in a first sentence that the question refers to."""
    match = TOLD.match(text)
    if match is None or marks_in(text):
        return None
    head, being = match["head"], f"was {match['being']}"
    asks = (f"Which {head} {being}?",)
    hop = Hop(number, HopKind.TOLD, match["whole"], match.span("whole"), asks, head=head, being=being)
    return pointing_back(match["main"], hop)


def with_antecedent(text: str) -> str:
    """The question with a possessive pronoun resolved to the name that begins the first sentence.

    Only questions for a successor or predecessor are rewritten; the rest of the first sentence is dropped.
    """
    match = NAMED.match(text)
    if match is None or match["name"] not in names_in(match["name"]):
        return text
    main = POSSESSED.sub(f"{match['name']}'s", match["main"])
    asks_for_kin = any(pattern.search(main) for pattern in NEIGHBOURS[:2])
    return f"{main[:1].upper()}{main[1:]}" if main != match["main"] and asks_for_kin else text


def pointing_back(main: str, hop: Hop) -> tuple[Hop, str] | None:
    """A hop, and the question with its mark for referring expressions; ``None`` if there are none."""
    held = f"while {mark(hop.number)} {hop.being}"
    text = THAT_TERM.sub(held, main)
    if text == main:
        text = POSSESSED.sub(f"{mark(hop.number)}'s", text)
        text = POINTED.sub(mark(hop.number), text)
    return (hop, text[:1].upper() + text[1:]) if mark(hop.number) in text else None
