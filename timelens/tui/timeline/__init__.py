"""The timeline of the chat: evidence, asked periods and gaps on an axis from millennia to days."""
