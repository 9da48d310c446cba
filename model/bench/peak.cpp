// squall-peak: how many floating-point operations a second the cores of this machine do. Vectors of products
// and sums that are not fused, as the model's: enough of them side by side to hide how long each takes.
#include <array>
#include <chrono>
#include <cstdio>
#include <vector>

#include <omp.h>

namespace {

constexpr int lanes = 192, rounds = 200000, passes = 7;
constexpr double operations = 2.0 * lanes * rounds; // of a thread and pass

/// x = a x + b on all lanes, over and over; a sum so that nobody leaves it out.
float work(float a, float b) {
    std::array<float, lanes> x{};
    for (int r = 0; r < rounds; ++r)
#pragma omp simd
        for (int l = 0; l < lanes; ++l) x[l] = a * x[l] + b;
    float sum = 0;
    for (const float value : x) sum += value;
    return sum;
}

} // namespace

int main(int argc, char **) {
    const float a = 1.0f - 1e-3f * static_cast<float>(argc), b = 1e-3f * static_cast<float>(argc);
    std::vector<double> rates;
    float kept = 0;
    for (int pass = 0; pass < passes; ++pass) {
        const auto begin = std::chrono::steady_clock::now();
#pragma omp parallel reduction(+ : kept)
        kept += work(a, b);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        rates.push_back(operations * omp_get_max_threads() / seconds);
    }
    std::printf("{\"kept\": %g, \"operations_per_second\": [", static_cast<double>(kept));
    for (std::size_t n = 0; n < rates.size(); ++n) std::printf("%s%.4e", n ? ", " : "", rates[n]);
    std::printf("]}\n");
}
