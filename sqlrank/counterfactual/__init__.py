"""What rankings would have earned, estimated from a log of others: support, weights, intervals clustered by unit."""
