"""Numbers that tell apart what calls make on a connection that was passed to them."""

from __future__ import annotations

from threading import Lock


class CallNumbers:
    """Hands out the smallest number that no call has: names, and statements with them, are the same again and again."""

    def __init__(self) -> None:
        self.taken: set[int] = set()
        self.lock = Lock()

    def take(self) -> int:
        """The smallest free number, from 1 on."""
        with self.lock:
            number = next(number for number in range(1, len(self.taken) + 2) if number not in self.taken)
            self.taken.add(number)
            return number

    def give_back(self, number: int) -> None:
        """Let another call have a number, once nothing is left of what was named by it."""
        with self.lock:
            self.taken.discard(number)
