"""Time itself: days, intervals, relations between them, and how text states them.

Nothing here imports another part of timelens, reads a clock, a file or the network.
"""
