"""The full-screen chat. Only this package uses Textual."""
