"""What several raters of the same items say of the raters."""
