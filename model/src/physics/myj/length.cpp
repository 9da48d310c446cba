// The mixing length: Blackadar's with Mellor and Yamada's integral in the boundary layer, a share of the
// layers' depth above it, and never longer than turbulence of that energy allows (Janjic 2002).
#include <algorithm>
#include <cmath>

#include "physics/myj/closure.hpp"
#include "physics/myj/profiles.hpp"

namespace squall::myj {
namespace {

constexpr real karman = real(0.4);
constexpr real whole_share = real(0.3);                  // alpha of Mellor and Yamada
constexpr real shortest_whole = 1, longest_whole = 1000; // [m]
constexpr real of_layers = real(0.23);              // above the boundary layer, times the layers' mean depth
constexpr real at_rest = least_energy * real(1.01); // q^2 up to which there is no boundary layer

int find_top(const Profiles &p, int i) {
    for (int k = 1; k < p.c.nz; ++k)
        if (p.energy(i, k) <= at_rest) return k;
    return p.c.nz - 1;
}

/// Asymptotic length, of q up to the top of the boundary layer.
real find_whole(const Profiles &p, int i, int top) {
    real sum = 0, moment = 0;
    const auto q = [&](int k) { return k <= top ? std::sqrt(p.energy(i, k)) : real(0); };
    for (int k = std::min(top, p.c.nz - 2); k >= 0; --k) {
        const real weight = (q(k) + q(k + 1)) * p.c.depth(i, k);
        sum += weight;
        moment += (p.bottom(i, k) + p.bottom(i, k + 1)) * weight;
    }
    return std::clamp(whole_share * moment / 2 / sum, shortest_whole, longest_whole);
}

/// Inside, l is a mean with its neighbours' shares of their longest, where that is shorter.
void shorten(const Profiles &p, int i) {
    const int top = p.top[static_cast<std::size_t>(i)];
    if (top < 2) return;
    const auto share_at = [&](int k) { return p.length(i, k) / p.longest(i, k); };
    real below = share_at(1), share = share_at(2);
    for (int k = 2; k < top; ++k) {
        const real above = share_at(k + 1), mean = ((below + above) / 2 + share) / 2;
        if (mean < share) p.length(i, k) = std::max(mean * p.longest(i, k), least_length);
        below = share, share = above;
    }
}

} // namespace

void find_lengths(const Profiles &p, int i) {
    const int nz = p.c.nz, top = find_top(p, i);
    p.top[static_cast<std::size_t>(i)] = top;
    p.length(i, 0) = 0;
    if (nz < 2) return;
    const real whole = find_whole(p, i, top);
    for (int k = 1; k < nz; ++k) {
        if (k > top) {
            p.length(i, k) =
                std::min((p.c.depth(i, k) + p.c.depth(i, k - 1)) * (of_layers / 2), p.longest(i, k));
            continue;
        }
        const real z = karman * p.bottom(i, k);
        p.length(i, k) = std::min(z / (z / whole + 1), p.longest(i, k));
    }
    shorten(p, i);
}

} // namespace squall::myj
