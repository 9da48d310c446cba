#include <numeric>

#include <gtest/gtest.h>

#include "globe/grid.hpp"

namespace squall::transport {
namespace {

TEST(Globe, CellsCoverTheSphere) {
    for (const char *kind : {"regular", "gaussian"}) {
        const GlobeGrid g = make_globe(kind, 128, 64);
        const double all = 128 * std::accumulate(g.area.begin(), g.area.end(), 0.0);
        EXPECT_NEAR(all / (4 * pi * radius * radius), 1, 1e-14) << kind;
    }
}

} // namespace
} // namespace squall::transport
