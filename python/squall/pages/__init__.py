"""Pages of the documentation that are made from what the programs say of themselves."""
