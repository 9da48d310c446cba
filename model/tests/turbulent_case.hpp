/// Columns of air that a boundary layer scheme mixes step by step, for tests of such schemes.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "surface_case.hpp"

namespace squall::test {

/// Dry air in hydrostatic balance, potential temperature growing by `lapse`.
inline void make_hydrostatic(SurfaceCase &c, double lapse) {
    double pi = 1, z = 0;
    for (int k = 0; k < c.nz; ++k) {
        const double theta = 300 + lapse * (z + 0.5 * c.dz);
        const double step = 9.81 / (1004.5 * theta) * c.dz, middle = pi - 0.5 * step;
        const double pressure = 1e5 * std::pow(middle, 3.5);
        c.set_all(SurfaceCase::theta, k, theta);
        c.set_all(SurfaceCase::exner, k, middle);
        c.set_all(SurfaceCase::full_pressure, k, pressure);
        c.set_all(SurfaceCase::density, k, pressure / (287 * theta * middle));
        c.set_all(SurfaceCase::q, k, 0);
        pi -= step;
        z += c.dz;
    }
}

/// A case, and its boundary layer scheme.
struct Turbulent {
    SurfaceCase c;
    std::unique_ptr<BoundaryLayerScheme> scheme;

    explicit Turbulent(SurfaceCase &&made, const std::string &name = "mynn")
        : c(std::move(made)), scheme(boundary_layer_scheme(name).make(c.nz)) {}

    void find_fluxes(const std::string &surface_layer = "revised-mm5") {
        const SurfaceLayerEntry &entry = surface_layer_scheme(surface_layer);
        c.sublayer = entry.sublayer;
        entry.make()->exchange(c.surface());
    }

    void mix() {
        const SurfaceColumns s = c.surface();
        scheme->mix(c.columns(s));
    }

    void take_step() {
        mix();
        const std::pair<SurfaceCase::Field, SurfaceCase::Field> changes[] = {
            {SurfaceCase::u, SurfaceCase::du},         {SurfaceCase::v, SurfaceCase::dv},
            {SurfaceCase::theta, SurfaceCase::dtheta}, {SurfaceCase::q, SurfaceCase::dq},
            {SurfaceCase::cloud, SurfaceCase::dcloud}, {SurfaceCase::qke, SurfaceCase::dqke}};
        for (const auto &[value, change] : changes)
            for (int k = 0; k < c.nz; ++k)
                for (int i = 0; i < c.n; ++i) c.air.field(value)(i, k) += c.air.field(change)(i, k);
    }

    /// Of column 0, over the mass of dry air.
    template <class Of> double integral(Of of) {
        double sum = 0;
        for (int k = 0; k < c.nz; ++k) sum += double(c.air.field(SurfaceCase::density)(0, k)) * c.dz * of(k);
        return sum;
    }
    double at(SurfaceCase::Field f, int k, int i = 0) { return c.air.field(f)(i, k); }
};

} // namespace squall::test
