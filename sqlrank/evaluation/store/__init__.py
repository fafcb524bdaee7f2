"""A store of per-query rows: those of many days and systems, measured in one way."""
