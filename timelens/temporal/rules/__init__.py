"""The grammar of temporal expressions as data: every rule and part, in order of precedence."""

from timelens.temporal.rules import (
    ages,
    calendars,
    days,
    deictic,
    fiscal,
    formats,
    holidays,
    lengths,
    months,
    narrative,
    offsets,
    years,
)
from timelens.temporal.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    *formats.RULES,
    *days.RULES,
    *holidays.RULES,
    *months.RULES,
    *years.RULES,
    *fiscal.RULES,
    *ages.RULES,
    *calendars.RULES,
    *narrative.RULES,
    *deictic.RULES,
    *offsets.RULES,
    *lengths.RULES,
)
"""All rules. At each place the longest match wins; ties go to the earlier rule."""
