/// A few neighbouring columns side by side, so that loops over them vectorise.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/constants.hpp"
#include "physics/radiation/column.hpp"

namespace squall::radiation {

inline constexpr int lanes = 8;

/// Rows of numbers, one for each lane: a row for each layer or interface, ground first.
template <class Number> class Rows {
  public:
    void resize(int rows) { values_.assign(static_cast<std::size_t>(rows) * lanes, Number(0)); }
    Number *operator()(int row) { return values_.data() + std::ptrdiff_t(row) * lanes; }
    const Number *operator()(int row) const { return values_.data() + std::ptrdiff_t(row) * lanes; }

  private:
    std::vector<Number> values_;
};

/// solve(columns, layers) for columns of equally many layers, at most `lanes` at a time.
template <class Solve> void for_each_batch(std::span<const Request> requests, Solve solve) {
    while (!requests.empty()) {
        const int layers = requests.front().column->size();
        std::size_t n = 1;
        while (n < requests.size() && n < lanes && requests[n].column->size() == layers) ++n;
        solve(requests.first(n), layers);
        requests = requests.subspan(n);
    }
}

/// The column in a lane; in those beyond the last one, the last one again.
inline const Column &in_lane(std::span<const Request> batch, int lane) {
    return *batch[std::min(static_cast<std::size_t>(lane), batch.size() - 1)].column;
}

/// Mass of a layer, air with its vapour [kg m-2].
inline double mass_of(const Column &c, int layer) {
    const auto k = static_cast<std::size_t>(layer);
    return (c.pressure[k] - c.pressure[k + 1]) / double(constants::g);
}

/// Vapour of a layer over its mass [kg kg-1].
inline double vapour_of(const Layer &layer) {
    constexpr double weights = 18.016 / 28.964; // of a molecule of water and one of dry air
    const double ratio = double(layer.ratios[h2o]) * weights;
    return ratio / (1 + ratio);
}

/// Water of a layer's cloud, drops, crystals and flakes each with a weight, as if it filled the layer
/// [g m-2 times the weights].
inline double cloud_water(const Layer &layer, const double (&weights)[cloud_kinds]) {
    double all = 0;
    for (std::size_t kind = 0; kind < cloud_kinds; ++kind) all += weights[kind] * layer.cloud[kind].path;
    return layer.cover * all;
}

} // namespace squall::radiation
