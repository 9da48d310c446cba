#include "tracers/sources.hpp"

#include <algorithm>
#include <cmath>

#include "moments/advection.hpp"
#include "parallel/tiles.hpp"

namespace squall::transport {
namespace {

constexpr double degrees = 180 / pi;

/// Length of what two intervals have in common.
double overlap(double a0, double a1, double b0, double b1) {
    return std::max(0.0, std::min(a1, b1) - std::max(a0, b0));
}

/// The part of a patch and a tracer in which something happens.
struct Site {
    Block &block;
    const PatchOfGlobe &where;
    Scheme scheme;
    int tracer;

    double *mass(int k, int j) const { return block.row(field_of(scheme, tracer, 0), k, j); }
    /// Multiplies all moments of a row.
    void scale(int k, int j, double factor) const {
        for (int m = 0; m < moments_of(scheme); ++m) {
            double *row = block.row(field_of(scheme, tracer, m), k, j);
            for (int i = 0; i < block.shape().nx; ++i) row[i] *= factor;
        }
    }
    /// Height of the lower interface of a layer above the sea [m].
    double height(int i, int k, int j) const {
        return height_of(where.levels().pressure(k, where.surface(i, j)));
    }
};

/// By the share of the row that lies in the band.
void emit(const SourceSettings &s, const Site &site, int j, double step) {
    const double south = std::sin(site.where.south(j)), north = std::sin(site.where.south(j + 1));
    const double in_band =
        overlap(south, north, std::sin(s.emission_south / degrees), std::sin(s.emission_north / degrees));
    const double mass = s.emission * step * site.where.area(j) * in_band / (north - south);
    for (int i = 0; i < site.block.shape().nx; ++i) site.mass(0, j)[i] += mass;
}

/// What falls out of the lowest layer, of a thickness that differs from cell to cell.
void deposit(const SourceSettings &s, const Site &site, int j, double step) {
    for (int i = 0; i < site.block.shape().nx; ++i) {
        const double thickness = site.height(i, 1, j) - site.height(i, 0, j);
        const double kept = std::exp(-s.deposition_velocity * step / thickness);
        for (int m = 0; m < moments_of(site.scheme); ++m)
            site.block.row(field_of(site.scheme, site.tracer, m), 0, j)[i] *= kept;
    }
}

void tick(const Site &site, int j, double step) {
    const Shape &shape = site.block.shape();
    site.scale(0, j, 0);
    for (int k = 1; k < shape.nz; ++k)
        for (int i = 0; i < shape.nx; ++i) site.mass(k, j)[i] += step * site.block.row(0, k, j)[i];
}

/// Into the layers of the column in which the eruption is, by their shares of its heights.
void erupt(const SourceSettings &s, const Site &site, int j, double begin, double step) {
    const double lat = s.eruption_latitude / degrees;
    const bool last = site.where.patch().y0 + j + 1 == site.where.globe().nlat; // the pole is in it
    if (lat < site.where.south(j) || (lat >= site.where.south(j + 1) && !last)) return;
    const int nlon = site.where.globe().nlon;
    const double lon = std::fmod(std::fmod(s.eruption_longitude, 360) + 360, 360);
    const int i = std::min(static_cast<int>(lon / 360 * nlon), nlon - 1) - site.where.patch().x0;
    if (i < 0 || i >= site.block.shape().nx) return;
    const double mass =
        s.eruption_mass / s.eruption_duration *
        overlap(begin, begin + step, s.eruption_start, s.eruption_start + s.eruption_duration);
    for (int k = 0; k < site.block.shape().nz; ++k)
        site.mass(k, j)[i] +=
            mass / (s.eruption_top - s.eruption_bottom) *
            overlap(site.height(i, k, j), site.height(i, k + 1, j), s.eruption_bottom, s.eruption_top);
}

} // namespace

void apply_sources(const SourceSettings &s, Block &block, const PatchOfGlobe &where, Scheme scheme,
                   int tracer, double begin, double step) {
    const Site site{block, where, scheme, tracer};
    const Shape &shape = block.shape();
    for_each_tile(make_tiles({0, 1, 0, shape.ny, 0, 1}, 1, 1), [&](const Range &row) {
        const int j = row.j0;
        if (s.emission > 0) emit(s, site, j, step);
        if (s.eruption_mass > 0) erupt(s, site, j, begin, step);
        if (s.deposition_velocity > 0) deposit(s, site, j, step);
        if (s.lifetime > 0)
            for (int k = 0; k < shape.nz; ++k) site.scale(k, j, std::exp(-step / s.lifetime));
        if (s.clock) tick(site, j, step);
    });
}

} // namespace squall::transport
