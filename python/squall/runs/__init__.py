"""A run and its directory: starting it, its state, what it has published, restarts, jobs, reports."""
