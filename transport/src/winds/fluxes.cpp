#include "winds/fluxes.hpp"

#include "globe/rows.hpp"
#include "globe/scratch.hpp"

namespace squall::transport {
namespace {

/// psi at the south-western corners of a patch's cells, i to nx, j to ny.
class Corners {
  public:
    Corners(const Flow &flow, const PatchOfGlobe &where, double time)
        : nx_(where.patch().shape.nx),
          values_(static_cast<std::size_t>((nx_ + 1) * (where.patch().shape.ny + 1))) {
        for (int j = 0; j <= where.patch().shape.ny; ++j)
            for (int i = 0; i <= nx_; ++i)
                values_[index(i, j)] = flow.stream(where.west(i), where.south(j), time);
    }
    double operator()(int i, int j) const { return values_[index(i, j)]; }

  private:
    std::size_t index(int i, int j) const { return static_cast<std::size_t>(j * (nx_ + 1) + i); }
    int nx_;
    Scratch<double> values_;
};

struct Task {
    const Flow &flow;
    const PatchOfGlobe &where;
    double middle, step;
    MassFluxes &fluxes;

    /// Mass per area and second of stream function that a layer has at a corner [kg m-2 s].
    double thickness(int i, int k, int j) const {
        const double surface = where.corner_surface(i, j);
        return step / gravity *
               (where.levels().pressure(k, surface) - where.levels().pressure(k + 1, surface));
    }
};

void set_rotation(const Task &t, const Corners &psi, int j) {
    const Shape &s = t.where.patch().shape;
    for (int k = 0; k < s.nz; ++k) {
        double *east = t.fluxes.east_row(k, j), *north = t.fluxes.north_row(k, j);
        if (j < s.ny)
            for (int i = 0; i <= s.nx; ++i)
                east[i] =
                    0.5 * (t.thickness(i, k, j) + t.thickness(i, k, j + 1)) * (psi(i, j) - psi(i, j + 1));
        for (int i = 0; i < s.nx; ++i)
            north[i] = 0.5 * (t.thickness(i, k, j) + t.thickness(i + 1, k, j)) * (psi(i + 1, j) - psi(i, j));
    }
}

/// The poles are points.
void close_poles(const Task &t) {
    const Patch &p = t.where.patch();
    for (int k = 0; k < p.shape.nz; ++k) {
        if (p.at_south()) std::fill_n(t.fluxes.north_row(k, 0), p.shape.nx, 0.0);
        if (p.at_north()) std::fill_n(t.fluxes.north_row(k, p.shape.ny), p.shape.nx, 0.0);
    }
}

void add_zonal(const Task &t, int j) {
    const Shape &s = t.where.patch().shape;
    const Levels &levels = t.where.levels();
    Scratch<double> sinking;
    for (int i = 0; i <= s.nx; ++i)
        sinking.push_back(t.step *
                          t.flow.zonal(t.where.west(i), t.where.south(j), t.where.south(j + 1), t.middle));
    const auto x = [&](int i, int k) {
        const bool inside = k > 0 && k < s.nz;
        return inside ? sinking[static_cast<std::size_t>(i)] *
                            t.flow.profile_zonal(levels.pressure(k, levels.reference))
                      : 0.0;
    };
    for (int k = 0; k <= s.nz; ++k) {
        double *up = t.fluxes.up_row(k, j), *east = k < s.nz ? t.fluxes.east_row(k, j) : nullptr;
        for (int i = 0; i < s.nx; ++i) up[i] += x(i, k) - x(i + 1, k);
        if (east)
            for (int i = 0; i <= s.nx; ++i) east[i] += x(i, k + 1) - x(i, k);
    }
}

void add_meridional(const Task &t, int j) {
    const Shape &s = t.where.patch().shape;
    const Levels &levels = t.where.levels();
    const auto profile = [&](int k) {
        return k > 0 && k < s.nz ? t.flow.profile_meridional(levels.pressure(k, levels.reference)) : 0.0;
    };
    const double width = t.step * 2 * pi / t.where.globe().nlon;
    const double south = width * t.flow.meridional(t.where.south(j), t.middle);
    const double north = j < s.ny ? width * t.flow.meridional(t.where.south(j + 1), t.middle) : 0;
    for (int k = 0; k < s.nz; ++k) {
        double *passing = t.fluxes.north_row(k, j);
        for (int i = 0; i < s.nx; ++i) passing[i] += south * (profile(k) - profile(k + 1));
        if (j == s.ny) continue;
        double *up = t.fluxes.up_row(k, j);
        for (int i = 0; i < s.nx; ++i) up[i] += (north - south) * profile(k);
    }
}

/// What has to pass the layers' interfaces for as much to leave each cell as enters it, from the top down.
void add_balance(const Task &t, int j) {
    const Shape &s = t.where.patch().shape;
    for (int k = s.nz - 1; k >= 0; --k) {
        const double *east = t.fluxes.east_row(k, j), *south = t.fluxes.north_row(k, j),
                     *north = t.fluxes.north_row(k, j + 1), *top = t.fluxes.up_row(k + 1, j);
        double *bottom = t.fluxes.up_row(k, j);
        for (int i = 0; i < s.nx; ++i) bottom[i] = top[i] + (east[i + 1] - east[i]) + (north[i] - south[i]);
    }
}

} // namespace

PatchOfGlobe::PatchOfGlobe(const GlobeGrid &globe, const Levels &levels, const Patch &patch, const Flow *flow)
    : globe_(globe), levels_(levels), patch_(patch) {
    const Shape &s = patch.shape;
    surface_.resize(index(s.nx, s.ny) + 1), corners_.resize(surface_.size());
    const auto pressure = [&](double lon, double lat) {
        const double height = flow ? flow->terrain(lon, lat) : 0;
        return height > 0 ? pressure_at(height) : levels.reference;
    };
    for (int j = 0; j <= s.ny; ++j)
        for (int i = 0; i <= s.nx; ++i) {
            corners_[index(i, j)] = pressure(west(i), south(j));
            if (i < s.nx && j < s.ny) surface_[index(i, j)] = pressure(lon(i), lat(j));
        }
    if (!flow) return;
    for (const double value : globe.lon)
        for (const double lat_value : globe.lat) flat_ = flat_ && flow->terrain(value, lat_value) == 0;
}

void PatchOfGlobe::set_surface(std::span<const double> pressure) {
    auto next = pressure.begin();
    for (int j = 0; j < patch_.shape.ny; ++j)
        for (int i = 0; i < patch_.shape.nx; ++i) surface_[index(i, j)] = *next++;
}

void find_fluxes(const Flow &flow, const PatchOfGlobe &where, double middle, double step,
                 MassFluxes &fluxes) {
    const Task task{flow, where, middle, step, fluxes};
    const Corners psi(flow, where, middle);
    const int ny = where.patch().shape.ny;
    std::ranges::fill(fluxes.up, 0.0);
    // A row and the faces to its south; the last faces are of no row.
    for_each_row(ny + 1, [&](int j) {
        set_rotation(task, psi, j);
        if (!flow.overturns()) return;
        if (j < ny) add_zonal(task, j);
        add_meridional(task, j);
    });
    close_poles(task);
    if (!where.flat()) for_each_row(ny, [&](int j) { add_balance(task, j); });
}

} // namespace squall::transport
