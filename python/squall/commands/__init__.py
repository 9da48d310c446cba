"""The commands of `squall` that have no package of their own."""
