#include "initial/wrfinput_scalars.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "core/loop.hpp"

namespace squall {
namespace {

/// Negative values this small are rounding of whoever made the file.
constexpr real rounding = real(1e-6);

Range owned(const Patch &patch) { return {0, patch.shape.nx, 0, patch.shape.ny, 0, patch.shape.nz}; }

bool made_without_microphysics(const InputFile &file) {
    return file.has_attribute("MP_PHYSICS") && file.number("MP_PHYSICS") == 0;
}

void refuse_vapour(const InputFile &file, const Patch &patch) {
    if (!file.has("QVAPOR")) return;
    Array3 vapour(patch.shape);
    file.volume("QVAPOR", Points::cells, patch.shape.nz, patch, vapour);
    real most = 0;
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int k = 0; k < patch.shape.nz; ++k)
            for (int i = 0; i < patch.shape.nx; ++i) most = std::max(most, vapour(i, k, j));
    if (most > 0)
        file.fail(fmt::format("holds water vapour (QVAPOR of {} kg/kg), but the run is one of dry air: set "
                              "physics.microphysics = \"vapour\", or a scheme that makes clouds and rain",
                              most));
}

void clear_rounding(const Patch &patch, Array3 &a) {
    const Field3 x = a.view();
    for_each(owned(patch), [=](int i, int k, int j) { x(i, k, j) = std::max(x(i, k, j), real(0)); });
}

/// Whether the file's THM is there and filled; files before WRF 4 lack it or hold zeros.
bool has_thm(const InputFile &file, const Patch &patch) {
    if (!file.has("THM")) return false;
    Patch corner;
    corner.shape = {1, 1, patch.shape.nz};
    corner.nx_domain = patch.nx_domain;
    corner.ny_domain = patch.ny_domain;
    Array3 column(corner.shape);
    file.volume("THM", Points::cells, corner.shape.nz, corner, column);
    return column(0, corner.shape.nz - 1, 0) != 0;
}

bool made_with_moist_theta(const InputFile &file) {
    return file.has_attribute("USE_THETA_M") && file.number("USE_THETA_M") != 0;
}

void make_moist(const Patch &patch, const Array3 &vapour, Array3 &theta) {
    constexpr real ratio = constants::r_v / constants::r_d, theta0 = constants::theta0;
    const Field3 t = theta.view();
    const ConstField3 q = vapour.view();
    for_each(owned(patch), [=](int i, int k, int j) {
        t(i, k, j) = (t(i, k, j) + theta0) * (1 + ratio * q(i, k, j)) - theta0;
    });
}

} // namespace

void read_scalars(const InputFile &file, const Config &config, const Patch &patch, const ScalarSet &scalars,
                  State &state) {
    if (!scalars.moist()) refuse_vapour(file, patch);
    for (int n = 0; n < scalars.size(); ++n) {
        const std::string &name = scalars.all[n].name;
        const bool needed = n == scalars.vapour && !made_without_microphysics(file);
        const bool water = n < scalars.waters, tracer = scalars.is_tracer(n);
        const bool given =
            tracer && !config.tracers[static_cast<std::size_t>(n - scalars.first_tracer)].from_file;
        if (given || (!file.has(name) && !needed)) continue;
        const real most = water ? real(0.5) : scalars.counts(n) ? real(1e12) : real(1e4);
        const Limits limits = tracer ? Limits{} : Limits{-rounding, most};
        file.volume(name, Points::cells, patch.shape.nz, patch, state.scalars[n], limits);
        if (!tracer) clear_rounding(patch, state.scalars[n]);
    }
}

void read_theta(const InputFile &file, const Config &config, const Patch &patch, const ScalarSet &scalars,
                State &state) {
    const bool moist = scalars.moist() && config.dynamics.moist_theta;
    const bool filled = has_thm(file, patch);
    const bool take_thm = filled && (!scalars.moist() || (moist && made_with_moist_theta(file)));
    file.volume(take_thm ? "THM" : "T", Points::cells, patch.shape.nz, patch, state.theta,
                {real(-1e4), real(2e4)});
    if (moist && !take_thm) make_moist(patch, state.scalars[scalars.vapour], state.theta);
}

} // namespace squall
