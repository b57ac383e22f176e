"""What the descriptions of a question stand for, found in the evidence."""
