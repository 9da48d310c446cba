"""Physical constants in SI units, with the values of the model (and of WRF)."""

G = 9.81  # m s-2
R_D = 287.0  # J kg-1 K-1
R_V = 461.6
C_P = 7 * R_D / 2
KAPPA = R_D / C_P
P0 = 1.0e5  # Pa
THETA0 = 300.0  # K: T in files is potential temperature minus this
EPSILON = R_D / R_V
LAPSE = 6.5e-3  # K m-1: of air that has to be made up
