"""What people judge: side-by-side verdicts, the agreement of raters, and what to judge next."""
