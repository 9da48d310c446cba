"""`squall run --profile` and `squall lab messages`: the time of a run by routine, and its messages."""
