"""Physical constants in SI units, with the values of the model (model/src/core/constants.hpp) and of WRF."""

G = 9.81  # m s-2
R_D = 287.0  # J kg-1 K-1, of dry air
R_V = 461.6  # of water vapour
C_P = 7 * R_D / 2  # of dry air at constant pressure
C_V = C_P - R_D
KAPPA = R_D / C_P
EPSILON = R_D / R_V
P0 = 1.0e5  # Pa
THETA0 = 300.0  # K: T in files is potential temperature minus this
FREEZING = 273.15  # K
LATENT_HEAT = 2.5e6  # J kg-1, of vaporisation: the model's schemes take it as constant
LAPSE = 6.5e-3  # K m-1: of the standard atmosphere, and of air that has to be made up
EARTH_RADIUS = 6.37e6  # m
EARTH_ROTATION = 7.2921e-5  # s-1
