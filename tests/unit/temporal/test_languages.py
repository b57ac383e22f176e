"""Times in other languages than English."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.temporal.calendar import format_day, parse_day
from timelens.temporal.expressions import find_expressions, times_in_english
from timelens.temporal.glossing import gloss
from timelens.temporal.languages import language_of, languages

WRITTEN = parse_day("2021-06-15")


def times(text: str) -> list[tuple[str, str]]:
    """The words and days of each time."""
    found = []
    for one in find_expressions(text, WRITTEN):
        if one.interval is not None:
            sides = one.interval.start, one.interval.end
            found.append((one.text, " ".join(".." if day is None else format_day(day) for day in sides)))
    return found


@pytest.mark.parametrize(
    ("text", "said", "days"),
    [
        ("Sie zog am 3. Oktober 1990 nach Trier.", "3. Oktober 1990", "1990-10-03 1990-10-04"),
        ("Der Rat tagte vom 3. bis 5. Mai 2001.", "vom 3. bis 5. Mai 2001", "2001-05-03 2001-05-06"),
        ("Die Pacht galt zwischen 1990 und 1995.", "zwischen 1990 und 1995", "1990-01-01 1996-01-01"),
        ("Der Turm stammt aus dem 19. Jahrhundert.", "19. Jahrhundert", "1801-01-01 1901-01-01"),
        ("Das war in den 1990er Jahren so.", "1990er Jahren", "1990-01-01 2000-01-01"),
        ("Vor drei Jahren war das nicht so.", "Vor drei Jahren", "2018-01-01 2019-01-01"),
        ("Vor 2015 war das nicht so.", "Vor 2015", ".. 2015-01-01"),
        ("Er kam letztes Jahr zu uns.", "letztes Jahr", "2020-01-01 2021-01-01"),
        ("Il est resté du 1er mai au 3 juin 1999.", "du 1er mai au 3 juin 1999", "1999-05-01 1999-06-04"),
        ("Le pont date du XIXe siècle.", "XIXe siècle", "1801-01-01 1901-01-01"),
        ("Elle est partie il y a trois ans.", "il y a trois ans", "2018-01-01 2019-01-01"),
        ("L'usine a fermé l'année dernière.", "année dernière", "2020-01-01 2021-01-01"),
        ("Depuis mars 2016 le loyer est fixe.", "Depuis mars 2016", "2016-03-01 .."),
        ("La sala abrió el 12 de octubre de 1992.", "12 de octubre de 1992", "1992-10-12 1992-10-13"),
        ("Fue alcalde de 1990 a 1995.", "de 1990 a 1995", "1990-01-01 1996-01-01"),
        ("La torre es del siglo XVIII.", "siglo XVIII", "1701-01-01 1801-01-01"),
        ("Se marchó hace dos años.", "hace dos años", "2019-01-01 2020-01-01"),
        ("Los últimos diez años fueron duros.", "Los últimos diez años", "2011-06-15 2021-06-15"),
        ("Era sindaco dal 1990 al 1995.", "dal 1990 al 1995", "1990-01-01 1996-01-01"),
        ("Abitava qui tre anni fa.", "tre anni fa", "2018-01-01 2019-01-01"),
        ("La scuola chiuse negli anni Ottanta.", "anni Ottanta", "1980-01-01 1990-01-01"),
        ("Saiu depois de 5 de maio de 2003.", "depois de 5 de maio de 2003", "2003-05-06 .."),
        ("A ponte é do século XX.", "século XX", "1901-01-01 2001-01-01"),
        ("Zij was voorzitter sinds maart 2014.", "sinds maart 2014", "2014-03-01 .."),
        ("Hij woonde hier twee jaar geleden.", "twee jaar geleden", "2019-01-01 2020-01-01"),
        ("De brug is van 3/4/2019.", "3/4/2019", "2019-04-03 2019-04-04"),
        ("Urodził się 3 października 1990 w Łodzi.", "3 października 1990", "1990-10-03 1990-10-04"),
        ("He came on 3 października 1990.", "3 października 1990", "1990-10-03 1990-10-04"),
        ("Dědeček padl 17. června 1918.", "17. června 1918", "1918-06-17 1918-06-18"),
        ("祖父は1932年5月3日に生まれた。", "1932年5月3日", "1932-05-03 1932-05-04"),
        ("2016년 3월에 이사했다.", "2016년 3월", "2016-03-01 2016-04-01"),
        ("I marts 2016 fik vi nøglerne.", "marts 2016", "2016-03-01 2016-04-01"),
    ],
)
def test_the_time_is_found_in_its_own_words(text: str, said: str, days: str) -> None:
    assert any(said in whole and when == days for whole, when in times(text))


@pytest.mark.parametrize(
    "text",
    [
        "Rendez-vous au Champ-de-Mars avec un pique-nique.",  # a name
        "El local tiene 1985 personas dentro.",
        "Vimos a los hermanos Lunes Pasado en la plaza.",
        "Siehe Seite 1812 des Katalogs.",
        "La moto a été vendue.",  # a participle, no summer
        "Der Fall ist nicht an uns, sondern am Gericht.",  # English words that are German ones
    ],
)
def test_what_is_no_time_there_is_none(text: str) -> None:
    assert times(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The council met in March 2016 and again in winter.",
        "week 12 of 2019",
        "A map dated 1610 shows a ferry.",
        "An April in Paris, de la Mare wrote in 1913.",
        "Napoleon's 1812 campaign failed.",
        "Mars 2020",  # a mission
    ],
)
def test_english_is_read_as_it_stands(text: str) -> None:
    assert gloss(text) is None


def test_each_language_is_told_by_its_common_words() -> None:
    for language in languages():
        assert language_of(language.function) == language


@given(
    st.lists(
        st.sampled_from("vor zwei Jahren und 1990 bis März il y a 3 ans l'année au siglo XX de 1er".split())
    )
)
def test_a_time_is_a_stretch_of_its_text(words: list[str]) -> None:
    text = " ".join(words)
    spans = [(one.char_start, one.char_end) for one in find_expressions(text, WRITTEN)]
    assert all(text[one.char_start : one.char_end] == one.text for one in find_expressions(text, WRITTEN))
    assert spans == sorted(spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def test_a_question_has_its_times_put_into_english() -> None:
    text = "Wie hoch war die Miete 2010 im Vergleich zu 2015?"
    found = [(text[start:end], english) for start, end, english in times_in_english(text)]
    assert found == [("2010", "in 2010"), ("im Vergleich zu", "compared with"), ("2015", "2015")]
    assert times_in_english("What was the rent in 2010 compared with 2015?") == []


def test_what_is_english_beside_a_month_of_another_language_stands_as_it_is() -> None:
    text = "What was said on 3 października 1990 and in 2015?"
    found = [(text[start:end], english) for start, end, english in times_in_english(text)]
    assert found == [("3 października 1990", "3 October 1990"), ("2015", "2015")]
