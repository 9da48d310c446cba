// The mixing length: Blackadar's with Mellor and Yamada's integral in the boundary layer, a share of the
// layers' depth above it, and never longer than turbulence of that energy allows (Janjic 2002).
#include <algorithm>
#include <array>
#include <cmath>

#include "core/loop.hpp"
#include "physics/myj/closure.hpp"
#include "physics/myj/profiles.hpp"

namespace squall::myj {
namespace {

constexpr real karman = real(0.4);
constexpr real whole_share = real(0.3);                  // alpha of Mellor and Yamada
constexpr real shortest_whole = 1, longest_whole = 1000; // [m]
constexpr real of_layers = real(0.23);              // above the boundary layer, times the layers' mean depth
constexpr real at_rest = least_energy * real(1.01); // q^2 up to which there is no boundary layer

using Row = std::array<real, columns_at_a_time>;

void find_tops(const Profiles &p) {
    int *const top = p.top.data();
    std::fill_n(top, p.c.n, p.c.nz - 1);
    for (int k = p.c.nz - 1; k > 0; --k)
        for_each_i(0, p.c.n, [=, q2 = p.energy.row(k)](int i) { top[i] = q2[i] <= at_rest ? k : top[i]; });
}

/// Asymptotic length, of q up to the top of the boundary layer.
void find_whole(const Profiles &p, Row &whole) {
    Row sum{}, moment{};
    for (int k = p.c.nz - 2; k >= 0; --k)
        for_each_i(0, p.c.n,
                   [k, top = p.top.data(), sum = sum.data(), moment = moment.data(), q2 = p.energy.row(k),
                    q2_above = p.energy.row(k + 1), dz = p.c.depth.row(k), z = p.bottom.row(k),
                    z_above = p.bottom.row(k + 1)](int i) {
                       const real q = k <= top[i] ? std::sqrt(q2[i]) : real(0);
                       const real q_above = k + 1 <= top[i] ? std::sqrt(q2_above[i]) : real(0);
                       const real weight = (q + q_above) * dz[i];
                       sum[i] += weight;
                       moment[i] += (z[i] + z_above[i]) * weight;
                   });
    for (int i = 0; i < p.c.n; ++i)
        whole[i] = std::clamp(whole_share * moment[i] / 2 / sum[i], shortest_whole, longest_whole);
}

/// Inside, l is a mean with its neighbours' shares of their longest, where that is shorter.
void shorten(const Profiles &p) {
    Row shares_below, shares;
    const auto share_at = [&p](int k, Row &to) {
        for_each_i(0, p.c.n, [to = to.data(), l = p.length.row(k), most = p.longest.row(k)](int i) {
            to[i] = l[i] / most[i];
        });
    };
    if (p.c.nz < 3) return;
    share_at(1, shares_below);
    share_at(2, shares);
    for (int k = 2; k + 1 < p.c.nz; ++k)
        for_each_i(0, p.c.n,
                   [k, top = p.top.data(), below = shares_below.data(), share = shares.data(),
                    l = p.length.row(k), most = p.longest.row(k), l_above = p.length.row(k + 1),
                    most_above = p.longest.row(k + 1)](int i) {
                       const real above = l_above[i] / most_above[i];
                       const real mean = ((below[i] + above) / 2 + share[i]) / 2;
                       const bool shorter = (k < top[i]) & (mean < share[i]);
                       l[i] = shorter ? std::max(mean * most[i], least_length) : l[i];
                       below[i] = share[i];
                       share[i] = above;
                   });
}

} // namespace

void find_lengths(const Profiles &p) {
    find_tops(p);
    std::fill_n(p.length.row(0), p.c.n, real(0));
    if (p.c.nz < 2) return;
    Row whole;
    find_whole(p, whole);
    for (int k = 1; k < p.c.nz; ++k)
        for_each_i(0, p.c.n,
                   [k, top = p.top.data(), whole = whole.data(), l = p.length.row(k), most = p.longest.row(k),
                    z = p.bottom.row(k), dz = p.c.depth.row(k), dz_below = p.c.depth.row(k - 1)](int i) {
                       const real inside = karman * z[i] / (karman * z[i] / whole[i] + 1);
                       const real above = (dz[i] + dz_below[i]) * (of_layers / 2);
                       l[i] = std::min(k > top[i] ? above : inside, most[i]);
                   });
    shorten(p);
}

} // namespace squall::myj
