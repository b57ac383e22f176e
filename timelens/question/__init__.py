"""From a question to what it asks for: topic, time, order, plan."""
