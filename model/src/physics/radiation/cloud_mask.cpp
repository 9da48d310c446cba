#include "physics/radiation/cloud_mask.hpp"

#include <algorithm>

#include "core/loop.hpp"

namespace squall::radiation {
namespace {

/// A number that differs in half its bits for numbers that differ in one (the finaliser of SplitMix64:
/// Steele, Lea and Flood 2014, doi 10.1145/2660193.2660195).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// In [0, 1).
double uniform(std::uint64_t key) { return static_cast<double>(mixed(key) >> 11) * 0x1p-53; }

/// Whether every layer is all cloud or none: then nothing is drawn.
bool certain(const Column &c) {
    return std::ranges::all_of(c.layers, [](const Layer &l) { return l.cover <= 0 || l.cover >= 1; });
}

} // namespace

void set_cloud_mask(const Column &c, int points, Seed seed, CloudMask &mask) {
    mask.points = points;
    const auto n = static_cast<std::size_t>(points), values = static_cast<std::size_t>(c.size()) * n;
    if (mask.cloudy.size() < values) mask.cloudy.resize(values);
    if (certain(c)) {
        for (int k = 0; k < c.size(); ++k)
            if (c.layers[static_cast<std::size_t>(k)].cover > 0) std::fill_n(mask.row(k), points, real(1));
        return;
    }
    mask.keys.resize(n);
    mask.ranks.assign(n, 0.0); // of the layer above: cloudy where it exceeds 1 - cover
    const std::uint64_t column = mixed(mixed(mixed(seed.place) ^ seed.time) ^ seed.part);
    for_each_i(0, points, [keys = mask.keys.data(), column](int g) {
        keys[g] = mixed(column + static_cast<std::uint64_t>(g));
    });
    double cover_above = 0;
    for (int k = c.size() - 1; k >= 0; --k) {
        const double cover = c.layers[static_cast<std::size_t>(k)].cover;
        if (cover > 0)
            for_each_i(0, points,
                       [=, row = mask.row(k), keys = mask.keys.data(), ranks = mask.ranks.data(),
                        layer = static_cast<std::uint64_t>(k)](int g) {
                           const double drawn = uniform(keys[g] + layer) * (1 - cover_above);
                           const bool goes_on = ranks[g] > 1 - cover_above;
                           const double rank = goes_on ? ranks[g] : drawn;
                           ranks[g] = rank;
                           row[g] = rank > 1 - cover ? real(1) : real(0);
                       });
        cover_above = cover;
    }
}

} // namespace squall::radiation
