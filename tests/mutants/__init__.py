"""Changes of one token, and the tests that notice them: `python -m tests.mutants`."""
