"""Files of language models: the catalogue, downloads, and which ones are on this machine."""
