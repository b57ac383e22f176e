"""How the reading of a prompt is stopped from outside."""

import ctypes

POLL_SECONDS = 0.02
"""How often a wait for something else looks whether it is to stop."""


class Stop:
    """A request to stop that native code reads without a call into Python.

    llama.cpp asks its abort callback at every node of its graph, hundreds of times a token. A callback in
    Python would wait for the interpreter lock each time; C's ``strlen`` on a text that is empty until the
    request comes answers the same question.
    """

    def __init__(self) -> None:
        self._flag = ctypes.create_string_buffer(2)

    def set(self) -> None:
        """Request it."""
        self._flag[0] = b"!"

    def __bool__(self) -> bool:
        return self._flag[0] != b"\0"

    @property
    def address(self) -> ctypes.c_void_p:
        """Of the text."""
        return ctypes.c_void_p(ctypes.addressof(self._flag))
