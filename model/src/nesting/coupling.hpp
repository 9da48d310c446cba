/// What variables are multiplied with where a nest and its parent compare them: dry mass over map factor,
/// as rims hold them (boundary/rim_source.hpp).
#pragma once

#include "core/array.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// How a variable of the state is coupled.
enum class Coupling { u, v, w, layers, interfaces, none };

/// q M / m at a point of that kind of variable, in the order of couple_momentum(); of the mass on faces,
/// cells i - 1 or j - 1 are read.
inline real coupled(Coupling kind, const GridView &g, ConstField2 mu, int i, int k, int j, real q) {
    const auto column = [&](int a, int b) { return g.mub(a, b) + mu(a, b); };
    switch (kind) {
    case Coupling::u:
        return q * (g.c1h[k] * (real(0.5) * (column(i, j) + column(i - 1, j))) + g.c2h[k]) / g.msfuy(i, j);
    case Coupling::v:
        return q * (g.c1h[k] * (real(0.5) * (column(i, j) + column(i, j - 1))) + g.c2h[k]) / g.msfvx(i, j);
    case Coupling::w:
        return q * (g.c1f[k] * column(i, j) + g.c2f[k]) / g.msfty(i, j);
    case Coupling::layers:
        return q * (g.c1h[k] * column(i, j) + g.c2h[k]);
    case Coupling::interfaces:
        return q * (g.c1f[k] * column(i, j) + g.c2f[k]);
    default:
        return q;
    }
}

} // namespace squall
