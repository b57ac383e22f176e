"""The bench: suites of questions, run through the API and scored with published measures."""
