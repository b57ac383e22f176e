"""Questions in plain words and in the spelling of the corpus."""
