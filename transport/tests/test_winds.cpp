#include <cmath>

#include <gtest/gtest.h>

#include "globe/grid.hpp"
#include "tracers/shapes.hpp"
#include "tracers/terminator.hpp"
#include "winds/flow.hpp"

namespace squall::transport {
namespace {

/// d(place)/dt of air at a place by the stream function: u east, v north [m s-1].
std::pair<double, double> wind(const Flow &flow, double lon, double lat, double time) {
    const double h = 1e-5;
    const double u = -(flow.stream(lon, lat + h, time) - flow.stream(lon, lat - h, time)) / (2 * h * radius);
    const double v = (flow.stream(lon + h, lat, time) - flow.stream(lon - h, lat, time)) /
                     (2 * h * radius * std::cos(lat));
    return {u, v};
}

TEST(Flow, AirCarriedByTheWindCameFromItsOrigin) {
    for (const char *name : {"solid-body", "moving-vortices"}) {
        const auto flow = make_flow({name, 12 * 86400, 40, "", "rows"});
        double lon = 1.1, lat = -0.4;
        const Direction3 start = to_direction(lon, lat);
        const double end = 86400;
        const int steps = 4000;
        for (int n = 0; n < steps; ++n) { // by the midpoint rule
            const double step = end / steps;
            const auto [u, v] = wind(*flow, lon, lat, n * step);
            const double half_lon = lon + 0.5 * step * u / (radius * std::cos(lat)),
                         half_lat = lat + 0.5 * step * v / radius;
            const auto [u2, v2] = wind(*flow, half_lon, half_lat, (n + 0.5) * step);
            lon += step * u2 / (radius * std::cos(half_lat)), lat += step * v2 / radius;
        }
        EXPECT_NEAR(dot(*flow->origin(to_direction(lon, lat), end), start), 1, 1e-10) << name;
    }
}

TEST(Flow, TheWaveOfRossbyAndHaurwitzHasItsWindAndGoesEast) {
    const auto flow = make_flow({"rossby-haurwitz", 12 * 86400, 0, "", "rows"});
    const double lon = 0.7, lat = 0.6, days = 3;
    // Williamson and others (1992), equations 144, 145 and 149
    const double east = (28 * 7.848e-6 - 2 * 7.292e-5) / 30 * days * 86400;
    const double c = std::cos(lat), s = std::sin(lat), phase = 4 * (lon - east);
    const double u = radius * 7.848e-6 * (c + c * c * c * (4 * s * s - c * c) * std::cos(phase));
    const double v = -radius * 7.848e-6 * 4 * c * c * c * s * std::sin(phase);
    const auto [u_found, v_found] = wind(*flow, lon, lat, days * 86400);
    EXPECT_NEAR(u_found, u, 1e-5);
    EXPECT_NEAR(v_found, v, 1e-5);
}

TEST(Shapes, AreWhatThePapersSayAtTheirCentres) {
    const Direction3 centre = to_direction(5 * pi / 6, 0);
    EXPECT_NEAR(shape_of("cosine-bells").value(centre, 0), 1, 1e-12);
    EXPECT_NEAR(shape_of("correlated-bells").value(centre, 0), 0.1, 1e-12);
    EXPECT_NEAR(shape_of("dcmip-1-1-q1").value(centre, 5000), 1, 1e-12);
    EXPECT_NEAR(shape_of("dcmip-1-2").value(centre, 3500), 1, 1e-12);
    EXPECT_NEAR(shape_of("dcmip-1-3-q4").value(to_direction(0.5 * pi, 0), 8200), 1, 1e-12);
    EXPECT_NEAR(shape_of("slotted-cylinders").value(to_direction(5 * pi / 6, 0.2), 0), 0.1,
                1e-12); // the slot
    EXPECT_NEAR(shape_of("slotted-cylinders").value(to_direction(7 * pi / 6, 0.25), 0), 1, 1e-12);
}

TEST(Terminator, ABalanceStaysAndChlorineIsKept) {
    const Chlorine rest = balance_at(5.0, 0.3), after = react(rest, 5.0, 0.3, 1800);
    EXPECT_NEAR(after.atoms, rest.atoms, 1e-18);
    const Chlorine moved = react({3e-6, 0.5e-6}, 2.0, -0.5, 1800);
    EXPECT_NEAR(moved.atoms + 2 * moved.molecules, 4e-6, 1e-20);
    EXPECT_LT(moved.atoms, 3e-6); // at night atoms meet
}

} // namespace
} // namespace squall::transport
