"""The metrics: their catalogue, and the texts that ask for them."""
