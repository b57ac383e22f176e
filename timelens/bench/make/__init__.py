"""Benchmarks made from one's own data: seeded, with answers that a checker of its own recomputes."""
