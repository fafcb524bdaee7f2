"""Charts of results: Vega-Lite specifications filled with aggregates, and the pictures made of them."""
