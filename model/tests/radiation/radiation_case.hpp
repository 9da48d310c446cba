/// Columns of air for the tests of radiation, and the tables where they are.
#pragma once

#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "physics/radiation/column.hpp"
#include "physics/radiation/tables.hpp"

namespace squall::radiation {

/// Layers of equal mass between the ground and 10 hPa, isothermal.
inline Column plain_column(int layers, double temperature) {
    Column c;
    c.resize(layers);
    for (int k = 0; k <= layers; ++k) {
        c.pressure[std::size_t(k)] = 1e5 - k * 0.99e5 / layers;
        c.temperature[std::size_t(k)] = temperature;
    }
    for (std::size_t k = 0; k < c.layers.size(); ++k) {
        c.layers[k].pressure = 0.5 * (c.pressure[k] + c.pressure[k + 1]);
        c.layers[k].temperature = temperature;
        c.layers[k].ratios[dry_air] = 1;
    }
    return c;
}

/// The tables of this machine; null where there are none.
inline const Tables *tables_here() {
    static const std::unique_ptr<Tables> here = [] {
        try {
            return std::make_unique<Tables>(Tables::read("", Resolution::coarse));
        } catch (const std::runtime_error &) {
            return std::unique_ptr<Tables>();
        }
    }();
    return here.get();
}

/// The fluxes of one column.
template <class Solver> void solve(Solver &solver, const Column &c, const CloudMask &mask, Fluxes &fluxes) {
    const Request request{&c, &mask, &fluxes};
    solver.solve({&request, 1});
}

class WithTables : public testing::Test {
  protected:
    void SetUp() override {
        if (!tables_here()) GTEST_SKIP() << "needs the tables of the radiation: squall fetch radiation";
    }
};

} // namespace squall::radiation
