"""From files to annotated, embedded chunks in a corpus."""
