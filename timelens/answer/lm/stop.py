"""Stops the evaluation of a prompt from another thread."""

import ctypes

POLL_SECONDS = 0.02
"""Interval at which waiting code checks for a stop."""


class Stop:
    """A request to stop that native code reads without calling Python.

    llama.cpp calls its abort callback at every node of its graph, hundreds of times per token. A callback in
    Python would wait for the interpreter lock each time; C's ``strlen`` on a string that is empty until the
    request gives the same result.
    """

    def __init__(self) -> None:
        self._flag = ctypes.create_string_buffer(2)

    def set(self) -> None:
        """Request a stop."""
        self._flag[0] = b"!"

    def __bool__(self) -> bool:
        return self._flag[0] != b"\0"

    @property
    def address(self) -> ctypes.c_void_p:
        """The address of the string."""
        return ctypes.c_void_p(ctypes.addressof(self._flag))
