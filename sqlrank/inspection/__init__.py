"""A look at inputs before they are evaluated."""
