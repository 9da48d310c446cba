"""Squall's command and readers. The model itself is the program `squall-model`."""
