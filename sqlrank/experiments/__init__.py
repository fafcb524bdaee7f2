"""A/B tests on logs of behaviour: units of arms compared, the split checked, and what units did before used."""
