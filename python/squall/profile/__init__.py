"""`squall run --profile` and `squall lab messages`: where the time of a run goes, and what it sends."""
