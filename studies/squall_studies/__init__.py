"""What reproduces published studies with Squall, and measures its predictions: commands of `squall lab`."""
