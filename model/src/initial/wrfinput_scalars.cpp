#include "initial/wrfinput_scalars.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/loop.hpp"
#include "initial/theta_in_file.hpp"

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
        file.fail(fmt::format("holds water vapour (QVAPOR of {} kg/kg), but the run has dry air: set "
                              "physics.microphysics = \"vapour\", or a scheme with clouds and rain",
                              most));
}

void clear_rounding(const Patch &patch, Array3 &a) {
    const Field3 x = a.view();
    for_each(owned(patch), [=](int i, int k, int j) { x(i, k, j) = std::max(x(i, k, j), real(0)); });
}

void make_moist(const Patch &patch, const Array3 &vapour, Array3 &theta) {
    const Field3 t = theta.view();
    const ConstField3 q = vapour.view();
    for_each(owned(patch), [=](int i, int k, int j) { t(i, k, j) = moistened(t(i, k, j), q(i, k, j)); });
}

} // namespace

void read_scalars(const InputFile &file, const Config &config, const Patch &patch, const ScalarSet &scalars,
                  State &state) {
    if (!scalars.moist()) refuse_vapour(file, patch);
    for (int n = 0; n < scalars.size(); ++n) {
        const std::string &name = scalars.all[n].name;
        const bool needed = n == scalars.vapour && !made_without_microphysics(file);
        const bool water = n < scalars.waters, tracer = scalars.is_tracer(n);
        const bool counted = !water && n < scalars.first_tracer;
        const bool given =
            tracer && !config.tracers[static_cast<std::size_t>(n - scalars.first_tracer)].from_file;
        const bool own = n == scalars.nuclei; // as in WRF, whatever the file has of them
        if (given || own || (!file.has(name) && !needed)) continue;
        const real most = water ? real(0.5) : counted ? real(1e12) : real(1e4);
        const Limits limits = tracer ? Limits{} : Limits{-rounding, most};
        file.volume(name, Points::cells, patch.shape.nz, patch, state.scalars[n], limits);
        if (!tracer) clear_rounding(patch, state.scalars[n]);
    }
}

void read_theta(const InputFile &file, const Config &config, const Patch &patch, const ScalarSet &scalars,
                State &state) {
    const bool moist = scalars.moist() && config.dynamics.moist_theta;
    const bool as_wrf_integrates = !scalars.moist() || (moist && made_with_moist_theta(file));
    if (as_wrf_integrates && has_thm(file, patch)) {
        read_theta_of("THM", file, patch, state.theta);
    } else if (!scalars.moist()) {
        read_theta_of("T", file, patch, state.theta);
    } else {
        const Array3 &vapour = state.scalars[scalars.vapour];
        read_dry_theta(file, patch, vapour, state.theta);
        if (moist) make_moist(patch, vapour, state.theta);
    }
}

} // namespace squall
