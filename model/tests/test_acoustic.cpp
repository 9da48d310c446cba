// The acoustic substeps by themselves: what they do to sound. In a shallow isothermal atmosphere under a lid
// the wave that travels along has the frequency c k of Lamb's wave (Baldauf and Brdar 2013, Q. J. R.
// Meteorol. Soc. 139, 1977-1989), which forward-backward steps on staggered points change into
//
//     sin(omega dt / 2) = (c dt / dx) sin(k dx / 2)
//
// (Mesinger and Arakawa 1976). Between levels sound is stepped implicitly, without any loss where it is not
// off-centred.
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dynamics/acoustic.hpp"
#include "mixing_case.hpp"

namespace squall::test {
namespace {

constexpr double temperature = 250; // K
const double sound = std::sqrt(double(constants::cp_over_cv) * constants::r_d * temperature);

/// Resting isothermal air between the ground and a lid, periodic on all sides.
struct SoundCase : MixingCase {
    AcousticState a;
    Array3 php, thermal, none;
    Array2 mass2, zero2;
    AcousticSettings settings{1, 0, 0, 0, true, 0, 0};
    ScratchMemory scratch;

    SoundCase(Shape sh, double dx, double depth)
        : MixingCase(sh, dx, dx, depth / sh.nz), a(sh), php(sh), thermal(sh), none(sh), mass2(sh), zero2(sh),
          scratch(acoustic_scratch_rows(sh.nz), sh.nx + 8 + overrun) {
        const VerticalGrid &v = grid.vertical;
        const double top = v.p_top,
                     column = top * std::expm1(constants::g * depth / (constants::r_d * temperature));
        grid.mub.fill(real(column)), mass2.fill(real(column));
        const auto layer = [](int k) { return std::size_t(k); };
        std::vector<double> height{0};
        for (int k = 0; k < shape.nz; ++k) {
            const double here = top + v.znu[layer(k)] * column;
            height.push_back(height.back() - v.dnw[layer(k)] * column * constants::r_d * temperature / here);
        }
        set(grid.phb, [&](int, int k, int) { return height[layer(k)]; });
        for (int j = -3; j < shape.ny + 4; ++j)
            for (int k = 0; k < shape.nz; ++k)
                for (int i = -3; i < shape.nx + 4; ++i) {
                    const double here = top + v.znu[layer(k)] * column;
                    grid.pb(i, k, j) = real(here);
                    alt(i, k, j) = real(constants::r_d * temperature / here);
                    thermal(i, k, j) =
                        real(temperature * std::pow(1e5 / here, constants::r_d / constants::c_p) -
                             constants::theta0);
                    php(i, k, j) = real(0.5 * (height[layer(k)] + height[layer(k + 1)]));
                }
        clear_departure(around(), GridView(grid), reference(), a.fields());
        factor();
    }

    /// Cells and two on every side: what surrounds them is set as periodic.
    Range around() const { return {-2, shape.nx + 2, -2, shape.ny + 2, 0, shape.nz}; }
    void factor() { factor_vertical_solver(around(), GridView(grid), settings, reference(), a.fields()); }

    StageReference reference() const {
        return {s.u.view(),
                s.v.view(),
                s.w.view(),
                thermal.view(),
                none.view(),
                zero2.view(),
                mass2.view(),
                mass2.view(),
                zero2.view(),
                alt.view(),
                php.view(),
                p.view(),
                t.u.view(),
                t.v.view(),
                t.w.view(),
                t.theta.view(),
                t.ph.view(),
                {},
                {}};
    }

    int wrapped(int i, int n) const { return (i % n + n) % n; }
    void surround(Array3 &f) const {
        for (int j = -3; j < shape.ny + 3; ++j)
            for (int k = 0; k <= shape.nz; ++k)
                for (int i = -3; i < shape.nx + 3; ++i)
                    f(i, k, j) = f(wrapped(i, shape.nx), k, wrapped(j, shape.ny));
    }
    void surround(Array2 &f) const {
        for (int j = -3; j < shape.ny + 3; ++j)
            for (int i = -3; i < shape.nx + 3; ++i) f(i, j) = f(wrapped(i, shape.nx), wrapped(j, shape.ny));
    }

    /// Air is pressed together by mass(i, j) a column, at rest, with the potential temperature that it had.
    template <class F> void compress(F mass) {
        for (int j = 0; j < shape.ny; ++j)
            for (int i = 0; i < shape.nx; ++i) {
                a.mu(i, j) = real(mass(i, j));
                for (int k = 0; k < shape.nz; ++k) a.theta(i, k, j) = a.mu(i, j) * thermal(i, k, j);
            }
        surround(a.mu), surround(a.theta);
        update_pressure(around(), GridView(grid), settings, reference(), a.fields(), scratch.rows());
    }

    void substep() {
        const GridView g(grid);
        const PatchFaces faces{{0, shape.nx, 0, shape.nx, shape.nx + 1},
                               {0, shape.ny, 0, shape.ny, shape.ny + 1},
                               shape.nx,
                               shape.ny};
        advance_momentum(cells(), g, settings, reference(), faces, false, a.fields(), scratch.rows());
        surround(a.u), surround(a.v);
        advance_columns(cells(), g, settings, reference(), false, a.fields(), scratch.rows());
        for (Array3 *f : {&a.p, &a.al, &a.ph, &a.theta, &a.w}) surround(*f);
        surround(a.mu), surround(a.dmudt);
    }

    /// Of the mass departure: the part that goes as cos(2 pi waves i / nx).
    double part(int waves) const {
        double sum = 0;
        for (int i = 0; i < shape.nx; ++i) sum += a.mu(i, 0) * std::cos(2 * pi * waves * i / shape.nx);
        return 2 * sum / shape.nx;
    }
};

/// Frequency [s-1] of a standing wave along x of so many points, from the times at which it changes sign.
double frequency(int points, double courant) {
    const double dx = 1000;
    SoundCase c({2 * points, 1, 6}, dx, 400);
    c.settings.dts = real(courant * dx / sound);
    c.factor();
    c.compress([&](int i, int) { return 0.01 * std::cos(2 * pi * i / points); });
    double before = c.part(2), first = 0, last = 0;
    int crossings = 0;
    for (int n = 1; crossings < 21; ++n) {
        c.substep();
        const double now = c.part(2);
        if ((now > 0) != (before > 0)) {
            last = (n - 1 + before / (before - now)) * c.settings.dts;
            if (crossings++ == 0) first = last;
        }
        before = now;
        if (n > 20000) ADD_FAILURE() << "it does not oscillate";
        if (n > 20000) break;
    }
    return 20 * pi / (last - first);
}

/// What the discrete equations have.
double expected_frequency(int points, double courant) {
    return 2 * sound / (courant * 1000) * std::asin(courant * std::sin(pi / points));
}

TEST(Acoustic, ASoundWaveHasTheFrequencyOfTheDiscreteEquations) {
    for (const int points : {4, 8, 20})
        for (const double courant : {0.2, 0.6}) {
            const double expected = expected_frequency(points, courant);
            EXPECT_NEAR(frequency(points, courant) / expected, 1, 2e-3) << points << " points, " << courant;
        }
}

TEST(Acoustic, TheErrorInTimeFallsWithTheSquareOfTheSubstep) {
    const double exact = 2 * sound / 1000 * std::sin(pi / 6); // of space's own error, in steps without length
    const double large = frequency(6, 0.8) - exact, small = frequency(6, 0.4) - exact;
    EXPECT_GT(large, 0.02 * exact);
    EXPECT_NEAR(large / small, 4, 0.6); // 4.4 with the fourth order
}

TEST(Acoustic, SoundThatIsNotOffCentredKeepsItsAmplitude) {
    SoundCase c({8, 1, 6}, 1000, 400);
    c.settings.dts = real(0.5 * 1000 / sound);
    c.factor();
    c.compress([](int i, int) { return 0.01 * std::cos(2 * pi * i / 8); });
    double most_early = 0, most_late = 0;
    for (int n = 0; n < 400; ++n) {
        c.substep();
        double &most = n < 40 ? most_early : most_late;
        if (n < 40 || n >= 360) most = std::max(most, std::abs(c.part(1)));
    }
    EXPECT_NEAR(most_late / most_early, 1, 5e-3);
}

TEST(Acoustic, DivergenceDampingTakesTheShortestWavesFirst) {
    const auto left = [](int points) {
        SoundCase c({points, 1, 6}, 1000, 400);
        c.settings.dts = real(0.5 * 1000 / sound);
        c.settings.divergence_damping = real(0.1);
        c.factor();
        c.compress([&](int i, int) { return 0.01 * std::cos(2 * pi * i / points); });
        double most = 0;
        for (int n = 0; n < 200; ++n) {
            c.substep();
            if (n >= 160) most = std::max(most, std::abs(c.part(1)));
        }
        return most / 0.01;
    };
    EXPECT_LT(left(4), 0.1);
    EXPECT_GT(left(32), 0.5);
    EXPECT_LT(left(32), 0.99);
}

/// What a substep makes of vertical wind, times its mass, under a sponge of the upper half; and the height of
/// each level [m].
std::pair<Array3, std::vector<double>> wind_after_a_substep(double coefficient) {
    SoundCase c({6, 1, 10}, 1000, 400);
    c.settings.dts = real(0.5 * 1000 / sound);
    c.settings.w_damping_depth = 200, c.settings.w_damping_coefficient = real(coefficient);
    c.set(c.s.w, [](int, int, int) { return 0.1; });
    c.factor();
    c.compress([](int i, int) { return 0.1 * std::cos(2 * pi * i / 6); });
    c.substep();
    std::vector<double> heights;
    for (int k = 0; k <= 10; ++k) heights.push_back(c.grid.phb(0, k, 0) / constants::g);
    return {std::move(c.a.w), std::move(heights)};
}

/// Klemp, Dudhia and Hassiotis (2008): at the end of a substep the whole vertical wind, that of the reference
/// with it, is that before over 1 + rate dt (WRF damp_opt = 3).
TEST(Acoustic, TheImplicitSpongeTakesOfVerticalWindWhatItsEquationSays) {
    const double coefficient = 0.2, dts = 0.5 * 1000 / sound;
    const auto [damped, z] = wind_after_a_substep(coefficient);
    const auto plain = wind_after_a_substep(0).first;
    const SoundCase c({6, 1, 10}, 1000, 400);
    double most = 0;
    for (int k = 1; k < 10; ++k)
        for (int i = 0; i < 6; ++i) {
            const double up = std::max(0.0, 1 - (z.back() - z[std::size_t(k)]) / 200);
            const double rate = dts * coefficient * std::pow(std::sin(pi / 2 * up), 2);
            const double of_reference = 0.1 * c.grid.mub(i, 0);
            const double expected = (plain(i, k, 0) + of_reference) / (1 + rate) - of_reference;
            EXPECT_NEAR(damped(i, k, 0), expected, 2e-6 * of_reference) << i << ", " << k;
            most = std::max(most, std::abs(damped(i, k, 0) - plain(i, k, 0)) / of_reference);
        }
    EXPECT_GT(most, 0.1);
}

/// Sum over faces of flux times gradient is that over cells of pressure times divergence, with the other
/// sign: what sound takes from the one form of energy it gives to the other.
TEST(Acoustic, TheDivergenceIsTheAdjointOfTheGradient) {
    SoundCase c({10, 7, 5}, 900, 400);
    // Pressure that does not change with height, on level surfaces: the gradient is mass alpha dp/dx.
    for (int j = 0; j < 7; ++j)
        for (int k = 0; k < 5; ++k)
            for (int i = 0; i < 10; ++i) c.a.p(i, k, j) = real(noise(c.shape, 3, i, 0, j));
    c.surround(c.a.p);
    const GridView g(c.grid);
    const PatchFaces faces{{0, 10, 0, 10, 11}, {0, 7, 0, 7, 8}, 10, 7};
    advance_momentum(c.cells(), g, c.settings, c.reference(), faces, false, c.a.fields(), c.scratch.rows());
    Array3 gradient_u(c.shape), gradient_v(c.shape), pressure(c.shape);
    std::swap(c.a.u, gradient_u), std::swap(c.a.v, gradient_v);
    c.set(c.a.u, [&](int i, int k, int j) { return noise(c.shape, 4, i, k, j); });
    c.set(c.a.v, [&](int i, int k, int j) { return noise(c.shape, 5, i, k, j); });
    c.set(pressure, [&](int i, int, int j) { return noise(c.shape, 3, i, 0, j); });
    advance_columns(c.cells(), g, c.settings, c.reference(), false, c.a.fields(), c.scratch.rows());
    const Array3 &u = c.a.u, &v = c.a.v;
    double on_faces = 0, cells = 0, size = 0;
    for (int j = 0; j < 7; ++j)
        for (int i = 0; i < 10; ++i) {
            cells += double(pressure(i, 0, j)) * c.a.dmudt(i, j);
            for (int k = 0; k < 5; ++k) {
                const double weight =
                    c.grid.vertical.dnw[std::size_t(k)] / (double(c.mass2(i, j)) * c.alt(i, k, j));
                const double terms = weight * (double(u(i, k, j)) * gradient_u(i, k, j) +
                                               double(v(i, k, j)) * gradient_v(i, k, j));
                on_faces += terms, size += std::abs(terms);
            }
        }
    EXPECT_GT(std::abs(cells), 0.01 * size);
    EXPECT_NEAR(on_faces, cells, 1e-5 * size);
}

} // namespace
} // namespace squall::test
