/// The built-in cases; each is one file here and one line in the registry (initial.cpp).
#pragma once

#include "initial/initial.hpp"

namespace squall {

Case baroclinic_wave();
Case density_current();
Case grass_fire();
Case inertia_gravity_wave();
Case moist_bubble();
Case mountain_hydrostatic();
Case mountain_schaer();
Case radiative_convective();
Case single_column();
Case squall_line();
Case stratocumulus();
Case supercell();
Case warm_bubble();

/// Value of a parameter of the case that runs, in SI units.
double parameter(const Config &config, const std::string &key);

} // namespace squall
