"""Run files: their schema, writing them, those that come with Squall."""
