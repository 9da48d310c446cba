#include "grid/large_scale_forcing.hpp"

#include <algorithm>

namespace squall {

double SurfaceSeries::at(const std::vector<double> &values, double now) const {
    if (now <= seconds.front()) return values.front();
    if (now >= seconds.back()) return values.back();
    const auto later = std::ranges::upper_bound(seconds, now);
    const auto n = static_cast<std::size_t>(later - seconds.begin());
    const double weight = (now - seconds[n - 1]) / (seconds[n] - seconds[n - 1]);
    return values[n - 1] + weight * (values[n] - values[n - 1]);
}

} // namespace squall
