"""Follow-up questions, made complete by the questions and answers before them."""
