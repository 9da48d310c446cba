#include "initial/usual_aerosol.hpp"

#include <algorithm>

#include "core/constants.hpp"
#include "grid/scalar_named.hpp"
#include "physics/thompson/aerosol.hpp"

namespace squall {
namespace {

/// Fewer in a whole column are none [kg-1].
constexpr real fewest = real(1e-15);

bool has_any(const Array3 &number, int i, int j, int layers) {
    for (int k = 0; k < layers; ++k)
        if (number(i, k, j) > fewest) return true;
    return false;
}

/// Of an interface above the sea [m].
double height(const Grid &g, const Array3 &ph, int i, int k, int j) {
    return (double(g.phb(i, k, j)) + double(ph(i, k, j))) / double(constants::g);
}

/// Heights above the ground are those of the layers' lower faces, but in the lowest layer of the upper, as in
/// WRF.
template <class Usual>
void fill_column(const Grid &g, const Array3 &ph, int i, int j, Usual usual, Array3 &number) {
    const double ground = height(g, ph, i, 0, j);
    for (int k = 0; k < g.shape.nz; ++k)
        number(i, k, j) = real(usual(height(g, ph, i, std::max(k, 1), j) - ground, ground));
}

} // namespace

void add_usual_aerosol(InitialState &s) {
    Array2 &source = s.ground.aerosol_source;
    const auto fill = [&](const char *name, auto usual, bool emitted) {
        Array3 &number = s.state.scalars[static_cast<std::size_t>(scalar_named(name, s.scalars))];
        for (int j = 0; j < s.grid.shape.ny; ++j)
            for (int i = 0; i < s.grid.shape.nx; ++i)
                if (!has_any(number, i, j, s.grid.shape.nz)) {
                    fill_column(s.grid, s.state.ph, i, j, usual, number);
                    if (emitted && source.bytes() > 0) source(i, j) = -1;
                }
    };
    fill("QNWFA", thompson::usual_water_friendly, true);
    fill("QNIFA", thompson::usual_ice_friendly, false);
}

} // namespace squall
