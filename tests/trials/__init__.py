"""Trials of intervals and tests: how often an interval covers the truth, and how often a test finds what is not there.

Each experiment is a segment of one evaluation or comparison, so that what is tried is the product itself. `python -m
tests.trials [TABLE...]` writes the tables of the documentation, the cells of them that are in words, and the picture.
"""
