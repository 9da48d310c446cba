"""Predictions: held to this machine, and those that `squall plan` does not tell."""
