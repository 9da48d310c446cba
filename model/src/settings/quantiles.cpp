#include "settings/quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace squall {

std::optional<Quantiles> quantiles_in(const std::string &words) {
    constexpr int most_bins = 1 << 20; // as io has it
    Quantiles q;
    std::istringstream in(words);
    double number = 0;
    while (in >> number) q.which.push_back(number);
    in.clear(); // a word stopped the numbers
    std::string of, bins, from, to, rest;
    in >> of >> q.bins >> bins >> from >> q.low >> to >> q.high;
    const bool said = in && !(in >> rest) && of == "of" && bins == "bins" && from == "from" && to == "to";
    const auto possible = [](double p) { return p >= 0 && p <= 1; };
    if (!said || q.which.empty() || !std::ranges::all_of(q.which, possible) || q.bins < 1 ||
        q.bins > most_bins || !(q.low < q.high) || !std::isfinite(q.high - q.low))
        return std::nullopt;
    return q;
}

} // namespace squall
