#include "columns/column_air.hpp"

#include <cmath>

namespace squall::transport {

ColumnAir::ColumnAir(const Block &block, const Weather &weather, const PatchOfGlobe &where, int j)
    : nx_(block.shape().nx), nz_(block.shape().nz), temperature_(&weather.temperature[weather.cell(0, 0, j)]),
      humidity_(&weather.humidity[weather.cell(0, 0, j)]), pressure_(at(0, nz_ + 1)), height_(at(0, nz_ + 1)),
      ground_(at(nx_, 0)) {
    const Levels &levels = where.levels();
    for (int i = 0; i < nx_; ++i) pressure_[at(i, nz_)] = levels.pressure(nz_, where.surface(i, j));
    for (int k = nz_ - 1; k >= 0; --k)
        for (int i = 0; i < nx_; ++i)
            pressure_[at(i, k)] = pressure_[at(i, k + 1)] + gravity * block.row(0, k, j)[i] / where.area(j);
    // hydrostatic: dz = R Tv / g dlnp
    const auto rise = [&](int i, int k, double below, double above) {
        return test_gas_constant / gravity * warmth(i, k) * std::log(below / above);
    };
    for (int k = 0; k < nz_; ++k)
        for (int i = 0; i < nx_; ++i)
            height_[at(i, k + 1)] = height_[at(i, k)] + rise(i, k, pressure(i, k), pressure(i, k + 1));
    for (int i = 0; i < nx_; ++i) ground_[at(i, 0)] = rise(i, 0, levels.reference, pressure(i, 0));
}

} // namespace squall::transport
