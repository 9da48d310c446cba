"""From what any engine wrote, or sends, to xarray: files, runs, frames as they come."""
