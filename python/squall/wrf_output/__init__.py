"""Squall's output in a WRF that somebody built: linking it, checking its settings, comparing its files."""
