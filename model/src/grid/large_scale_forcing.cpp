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

void LargeScaleForcing::set_wind(double now) {
    const std::vector<double> &times = geostrophic.seconds;
    if (times.empty()) return;
    const auto later = std::ranges::upper_bound(times, now);
    const auto after = std::min(static_cast<std::size_t>(later - times.begin()), times.size() - 1),
               before = after > 0 ? after - 1 : 0;
    const double length = times[after] - times[before];
    const real weight =
        length > 0 ? static_cast<real>(std::clamp((now - times[before]) / length, 0.0, 1.0)) : 0;
    const auto set = [&](const std::vector<std::vector<real>> &all, std::vector<real> &wind) {
        for (std::size_t k = 0; k < wind.size(); ++k)
            wind[k] = all[before][k] + weight * (all[after][k] - all[before][k]);
    };
    set(geostrophic.u, geostrophic_u), set(geostrophic.v, geostrophic_v);
}

} // namespace squall
