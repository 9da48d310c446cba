/// Parcels of air that rise: condensation, free convection, the energy that they gain.
///
/// A parcel keeps its potential temperature and vapour until it is saturated; from then on what condenses
/// leaves it (pseudoadiabatically, without ice). Buoyancy is of virtual temperature (Doswell and Rasmussen
/// 1994, Wea. Forecasting 9, 625-629). In double precision, as in squall.diagnose: sums of small differences.
#pragma once

#include <vector>

namespace squall {

/// The air of a column from the lowest layer up: pressure [Pa] and its logarithm, temperature and virtual
/// temperature [K], vapour [kg kg-1], height above the sea [m].
struct ParcelColumn {
    std::vector<double> pressure, ln_p, temperature, virtual_temperature, vapour, height;
    explicit ParcelColumn(int nz);
    int layers() const { return static_cast<int>(pressure.size()); }
};

enum class ParcelStart { surface, mixed_layer, most_unstable };

/// CAPE and CIN [J kg-1], heights of condensation and of free convection [m above the sea]. CAPE is all that
/// buoyancy gives above the lowest level of free convection; CIN, positive, all that it takes below it.
/// Without free convection CAPE is 0, `free` false, and CIN and its level mean nothing.
struct Ascent {
    double cape = 0, cin = 0, condensation = 0, free_convection = 0;
    bool free = false;
};
Ascent rise(const ParcelColumn &column, ParcelStart start);

} // namespace squall
