"""Numbers that tell apart what calls make on a connection that was passed to them."""

from __future__ import annotations

from heapq import heappop, heappush
from threading import Lock


class CallNumbers:
    """Hands out the smallest number that no call has: names, and statements with them, are the same again and again."""

    def __init__(self) -> None:
        self.largest = 0
        self.free: list[int] = []
        self.lock = Lock()

    def take(self) -> int:
        """The smallest free number, from 1 on."""
        with self.lock:
            if self.free:
                return heappop(self.free)
            self.largest += 1
            return self.largest

    def give_back(self, number: int) -> None:
        """Let another call have a number, once nothing is left of what was named by it."""
        with self.lock:
            heappush(self.free, number)
