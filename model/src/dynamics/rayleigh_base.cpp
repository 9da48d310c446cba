// The profiles that damping draws to.
#include <span>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "dynamics/damping.hpp"

namespace squall {

RayleighBase::RayleighBase(const Grid &grid, const char *what)
    : z(grid.z_base.data()), u(grid.u_base.data()), v(grid.v_base.data()), theta(grid.theta_base.data()),
      n(grid.vertical.nz) {
    for (const std::vector<real> *p : {&grid.z_base, &grid.u_base, &grid.v_base, &grid.theta_base})
        if (p->size() != static_cast<std::size_t>(n))
            throw std::invalid_argument(fmt::format(
                "{} needs base profiles (U_BASE, V_BASE, T_BASE, Z_BASE) of {} layers; one has {}", what, n,
                p->size()));
    for (int k = 1; k < n; ++k)
        if (!(z[k] > z[k - 1]))
            throw std::invalid_argument(fmt::format("{} needs increasing heights in the base profiles "
                                                    "(Z_BASE); layers {} and {} are at {} m and {} m",
                                                    what, k - 1, k, z[k - 1], z[k]));
}

RayleighBase RayleighBase::kept_in(KernelMemory &memory) const {
    RayleighBase base = *this;
    for (ConstProfile *p : {&base.z, &base.u, &base.v, &base.theta})
        *p = memory.keep(std::span(*p, static_cast<std::size_t>(n)));
    return base;
}

} // namespace squall
