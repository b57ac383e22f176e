"""The full-screen chat. Nothing outside this package knows Textual."""
