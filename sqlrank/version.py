"""The version, alone in its file so that `sqlrank --version` imports nothing else."""

__version__ = "0.3.0"
