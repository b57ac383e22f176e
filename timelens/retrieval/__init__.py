"""From a parsed question to evidence that is right in topic and in time."""
