"""The evidence as a list to choose from, in a small app of its own."""

from collections.abc import Callable, Iterator

import pytest
from textual.app import App, ComposeResult
from tui.conftest import TimelineMaker, make_hit

from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, year_interval
from timelens.tui import evidence_list
from timelens.tui.evidence_list import EvidencePanel
from timelens.tui.timeline.captions import piece_caption
from timelens.tui.timeline.pieces import pieces_of
from timelens.tui.wrapping import wrapped

ScreenText = Callable[[App[None]], str]


class Host(App[None]):
    """The list alone, and what it said."""

    def __init__(self, evidence: ShownEvidence) -> None:
        super().__init__()
        self.evidence = evidence
        self.said: list[tuple[str, int | None]] = []

    def compose(self) -> ComposeResult:
        yield EvidencePanel()

    def on_mount(self) -> None:
        self.panel.show(self.evidence)
        self.panel.focus()

    @property
    def panel(self) -> EvidencePanel:
        return self.query_one(EvidencePanel)

    def on_evidence_panel_selected(self, event: EvidencePanel.Selected) -> None:
        self.said.append(("selected", event.number))

    def on_evidence_panel_opened(self, event: EvidencePanel.Opened) -> None:
        self.said.append(("opened", event.number))


@pytest.fixture
def many(timeline_of: TimelineMaker) -> Timeline:
    return timeline_of(*(year_interval(1900 + number) for number in range(40)), title="Report")


async def test_keys_choose_and_open(many: Timeline, screen_text: ScreenText) -> None:
    app = Host(ShownEvidence(many, cited=frozenset({2})))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("down", "down", "enter", "up", "end", "home", "pagedown")
        await pilot.pause()
        assert app.said == [
            ("selected", 1),
            ("selected", 2),
            ("opened", 2),
            ("selected", 1),
            ("selected", 40),
            ("selected", 1),
            ("selected", 6),
        ]
        assert app.panel.selected == 6
        screen = screen_text(app)
        assert "▌[6] 1905 · Report 5" in screen
        assert screen.count("▌") == 3  # all rows of the selected piece


async def test_choosing_from_outside_shows_it_and_says_nothing(
    many: Timeline, screen_text: ScreenText
) -> None:
    app = Host(ShownEvidence(many))
    async with app.run_test(size=(60, 20)) as pilot:
        app.panel.select(30)
        await pilot.pause()
        assert "▌[30] 1929 · Report 29" in screen_text(app)
        app.panel.select(None)
        await pilot.pause()
        assert "▌" not in screen_text(app)
        app.panel.select(99)
        assert app.panel.selected is None
        assert app.said == []


async def test_a_click_chooses_and_a_double_click_opens(many: Timeline) -> None:
    app = Host(ShownEvidence(many))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.click(EvidencePanel, offset=(10, 5))
        await pilot.pause()
        assert app.said == [("selected", 2)]
        await pilot.double_click(EvidencePanel, offset=(10, 8))
        await pilot.pause()
        assert app.said[-1] == ("opened", 3)
        app.panel.scroll_to(y=30, animate=False, immediate=True)
        await pilot.pause()
        await pilot.click(EvidencePanel, offset=(10, 2))
        await pilot.pause()
        assert app.said[-1:] == [("selected", 11)]


async def test_enter_without_a_choice_opens_the_first(many: Timeline) -> None:
    app = Host(ShownEvidence(many))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert app.said == [("opened", 1)]


async def test_an_empty_list_takes_every_key() -> None:
    app = Host(ShownEvidence(Timeline(())))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("down", "up", "enter", "end")
        await pilot.click(EvidencePanel, offset=(10, 5))
        await pilot.pause()
        assert app.said == []


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)])
async def test_each_entry_has_date_title_scores_and_sentence(
    size: tuple[int, int], timeline_of: TimelineMaker, screen_text: ScreenText
) -> None:
    text = "The bridge was built by people who did not know how to build bridges."
    timeline = timeline_of(year_interval(1931), title="Bridges", text=text)
    app = Host(ShownEvidence(timeline, cited=frozenset({1})))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        shown = " ".join(screen_text(app).replace("│", " ").split())
        assert "[1] 1931 · Bridges 0 · page 3" in shown
        assert "cited · score 0.45 (meaning 0.50, words 0.20, time 0.90)" in shown
        assert text in shown
        await pilot.resize_terminal(44, 14)
        assert text in " ".join(screen_text(app).replace("│", " ").split())


async def test_hostile_evidence_is_plain_text(screen_text: ScreenText) -> None:
    nasty = "[bold red]Not markup[/] [@click=app.quit()]x[/] \x1b[31mred\x1b[0m \u202egnol"
    hits = [make_hit(year_interval(1999), nasty, "T[b]itle\x07"), make_hit(None, "日本語の文書" * 20, "日本")]
    app = Host(ShownEvidence(make_timeline(hits)))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("down")
        screen = screen_text(app)
        assert "[bold red]Not markup[/]" in screen
        assert "␛[31mred␛[0m" in screen
        assert "T[b]itle␇" in screen
        assert "undated" in screen


async def test_forty_long_pieces_are_drawn_without_work_on_what_is_not_shown(
    many: Timeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[int] = []

    def counted(text: str, width: int, start: int = 0) -> Iterator[tuple[int, int]]:
        cut.append(len(text) - start)
        return wrapped(text, width, start)

    hits = [make_hit(year_interval(1900), "x " * 50_000, f"Long {number}") for number in range(40)]
    long: Interval | None = hits[0].interval
    assert long is not None
    app = Host(ShownEvidence(many))
    async with app.run_test(size=(120, 40)) as pilot:
        monkeypatch.setattr(evidence_list, "wrapped", counted)
        app.panel.show(ShownEvidence(make_timeline(hits)))
        await pilot.pause()
        laid_out = len(cut)
        for _ in range(20):
            await pilot.press("down")
        assert app.panel.selected == 20
    assert 0 < sum(cut) < 100_000  # of four million letters
    assert len(cut) == laid_out  # moving the selection cuts nothing again


async def test_a_heading_that_is_the_day_of_its_evidence_is_not_repeated(screen_text: ScreenText) -> None:
    day = day_interval(day_number(2022, 10, 9))
    evidence = ShownEvidence(make_timeline([make_hit(day, "It rained.", "9 October 2022")]))
    app = Host(evidence)
    async with app.run_test(size=(60, 20)):
        assert screen_text(app).count("9 October 2022") == 1
    [piece] = pieces_of(evidence)
    assert piece_caption(piece) == "[1] 9 Oct 2022"
