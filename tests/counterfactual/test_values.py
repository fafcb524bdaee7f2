"""Identities that values keep, what is refused, and what is said beside the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from sqlrank.errors import DataError, UsageError, on_the_command_line
from sqlrank.log import value
from tests.behaviour.simulated import logged
from tests.counterfactual.worked import RUN, THETA, listed, policy, ranked, rounds, slates

ANYWAY: dict[str, Any] = {"min_impressions": 1, "anyway": True}


def random_slots(impressions: int, users: int = 400, seed: int = 3) -> Any:
    """Rounds of one slot whose propensities are those by which it was filled."""
    random = np.random.default_rng(seed)
    action = random.choice(3, impressions, p=[0.5, 0.3, 0.2])
    return pd.DataFrame(
        {
            "impression_id": range(impressions),
            "user_id": random.integers(0, users, impressions),
            "query": "q",
            "doc_id": [f"a{one}" for one in action],
            "position": 1,
            "clicked": (random.random(impressions) < np.array([0.5, 0.4, 0.3])[action]).astype(int),
            "propensity": np.array([0.5, 0.3, 0.2])[action],
        }
    )


def values(found: Any) -> dict[tuple[str, str], Any]:
    """The rows by candidate and estimator."""
    return {(row["system"], row["estimator"]): row for row in found.to_dicts()}


# --- identities ---


def test_weights_of_one_give_the_mean_by_each_estimator() -> None:
    log, candidate = slates()
    same = candidate.assign(**{name: log[name] for name in log.columns if name.startswith("pscore")})
    estimators = ["item-position", "cascade", "list", "sn-item-position", "sn-cascade", "sn-list"]

    with value(same, log, estimators=estimators, anyway=True) as found:
        rows, differences = found.to_dicts(), found.differences

    assert [row["value"] for row in rows] == pytest.approx([log["clicked"].sum() / 6] * 6)
    assert [row["mean_weight"] for row in rows] == pytest.approx([1] * 6)
    assert [row["difference"] for row in differences] == [0] * 6
    assert all(row["p_value"] is None for row in differences)


def test_uniform_propensities_give_the_mean_of_what_a_uniform_policy_earns() -> None:
    log = rounds().assign(pscore=1 / 3)

    with value(policy().assign(propensity=1 / 3), log, anyway=True) as found:
        plain, normalised = found.to_dicts()

    assert plain["value"] == normalised["value"] == pytest.approx(log["reward"].mean())


def test_the_ranker_that_showed_a_log_earns_there_what_was_observed() -> None:
    shown = logged("pbm", rankers=(1,), impressions=2000)
    order = pd.DataFrame(shown.frame()).drop_duplicates(["query_id", "position"])
    run = order[["query_id", "doc_id"]].assign(rank=order["position"])

    with value(run, shown.frame(), anyway=True, min_impressions=1) as found:
        row = found.to_dicts()[0]
        difference = found.differences[0]

    assert row["value"] == pytest.approx(shown.clicks.sum() / 2000)
    assert row["supported"] == row["mean_weight"] == 1
    assert row["ci_high"] - row["value"] == pytest.approx(1.96 * shown.clicks.sum(1).std() / 2000**0.5, rel=2e-3)
    assert difference["difference"] == 0


def test_lists_of_several_lengths_earn_what_was_observed_too() -> None:
    shown = logged("pbm", rankers=(1,), impressions=1000).frame()
    order = shown.drop_duplicates(["query_id", "position"])
    short = shown[(shown["impression_id"] % 2 == 0) | (shown["position"] <= 4)]

    with value(order[["query_id", "doc_id"]].assign(rank=order["position"]), short, **ANYWAY) as found:
        assert found.to_dicts()[0]["value"] == pytest.approx(short["clicked"].sum() / 1000)


def test_scaling_propensities_leaves_values_alone() -> None:
    run = ranked(**RUN)
    with value(run, listed(), estimators="pbm", propensities=THETA, **ANYWAY) as found:
        first = found.to_dicts()[0]["value"]
    half = {position: chance / 2 for position, chance in THETA.items()}
    with value(run, listed(), estimators="pbm", propensities=half, **ANYWAY) as found:
        assert found.to_dicts()[0]["value"] == pytest.approx(first, abs=1e-12)


@pytest.mark.parametrize("interval", ["delta", "bootstrap"])
def test_the_order_of_rows_and_threads_change_nothing(interval: str) -> None:
    log = logged("pbm", impressions=600).frame()
    run = log.drop_duplicates(["query_id", "position"])[["query_id", "doc_id", "position"]]
    run = run.drop_duplicates(["query_id", "doc_id"]).rename(columns={"position": "rank"})
    made = []
    for data, threads in ((log, 1), (log.sample(frac=1, random_state=1), 4)):
        with value(run, data, interval=interval, replicates=50, threads=threads, **ANYWAY) as found:
            made.append([*found.to_dicts()[0].values()][3:])

    assert made[0] == pytest.approx(made[1], abs=1e-9, nan_ok=True)


def test_the_bootstrap_agrees_with_what_is_linear() -> None:
    log = random_slots(3000)
    estimators = ["item-position", "sn-item-position", "dr"]
    made = []
    for interval in ("delta", "bootstrap"):
        with value(policy(), log, estimators=estimators, interval=interval, replicates=1_000) as found:
            made.append(np.array([(row["ci_low"], row["ci_high"]) for row in [*found.to_dicts(), *found.differences]]))

    widths = made[0][:, 1] - made[0][:, 0]
    assert np.abs(made[0] - made[1]).max() < 0.15 * widths.min()


def test_users_with_many_impressions_widen_the_interval() -> None:
    log = random_slots(600)
    again = pd.concat([log, log.assign(impression_id=log["impression_id"] + 10_000)])
    widths = []
    for data in (log.drop(columns="user_id"), again, again.drop(columns="user_id")):
        with value(policy(), data, estimators="item-position", anyway=True) as found:
            row = found.to_dicts()[0]
            widths.append(row["ci_high"] - row["ci_low"])

    # A copy of each impression of a user says nothing new, which only the user tells.
    assert widths[1] > 1.3 * widths[2]
    assert widths[1] == pytest.approx(widths[0], rel=0.1)


def test_a_policy_that_is_certain_is_a_ranking() -> None:
    run = ranked(**RUN)
    certain = run.rename(columns={"rank": "position"}).assign(propensity=1.0)
    asked = {"estimators": ["item-position", "pbm", "document", "ips_dcg@3"], "propensities": THETA, **ANYWAY}
    with value(run, listed(), **asked) as one, value(certain, listed(), **asked) as other:
        assert [row["value"] for row in one.to_dicts()] == pytest.approx([row["value"] for row in other.to_dicts()])


# --- what a log cannot bear ---


def reversed_run(log: Any) -> Any:
    """What was shown first of each query, from the bottom up."""
    first = log.drop_duplicates(["query_id", "position"]).drop_duplicates(["query_id", "doc_id"])
    return first[["query_id", "doc_id"]].assign(score=first["position"])


def test_what_was_never_shown_is_refused_with_bounds() -> None:
    log = logged("pbm", impressions=4000).frame()

    with pytest.raises(DataError) as refused:
        value(reversed_run(log), log)

    said = str(refused.value)
    assert "the log supports" in said
    assert "80 % are needed" in said
    assert "the value lies between" in said
    assert "interleave" in said
    assert "sqlrank pool" in said


def test_a_candidate_that_is_borne_is_valued_beside_one_that_is_not() -> None:
    log = logged("pbm", impressions=4000).frame()
    one = log[log["system"] == 0].drop_duplicates(["query_id", "position"])
    good = one[["query_id", "doc_id"]].assign(score=-one["position"])

    with value(log=log, systems={"good": good, "bad": reversed_run(log)}) as found:
        rows, notes, differences = values(found), found.notes, found.differences

    assert rows["good", "item-position"]["value"] > 1
    bad = rows["bad", "item-position"]
    assert bad["value"] is None
    assert bad["ci_low"] is None
    assert bad["supported"] < 0.8
    assert bad["at_most"] > 1
    assert any(note.startswith("bad by item-position: the log supports") for note in notes)
    assert [(row["system"], row["other"]) for row in differences] == [("good", "logged")]


def test_a_log_of_one_ranking_per_query_tells_nothing_of_others() -> None:
    log = logged("pbm", rankers=(1,), impressions=2000).frame()
    first = log.drop_duplicates(["query_id", "position"])

    with pytest.raises(DataError, match="the log shows one ranking per query: nothing can be estimated for orders"):
        value(first[["query_id", "doc_id"]].assign(rank=first["position"]), log, min_impressions=1)


def test_a_ranker_that_the_query_decided_is_refused() -> None:
    log = logged("pbm", impressions=4000).frame()
    log = log[(log["query_id"] % 2 == 0) | (log["system"] == 0)]
    one = log.drop_duplicates(["query_id", "position"])

    with pytest.raises(DataError, match="which ranker answered depends on the query"):
        value(one[["query_id", "doc_id"]].assign(rank=one["position"]), log, min_support=0, min_impressions=1)


def test_a_ranker_that_the_user_decided_is_refused() -> None:
    shown = logged("pbm", rankers=(0, 1), impressions=6000)
    random = np.random.default_rng(1)
    # Users of the one ranker come back a lot more often.
    user = np.where(shown.ranker == 0, random.integers(0, 300, 6000), 1000 + random.integers(0, 2500, 6000))
    log = shown.frame().assign(user_id=np.repeat(user, 8))
    one = log[log["system"] == 0].drop_duplicates(["query_id", "position"])

    with pytest.raises(DataError, match="which ranker answered depends on how active the user is"):
        value(one[["query_id", "doc_id"]].assign(rank=one["position"]), log)


def test_users_of_whom_chance_drew_the_ranker_are_not_refused() -> None:
    shown = logged("pbm", rankers=(0, 1), impressions=6000)
    activity = np.random.default_rng(1).gamma(0.5, 1, 2000)
    user = np.random.default_rng(2).choice(2000, 6000, p=activity / activity.sum())
    log = shown.frame().assign(user_id=np.repeat(user, 8))
    one = log[log["system"] == 0].drop_duplicates(["query_id", "position"])

    with value(one[["query_id", "doc_id"]].assign(rank=one["position"]), log) as found:
        assert found.to_dicts()[0]["units"] == len(np.unique(user))


def test_weights_that_do_not_balance_are_refused() -> None:
    log = random_slots(3000)
    log["propensity"] = log["propensity"] * 0.8

    with pytest.raises(DataError, match=r"the mean weight is 1\.2"):
        value(policy(), log)


def test_few_effective_impressions_are_refused() -> None:
    with pytest.raises(DataError, match=r"12 impressions have an effective number of 8\.5 under its weights, and 100"):
        value(policy(), rounds())


def test_what_is_refused_is_given_anyway_with_a_note() -> None:
    with value(policy(), rounds(), anyway=True) as found:
        assert all(row["value"] is not None for row in found.to_dicts())
        assert sum("(given anyway)" in note for note in found.notes) == 2


# --- what does not go together ---

USAGE: dict[str, dict[str, Any]] = {
    "--estimator cascade needs propensities in the log": {"estimators": "cascade"},
    "sum to 1 by themselves": {"estimators": "sn-item-position"},
    "one of item-position, pbm": {"estimators": "dcg"},
    "--clip is for weights by propensities of the log": {"clip": 3.0},
    "--propensities is for pbm": {"estimators": "item-position", "propensities": THETA},
    "--expected is for dr": {"expected": {"a": {"b": 1}}},
    "--interval wald is not known": {"interval": "wald"},
    "--min-support 2": {"min_support": 2.0},
    "needs --clip N": {"estimators": "switch-dr"},
    "--interval bernstein is for": {"interval": "bernstein", "anyway": True},
    "needs 20 independent units": {"interval": "bootstrap", "anyway": True},
}


@pytest.mark.parametrize("said", USAGE)
def test_what_does_not_go_together_is_said(said: str) -> None:
    with on_the_command_line(), pytest.raises(UsageError) as refused:
        value(ranked(**RUN), listed(), min_impressions=1, **USAGE[said])

    assert said in str(refused.value)


def test_a_policy_by_query_says_nothing_of_prefixes() -> None:
    log, candidate = slates()
    by_query = candidate.drop_duplicates(["doc_id", "position"]).assign(query_id="q", pscore_item_position=0.1)

    by_query = by_query.drop(columns="slate_id")
    with pytest.raises(UsageError, match="needs the propensity_prefix of the policy, in a row for each document"):
        value(by_query, log, estimators="cascade", anyway=True)


WRONG = {
    "1 row has no propensity from 0 to 1": [("q", "a0", 1, 1.5)],
    "a document appears twice": [("q", "a0", 1, 0.2), ("q", "a0", 1, 0.2)],
    "sum to more than 1 at 1 position, such as q, position 1, 1.2": [("q", "a0", 1, 0.6), ("q", "a1", 1, 0.6)],
}


@pytest.mark.parametrize("said", WRONG)
def test_probabilities_of_policies_are_checked(said: str) -> None:
    wrong = pd.DataFrame(WRONG[said], columns=["query_id", "doc_id", "position", "propensity"])

    with pytest.raises(DataError, match=said):
        value(wrong, rounds().assign(position=1))


def test_propensities_of_logs_are_checked() -> None:
    log = rounds()
    log.loc[3, "pscore"] = 0

    with pytest.raises(DataError, match="1 row has no propensity_list above 0 and up to 1, such as 3, a0, 0"):
        value(policy(), log)


def test_a_document_without_an_expected_reward_is_named() -> None:
    told = pd.DataFrame({"doc_id": ["a0", "a1"], "reward": [0.5, 0.4]})

    with pytest.raises(DataError, match="have no expected reward, such as 'a2'"):
        value(policy(), rounds(), estimators="dr", expected=told, anyway=True)


def test_a_candidate_may_not_be_called_as_what_was_shown() -> None:
    with pytest.raises(UsageError, match="logged is what the log shows"):
        value(log=listed(), systems={"logged": ranked(**RUN)})


# --- what is said ---


def test_queries_without_results_are_no_support() -> None:
    with value(ranked(shoes="abcd"), listed(), **ANYWAY) as found:
        row, lines = found.to_dicts()[0], found.remarks()

    assert row["supported"] == pytest.approx(0.6)
    assert "run: 1 query of the log has no results: they count as unsupported" in lines


def test_shorter_rankings_earn_nothing_below_their_end() -> None:
    with value(ranked(shoes="ab", hat="xy"), listed(), **ANYWAY) as found:
        row, lines = found.to_dicts()[0], found.remarks()

    assert row["supported"] == 1
    assert any("have fewer results than were shown: positions without one earn nothing" in line for line in lines)


def test_the_user_model_stands_beside_each_number() -> None:
    asked = {"estimators": ["item-position", "pbm", "ips_dcg@3"], "propensities": THETA, **ANYWAY}
    with value(ranked(**RUN), listed(), **asked) as found:
        models = {row["estimator"]: row["model"] for row in found.to_dicts()}
        lines = "\n".join(found.remarks())

    assert models == {"item-position": "item-position", "pbm": "position-based", "ips_dcg@3": "position-based"}
    assert "pbm: whether a position is looked at depends on the position alone, as the propensities say" in lines
    assert "propensities of positions: the propensities, taken as they are" in lines


def test_hostile_names_reach_no_statement() -> None:
    log = listed().rename(columns={"query_id": 'que"ry', "clicked": "cli'cked; drop"})
    log["doc_id"] = log["doc_id"] + "'\""
    run = ranked(**RUN).assign(doc_id=lambda rows: rows["doc_id"] + "'\"").rename(columns={"query_id": 'que"ry'})
    told: dict[str, Any] = {
        "columns": {"query_id": 'que"ry', "clicked": "cli'cked; drop"},
        "run_columns": {"query_id": 'que"ry'},
    }

    with value(log=log, systems={"it's \"": run}, estimators="item-position", **told, **ANYWAY) as found:
        assert found.to_dicts()[0]["value"] == pytest.approx((6 * 1.7 + 4 * 2 / 3) / 10)


def test_a_run_of_other_queries_is_an_error_with_one_of_each() -> None:
    with pytest.raises(DataError, match="answers no query of the log, which has 'hat' where it has 'Shoes'"):
        value(ranked(Shoes="abcd"), listed(), **ANYWAY)


def test_queries_of_runs_are_folded_with_those_of_the_log() -> None:
    with value(ranked(Shoes="bcad", HAT="xzyw"), listed(), fold_queries=True, **ANYWAY) as found:
        assert found.to_dicts()[0]["value"] == pytest.approx((6 * 1.7 + 4 * 2 / 3) / 10)

    with pytest.raises(DataError, match="appear in several spellings"):
        value(ranked(Shoes="bcad", shoes="abcd"), listed(), fold_queries=True, **ANYWAY)


def test_rankers_of_other_days_are_said() -> None:
    shown = logged("pbm", rankers=(0, 1), impressions=3000)
    day = np.where(shown.ranker == 0, "2026-11-01", "2026-11-02")
    log = shown.frame().assign(day=np.repeat(day, 8))

    with value(reversed_run(log), log, anyway=True) as found:
        assert any("which ranker answered depends on the day" in line for line in found.remarks())


def test_users_that_are_not_known_are_alone() -> None:
    log = random_slots(600)
    log["user_id"] = log["user_id"].astype("object").where(log["impression_id"] % 2 == 0, None)

    with value(policy(), log, estimators="item-position", anyway=True) as found:
        assert found.to_dicts()[0]["units"] == 300 + log["user_id"].nunique()


def test_rankings_fill_the_positions_that_are_no_ads() -> None:
    log = listed().assign(position=lambda rows: rows["position"] + 1, is_ad=0)
    ads = log.drop_duplicates("impression_id").assign(doc_id="ad", position=1, clicked=0, is_ad=1)

    with value(ranked(**RUN), pd.concat([ads, log]), **ANYWAY) as found:
        row, lines = found.to_dicts()[0], found.remarks()

    assert row["value"] == pytest.approx((6 * 1.7 + 4 * 2 / 3) / 10)
    assert any("ads keep their positions" in line for line in lines)


def test_propensities_of_looking_are_not_taken_for_those_of_the_ranker() -> None:
    shown = logged("pbm", impressions=1000).frame()
    log = shown.assign(propensity=shown["position"] ** -0.8)

    with pytest.raises(DataError, match="depends on the position alone: is it how likely the position is looked at"):
        value(reversed_run(log), log, min_support=0)


def test_each_query_says_what_it_supports_and_would_have_earned() -> None:
    asked: dict[str, Any] = {"estimators": ["item-position", "ips_dcg@3", "snips_dcg@3"], "propensities": THETA}
    with value(ranked(**RUN), listed(), **asked, **ANYWAY) as found:
        rows = {(row["estimator"], row["query_id"]): row for row in found.to_dicts(per_query=True)}
        whole = found.to_dicts()

    assert rows["item-position", "shoes"]["value"] == pytest.approx(1.7)
    assert rows["item-position", "shoes"]["supported"] == pytest.approx((5 + 3 + 1) / 11)
    assert rows["item-position", "shoes"]["at_most"] == pytest.approx(1.7 + 0.25)
    assert rows["item-position", "hat"]["value"] == pytest.approx(2 / 3)
    mean = sum(row["impressions"] * row["value"] for (name, _), row in rows.items() if name == "ips_dcg@3") / 10
    assert mean == pytest.approx(whole[1]["value"])
    with value(policy(), rounds(), anyway=True) as found:
        assert found.per_query is None


def test_both_kinds_of_propensities_are_estimated_in_one_call() -> None:
    log = random_slots(800)
    other = log.assign(impression_id=log["impression_id"] + 10_000, position=1)
    asked: dict[str, Any] = {"propensities": {1: 1.0}, "interval": "bootstrap", "replicates": 60}
    with value(policy(), pd.concat([log, other]), estimators=["item-position", "pbm", "dr"], **asked) as found:
        together = values(found)
    for name in ("item-position", "pbm", "dr"):
        alone = asked if name == "pbm" else {key: asked[key] for key in ("interval", "replicates")}
        with value(policy(), pd.concat([log, other]), estimators=name, **alone) as found:
            row = found.to_dicts()[0]
        for column in ("value", "ci_low", "ci_high", "ess"):
            assert together["run", name][column] == pytest.approx(row[column])
