import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_readme_shows_a_picture_that_is_there_and_fetches_nothing() -> None:
    [(words, name)] = re.findall(
        r"!\[([^\]]+)\]\(([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8")
    )
    picture = (ROOT / name).read_text(encoding="utf-8").replace("&#160;", " ")
    [question] = re.findall(r'"([^"]+)"', words)
    assert question in picture
    assert "timeline" in picture
    assert "@font-face" not in picture
    assert not re.search(r"(?:href=|url\()['\"]?https?:", picture)
