"""Random recommendations as the packages for recommenders take them: data frames of users, items, scores and ranks."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pandas

SETS = range(20)
K = 3


@dataclass(frozen=True)
class Sets:
    """One set: recommendations, what was relevant, what users did before, categories and another recommender."""

    run: pandas.DataFrame
    truth: pandas.DataFrame
    history: pandas.DataFrame
    items: pandas.DataFrame
    baseline: pandas.DataFrame
    gaps: bool
    """Whether ranks leave places out."""
    zeros: bool
    """Whether some judgments are 0."""

    @property
    def others(self) -> dict[str, Any]:
        """The inputs of metrics of what is shown."""
        return {"history": self.history, "items": self.items, "baseline_run": self.baseline}

    def first(self, run: pandas.DataFrame, k: int = K) -> pandas.DataFrame:
        """The first rows of every user by score, equal ones in the order of the input."""
        return run.sort_values("score", ascending=False, kind="stable").groupby("user_id").head(k)

    def tied_at(self, k: int) -> list[Any]:
        """The users with equal scores at places k and k + 1."""
        ranked = self.run.sort_values("score", ascending=False).groupby("user_id")["score"].apply(list)
        return [user for user, scores in ranked.items() if len(scores) > k and scores[k - 1] == scores[k]]

    def begins_below(self, k: int) -> bool:
        """Whether some user has no place down to k."""
        return bool((self.run.groupby("user_id")["rank"].min() > k).any())


def make_set(seed: int) -> Sets:
    """One set: numbers or texts as ids, many ties, users on one side only, items without category, gaps, zeros."""
    rng = random.Random(seed)
    numbers, gaps, zeros = seed % 2 == 0, seed % 4 > 1, seed % 8 == 5
    items: list[Any] = list(range(2, 26)) if numbers else [f"i{number}" for number in range(2, 26)]
    users: list[Any] = list(range(95, 107)) if numbers else [f"u{number}" for number in range(95, 107)]
    levels = 3 if seed % 3 else 40
    return Sets(
        run=recommended(rng, users[:9], items, levels, gaps, late=seed % 8 == 7),
        truth=judged(rng, users[3:], items, zeros),
        history=pandas.DataFrame(
            [(rng.choice(users), rng.choice(items[3:])) for _ in range(60)], columns=["user_id", "item_id"]
        ),
        items=pandas.DataFrame(
            [(item, rng.choice("xyz")) for item in items if seed % 5 < 3 or rng.random() < 0.6],
            columns=["item_id", "category"],
        ),
        baseline=recommended(rng, users[1:11], items, levels, gaps=False),
        gaps=gaps,
        zeros=zeros,
    )


def recommended(
    rng: random.Random, users: list[Any], items: list[Any], levels: int, gaps: bool, late: bool = False
) -> pandas.DataFrame:
    """Some items for each user, with scores of so many levels, and ranks, some of which begin late."""
    rows = []
    for user in users:
        rank = rng.choice([0, 4] if late else [0, 0, 1]) if gaps else 0
        for item in rng.sample(items, rng.randint(1, 8)):
            rank += rng.choice([1, 2]) if gaps else 1
            rows.append((user, item, rng.randint(1, levels) / 8, rank))
    return pandas.DataFrame(rows, columns=["user_id", "item_id", "score", "rank"])


def judged(rng: random.Random, users: list[Any], items: list[Any], zeros: bool) -> pandas.DataFrame:
    """Some relevant items for each user."""
    grades = [0, 1, 2] if zeros else [1, 1, 2]
    rows = [(user, item, rng.choice(grades)) for user in users for item in rng.sample(items, rng.randint(1, 7))]
    return pandas.DataFrame(rows, columns=["user_id", "item_id", "relevance"])
