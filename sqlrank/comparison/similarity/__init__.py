"""How alike rankings are, without judgments."""
