#include "globe/grid.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace squall::transport {
namespace {

using Reals = std::vector<double>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The k-th root of the Legendre polynomial of degree n, from 1 downwards, and its Gaussian weight, by
/// Newton's method.
struct Node {
    double root, weight;
};
Node gauss_legendre(int n, int k) {
    double x = std::cos(pi * (k + 0.75) / (n + 0.5)), slope = 0;
    for (int iteration = 0; iteration < 100; ++iteration) {
        double p = 1, before = 0;
        for (int l = 1; l <= n; ++l) {
            const double next = ((2 * l - 1) * x * p - (l - 1) * before) / l;
            before = p, p = next;
        }
        slope = n * (x * p - before) / (x * x - 1);
        const double change = p / slope;
        x -= change;
        if (std::abs(change) < 1e-15) break;
    }
    return {x, 2 / ((1 - x * x) * slope * slope)};
}

void set_regular_rows(GlobeGrid &g) {
    for (int j = 0; j <= g.nlat; ++j) g.lat_faces[at(j)] = (static_cast<double>(j) / g.nlat - 0.5) * pi;
    for (int j = 0; j < g.nlat; ++j) g.lat[at(j)] = ((j + 0.5) / g.nlat - 0.5) * pi;
}

/// The northern hemisphere, and its image.
void set_gaussian_rows(GlobeGrid &g) {
    double sine = 1;
    g.lat_faces.front() = -pi / 2, g.lat_faces.back() = pi / 2;
    for (int k = 0; k < g.nlat / 2; ++k) {
        const auto [root, weight] = gauss_legendre(g.nlat, k);
        const int north = g.nlat - 1 - k;
        g.lat[at(north)] = std::asin(root), g.lat[at(k)] = -g.lat[at(north)];
        sine -= weight;
        const double face = k == g.nlat / 2 - 1 ? 0 : std::asin(sine);
        g.lat_faces[at(north)] = face, g.lat_faces[at(k + 1)] = -face;
    }
}

/// Steps of eta, of which the surface is 1, from the ground to the top.
Reals eta_interfaces(const LevelSettings &s) {
    Reals eta;
    const double top = s.top / s.surface;
    for (int k = 0; k <= s.nz; ++k) {
        const double share = static_cast<double>(k) / s.nz;
        eta.push_back(s.spacing == "height" ? std::pow(top, share) : 1 + share * (top - 1));
    }
    eta.front() = 1, eta.back() = top;
    return eta;
}

} // namespace

GlobeGrid make_globe(const std::string &kind, int nlon, int nlat) {
    if (kind != "regular" && kind != "gaussian")
        throw std::invalid_argument(
            fmt::format("there is no grid \"{}\"; there are regular and gaussian", kind));
    if (nlon < 4 || nlat < 4 || nlat % 2 != 0)
        throw std::invalid_argument(fmt::format(
            "a globe of {} x {} cells: it needs 4 or more from west to east, and an even number of rows, 4 "
            "or more",
            nlon, nlat));
    GlobeGrid g{kind,
                nlon,
                nlat,
                Reals(at(nlon)),
                Reals(at(nlon) + 1),
                Reals(at(nlat)),
                Reals(at(nlat) + 1),
                Reals(at(nlat))};
    for (int i = 0; i <= nlon; ++i) g.lon_faces[at(i)] = 2 * pi * i / nlon;
    for (int i = 0; i < nlon; ++i) g.lon[at(i)] = 2 * pi * (i + 0.5) / nlon;
    kind == "regular" ? set_regular_rows(g) : set_gaussian_rows(g);
    for (int j = 0; j < nlat; ++j)
        g.area[at(j)] = radius * radius * (2 * pi / nlon) *
                        (std::sin(g.lat_faces[at(j + 1)]) - std::sin(g.lat_faces[at(j)]));
    return g;
}

Levels make_levels(const LevelSettings &s) {
    if (s.coordinate == "file") return {s.nz, s.a, s.b, s.surface};
    if (!(s.top > 0 && s.top < s.surface))
        throw std::invalid_argument(
            fmt::format("the top of the levels is at {} Pa; it must lie between 0 and the surface, {} Pa",
                        s.top, s.surface));
    Levels levels{s.nz, {}, {}, s.surface};
    const double top = s.top / s.surface;
    for (const double eta : eta_interfaces(s)) {
        const double share = (eta - top) / (1 - top);
        double b = 0;
        if (s.coordinate == "sigma")
            b = share;
        else if (s.coordinate == "hybrid")
            b = share * share;
        else if (s.coordinate != "pressure")
            throw std::invalid_argument(fmt::format(
                "there are no levels \"{}\"; there are pressure, sigma, hybrid and file", s.coordinate));
        levels.a.push_back((eta - b) * s.surface);
        levels.b.push_back(b);
    }
    return levels;
}

} // namespace squall::transport
