"""timelens: answers to questions about time, from your own documents, on your own machine."""

__version__ = "0.1.0.dev0"
