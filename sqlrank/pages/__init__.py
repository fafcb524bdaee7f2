"""HTML: tables, figures and whole pages, of texts that are escaped, in English or Chinese."""
