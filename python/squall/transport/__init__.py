"""What squall-transport needs and makes: grids of the globe, winds from analyses."""
