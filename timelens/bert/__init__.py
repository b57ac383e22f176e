"""BERT, the encoder that the embedder and the reader share: its files, and its network in torch or numpy."""
