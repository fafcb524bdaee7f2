"""The README and docs as they are tested: their commands are run, their tables and references are generated."""
