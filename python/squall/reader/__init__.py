"""Opens the output of any engine in xarray: files, runs, and frames as they are published."""
