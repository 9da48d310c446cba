"""Run files: their schema, how they are written, and those that come with Squall."""
