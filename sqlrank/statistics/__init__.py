"""The statistics of means, differences and preferences."""
