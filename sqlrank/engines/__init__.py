"""The engines that run a statement."""
