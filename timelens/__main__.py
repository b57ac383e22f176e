"""``python -m timelens``."""

from timelens.cli import main

main()
