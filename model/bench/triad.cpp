/// Memory bandwidth as the STREAM triad measures it (McCalpin 1995): a = b + s c.
///
/// Prints one line of JSON: {"threads": N, "bytes": B, "bandwidth": [bytes per second of each
/// repeat]}. Counts 24 bytes per point as STREAM does; the line that a store first reads into
/// the cache is not counted.
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <omp.h>

namespace {

/// Points per array: 3 x 256 MiB, far beyond any cache.
constexpr std::ptrdiff_t points = std::ptrdiff_t{1} << 25;
constexpr int repeats = 12;

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One pass, in seconds.
double triad(double *a, const double *b, const double *c, double s) {
    const double begin = seconds();
#pragma omp parallel for simd schedule(static)
    for (std::ptrdiff_t i = 0; i < points; ++i) a[i] = b[i] + s * c[i];
    return seconds() - begin;
}

/// Storage that the threads that will use it touch first, so that it lies in their memory.
std::unique_ptr<double[]> touched(double value) {
    std::unique_ptr<double[]> array(new double[points]);
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < points; ++i) array[i] = value;
    return array;
}

} // namespace

int main() {
    const auto a = touched(0), b = touched(1), c = touched(2);
    constexpr double bytes = 3.0 * sizeof(double) * points;
    triad(a.get(), b.get(), c.get(), 3); // the first pass warms up
    std::printf("{\"threads\": %d, \"bytes\": %.0f, \"bandwidth\": [", omp_get_max_threads(), bytes);
    for (int i = 0; i < repeats; ++i)
        std::printf("%s%.6g", i ? ", " : "", bytes / triad(a.get(), b.get(), c.get(), 3 + i));
    std::printf("]}\n");
    return a[points - 1] == 1 + 2.0 * (3 + repeats - 1) ? EXIT_SUCCESS : EXIT_FAILURE;
}
