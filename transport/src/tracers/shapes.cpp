#include "tracers/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "globe/grid.hpp"
#include "tracers/terminator.hpp"

namespace squall::transport {
namespace {

double square(double x) { return x * x; }

/// Along a great circle, in radii.
double distance(const Direction3 &a, const Direction3 &b) {
    return std::acos(std::clamp(dot(a, b), -1.0, 1.0));
}

double longitude(const Direction3 &r) { return std::atan2(r[1], r[0]); }
double latitude(const Direction3 &r) { return std::asin(std::clamp(r[2], -1.0, 1.0)); }

double bell(double x) { return x < 1 ? 0.5 * (1 + std::cos(pi * x)) : 0; }

/// How far longitudes are apart, at most pi.
double apart(double a, double b) { return std::abs(std::remainder(a - b, 2 * pi)); }

// Lauritzen and others (2012): two centres on the equator.
constexpr double centres[] = {5 * pi / 6, 7 * pi / 6};

double one(const Direction3 &, double) { return 1; }

/// Williamson and others (1992), case 1, of height 1.
double cosine_bell(const Direction3 &r, double) { return bell(3 * distance(r, to_direction(1.5 * pi, 0))); }

double cosine_bells(const Direction3 &r, double) {
    double sum = 0;
    for (const double centre : centres) sum += bell(2 * distance(r, to_direction(centre, 0)));
    return 0.1 + 0.9 * sum;
}

/// Their equation 14 of tracers with a non-linear relation.
double correlated_bells(const Direction3 &r, double z) { return 0.9 - 0.8 * square(cosine_bells(r, z)); }

double gaussian_hills(const Direction3 &r, double) {
    double sum = 0;
    for (const double centre : centres) {
        const Direction3 c = to_direction(centre, 0);
        sum += 0.95 * std::exp(-5 * (2 - 2 * dot(r, c)));
    }
    return sum;
}

double slotted_cylinders(const Direction3 &r, double) {
    constexpr double wide = 0.5, slot = wide / 6;
    const double lon = longitude(r), lat = latitude(r);
    for (int n = 0; n < 2; ++n) {
        if (distance(r, to_direction(centres[n], 0)) > wide) continue;
        const bool in_slot = apart(lon, centres[n]) < slot;
        const bool closed = n == 0 ? lat < -5.0 / 12 * wide : lat > 5.0 / 12 * wide;
        if (!in_slot || closed) return 1;
    }
    return 0.1;
}

/// Nair and Jablonowski (2008), equation 22 at the start: in the globe whose pole is the vortex.
double vortices(const Direction3 &r, double) {
    const double lon = longitude(r) - 1.5 * pi, lat = latitude(r);
    const double turned_lon = std::atan2(std::cos(lat) * std::sin(lon), -std::sin(lat));
    const double rho = 3 * std::sqrt(std::max(1 - square(std::cos(lat) * std::cos(lon)), 0.0));
    return 1 - std::tanh(rho / 5 * std::sin(turned_lon));
}

// Kent and others (2014), test 1-1.

/// Squared distance from a centre in widths, at most 1.
double ellipse(const Direction3 &r, double z, double centre) {
    return std::min(1.0, square(distance(r, to_direction(centre, 0)) / 0.5) + square((z - 5000) / 1000));
}

double dcmip_11_1(const Direction3 &r, double z) {
    return bell(ellipse(r, z, centres[0])) + bell(ellipse(r, z, centres[1]));
}
double dcmip_11_2(const Direction3 &r, double z) { return 0.9 - 0.8 * square(dcmip_11_1(r, z)); }
double dcmip_11_3(const Direction3 &r, double z) {
    const bool inside = std::min(ellipse(r, z, centres[0]), ellipse(r, z, centres[1])) < 0.5;
    const bool slot = z > 5000 && std::abs(latitude(r)) < 0.125;
    return inside && !slot ? 1 : 0.1;
}
double dcmip_11_4(const Direction3 &r, double z) {
    return 1 - 0.3 * (dcmip_11_1(r, z) + dcmip_11_2(r, z) + dcmip_11_3(r, z));
}

/// Test 1-2: a layer between 2 and 5 km.
double dcmip_12(const Direction3 &, double z) {
    return std::abs(z - 3500) < 1500 ? 0.5 * (1 + std::cos(2 * pi * (z - 3500) / 3000)) : 0;
}

/// Test 1-3: thin clouds.
double cloud(const Direction3 &r, double z, double height, double depth, bool box) {
    const double x = distance(r, to_direction(0.5 * pi, 0)) / (0.25 * pi), y = std::abs(z - height);
    if (x >= 1 || y >= 0.5 * depth) return 0;
    return box ? 1 : 0.5 * (1 + std::cos(2 * pi * y / depth)) * bell(x);
}
double dcmip_13_1(const Direction3 &r, double z) { return cloud(r, z, 3050, 1000, false); }
double dcmip_13_2(const Direction3 &r, double z) { return cloud(r, z, 5050, 1000, false); }
double dcmip_13_3(const Direction3 &r, double z) { return cloud(r, z, 8200, 400, true); }
double dcmip_13_4(const Direction3 &r, double z) {
    return dcmip_13_1(r, z) + dcmip_13_2(r, z) + dcmip_13_3(r, z);
}

double atoms(const Direction3 &r, double) { return balance_at(longitude(r), latitude(r)).atoms; }
double molecules(const Direction3 &r, double) { return balance_at(longitude(r), latitude(r)).molecules; }

} // namespace

const std::vector<NamedShape> &shapes() {
    static const std::vector<NamedShape> all{
        {"constant", "1 everywhere", one},
        {"cosine-bell", "a bell at 90 W on the equator, Williamson et al. (1992)", cosine_bell},
        {"cosine-bells", "two bells, Lauritzen et al. (2012)", cosine_bells},
        {"correlated-bells", "0.9 - 0.8 q^2 of those", correlated_bells},
        {"gaussian-hills", "two smooth hills, Lauritzen et al. (2012)", gaussian_hills},
        {"slotted-cylinders", "two cylinders with slots, Lauritzen et al. (2012)", slotted_cylinders},
        {"vortices", "a front that the moving vortices roll up, Nair and Jablonowski (2008)", vortices},
        {"dcmip-1-1-q1", "two bells at 5 km, Kent et al. (2014)", dcmip_11_1, true},
        {"dcmip-1-1-q2", "0.9 - 0.8 q1^2", dcmip_11_2, true},
        {"dcmip-1-1-q3", "two ellipsoids with slots", dcmip_11_3, true},
        {"dcmip-1-1-q4", "1 - 0.3 (q1 + q2 + q3)", dcmip_11_4, true},
        {"dcmip-1-2", "a layer from 2 to 5 km, Kent et al. (2014)", dcmip_12, true},
        {"dcmip-1-3-q1", "a thin cloud at 3050 m, Kent et al. (2014)", dcmip_13_1, true},
        {"dcmip-1-3-q2", "one at 5050 m", dcmip_13_2, true},
        {"dcmip-1-3-q3", "a box at 8200 m", dcmip_13_3, true},
        {"dcmip-1-3-q4", "the three together", dcmip_13_4, true},
        {"terminator-cl", "atoms in balance with the sun, Lauritzen et al. (2015)", atoms},
        {"terminator-cl2", "molecules in balance with the sun", molecules}};
    return all;
}

std::vector<std::string> shape_names() {
    std::vector<std::string> names;
    for (const NamedShape &shape : shapes()) names.push_back(shape.name);
    return names;
}

const NamedShape &shape_of(const std::string &name) {
    const auto found = std::ranges::find(shapes(), name, &NamedShape::name);
    if (found == shapes().end())
        throw std::invalid_argument(fmt::format("there is no distribution \"{}\"; there are {}", name,
                                                fmt::join(shape_names(), ", ")));
    return *found;
}

} // namespace squall::transport
