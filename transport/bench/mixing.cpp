// How many floating-point operations a second the product of mixing matrices with fields of tracers does on
// one core, next to the same operations on registers alone, and how long making the matrices takes:
// mixing-bench [layers] [fields].
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "columns/matrices.hpp"

namespace {

using namespace squall::transport;

/// The least seconds of some passes.
template <class F> double seconds_of(F f) {
    double least = 1e300;
    for (int pass = 0; pass < 15; ++pass) {
        const auto begin = std::chrono::steady_clock::now();
        f();
        least =
            std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return least;
}

/// As many sums as a product holds in registers, each a product and a sum a round, without memory.
double peak(Doubles a, Doubles b) {
    constexpr int sums = 4 * fields_at_once, rounds = 400000;
    double kept = 0;
    const double seconds = seconds_of([&] {
        Doubles x[sums] = {};
        for (int r = 0; r < rounds; ++r)
            for (auto &each : x) each = a * each + b;
        for (const auto &each : x) kept += each[0];
    });
    return kept == 1 ? 0 : 2.0 * lanes * sums * rounds / seconds;
}

MixingMatrices deep_convection(int nz) {
    MixingMatrices matrices(nz);
    for (int lane = 0; lane < lanes; ++lane)
        for (int k = 1; k < nz; ++k) {
            matrices.pass(lane, k - 1, k, 0.7), matrices.pass(lane, k, k - 1, 0.7);
            for (int from = 0; from < k; ++from) matrices.pass(lane, from, k, 0.01);
        }
    return matrices;
}

} // namespace

int main(int argc, char **argv) {
    const int nz = argc > 1 ? std::atoi(argv[1]) : 60, fields = argc > 2 ? std::atoi(argv[2]) : 60;
    const double share = 1e-3 * argc;
    const double most = peak(Doubles{} + (1 - share), Doubles{} + share);
    const MixingMatrices unsolved = deep_convection(nz);
    MixingMatrices matrices = unsolved;
    const double making = seconds_of([&] { matrices = unsolved, matrices.invert(); });
    const auto size = static_cast<std::size_t>(fields) * static_cast<std::size_t>(nz);
    std::vector<Doubles> x(size, Doubles{} + share), y(size);
    const double seconds = seconds_of([&] { matrices.multiply(x.data(), y.data(), fields); });
    const double rate = 2.0 * lanes * nz * nz * fields / seconds;
    std::printf(
        "%d layers, %d fields: %.1f GFLOP/s, of %.1f on registers: %.0f %%; a product takes %.1f us, making "
        "the matrices %.1f us for %d columns (%g)\n",
        nz, fields, 1e-9 * rate, 1e-9 * most, 100 * rate / most, 1e6 * seconds, 1e6 * making, lanes, y[0][0]);
}
