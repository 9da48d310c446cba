"""Linear solutions that the nonlinear model must approach for small disturbances."""
