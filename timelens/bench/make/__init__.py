"""Benchmarks made from a user's own data: seeded, with a separate checker that recomputes every answer."""
