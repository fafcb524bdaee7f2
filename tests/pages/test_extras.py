"""The page of extras is of the extras that there are."""

from __future__ import annotations

from tests.pages.extras import OF_DEVELOPERS, extras, measured


def test_every_extra_for_users_is_described_and_was_measured() -> None:
    found = measured()
    assert [name for name in found if isinstance(found[name], dict) and name != "page"] == list(extras())
    for entry in (found, *(found[name] for name in extras())):
        assert entry["megabytes"] > 0
        assert entry["licences"]


def test_extras_of_developers_are_named() -> None:
    assert not set(OF_DEVELOPERS) & set(extras())
