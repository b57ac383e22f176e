"""Every line of an answer, and every date in it, checked against the evidence that it cites."""
