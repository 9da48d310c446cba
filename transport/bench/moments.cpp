// How many cells of tracers a second the transport by second-order moments does on the cores that
// OMP_NUM_THREADS says, and what share that is of what the memory allows these, where each of the three
// directions reads and writes all moments once: moments-bench [tracers] [nlon] [nlat] [nz] [steps]. Steps and
// passes over the memory take turns, and each counts the processor time of the first thread, so that a busy
// machine disturbs both alike.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numbers>
#include <vector>

#include "globe/rows.hpp"
#include "moments/advection.hpp"
#include "tracers/state.hpp"

namespace {

using namespace squall;
using namespace squall::transport;

template <class F> double processor_seconds_of(F f) {
    const auto now = [] {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    };
    const double begin = now();
    f();
    return now() - begin;
}

double median(std::vector<double> x) {
    std::ranges::nth_element(x, x.begin() + std::ssize(x) / 2);
    return x[x.size() / 2];
}

/// Mixing ratios near 1 with moments that keep them positive.
void fill(Block &block, int tracers) {
    const Shape &s = block.shape();
    for (int f = 1; f < block.fields(); ++f)
        for (int j = 0; j < s.ny; ++j)
            for (int k = 0; k < s.nz; ++k)
                for (int i = 0; i < s.nx; ++i) {
                    const double share =
                        (f - 1) % 10 == 0 ? 1 : 0.1 * ((f + 7 * i + 3 * j + 11 * k) % 13 - 6) / 6.0;
                    block.row(f, k, j)[i] = share * block.row(0, k, j)[i] / tracers;
                }
}

/// Reads and writes all moments once for each direction.
void pass(Block &block, double factor) {
    const std::ptrdiff_t values = block.row_stride();
    for (int direction = 0; direction < 3; ++direction)
        for_each_row(block.shape().ny, [&block, factor, values](int j) {
            double *x = block.row(0, 0, j);
            for (std::ptrdiff_t n = 0; n < values; ++n) x[n] *= factor;
        });
}

int run(int tracers, int nlon, int nlat, int nz, int steps) {
    const GlobeGrid globe = make_globe("gaussian", nlon, nlat);
    LevelSettings layers;
    layers.nz = nz, layers.top = 10, layers.coordinate = "hybrid";
    const Levels levels = make_levels(layers);
    Boundaries sides;
    sides.south = sides.north = Boundary::open;
    const Patch patch = make_patch(0, 1, 1, nlon, nlat, nz, sides);
    WindSettings wind;
    wind.angle = 45;
    const auto flow = make_flow(wind);
    const PatchOfGlobe where(globe, levels, patch, flow.get());
    Neighbours neighbours(MPI_COMM_SELF, patch);
    Block block(patch.shape, fields_of(Scheme::second_order, tracers));
    set_air(block, where);
    fill(block, tracers);
    MassFluxes fluxes(patch.shape);
    const double step = 900 * 320.0 / nlon;
    find_fluxes(*flow, where, 0, step, fluxes);
    Advection advection(neighbours, Scheme::second_order, tracers, true);
    std::vector<double> took, allowed, shares;
    for (int n = 0; n <= steps; ++n) { // the first one warms up
        took.push_back(processor_seconds_of([&] { advection.step(block, fluxes, n); }));
        allowed.push_back(processor_seconds_of([&] { pass(block, 1 + 1e-15 * n); }));
        shares.push_back(allowed.back() / took.back());
        if (n == 0) took.clear(), allowed.clear(), shares.clear();
    }
    const double cells = 1e-6 * nlon * nlat * nz * tracers, values = block.fields() - 1.0;
    std::printf("%d thread(s), %d tracers, %d x %d x %d: %.1f million cells of tracers a second of %.1f that "
                "%.1f GB/s of memory allow: %.0f %% (%g)\n",
                omp_get_max_threads(), tracers, nlon, nlat, nz, cells / median(took), cells / median(allowed),
                48e-3 * cells * values / tracers / median(allowed), 100 * median(shares),
                block.row(1, 0, 0)[0]);
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const auto number = [&](int n, int otherwise) { return argc > n ? std::atoi(argv[n]) : otherwise; };
    const int status = run(number(1, 8), number(2, 128), number(3, 64), number(4, 60), number(5, 9));
    MPI_Finalize();
    return status;
}
