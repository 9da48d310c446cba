#include "physics/thompson/fall_speeds.hpp"

namespace squall::thompson {
namespace {

constexpr double by_number = 2.5; // Gamma(7/2) / Gamma(5/2): particles fall faster than their mean by number

double lambda_of(const Falling &f, int n, double mass) {
    return cube_root(steepness(f.content[n], f.number[n], mass));
}

} // namespace

/// Drops by number fall faster than their mean, so that sizes are sorted less.
void rain_speeds(const Falling &f, Speeds &s) {
#pragma omp simd
    for (int n = 0; n < points_at_once; ++n) {
        const double lambda = lambda_of(f, n, rain_mass), faster = lambda / (lambda + rain_f);
        const double speed = f.thinness[n] * rain_a / (lambda + rain_f);
        s.mass[n] = speed * 4 * faster * faster * faster * faster;
        s.number[n] = speed * by_number * faster * faster * std::sqrt(faster);
    }
}

void ice_speeds(const Falling &f, Speeds &s) {
#pragma omp simd
    for (int n = 0; n < points_at_once; ++n) {
        const double speed = f.thinness[n] * ice_a / lambda_of(f, n, ice_mass);
        s.mass[n] = 4 * speed;
        s.number[n] = by_number * speed;
    }
}

/// The distribution's moments 3 and 3 + snow_b, in the second with the speed's exponential.
void snow_speeds(const Falling &f, Speeds &s) {
    static const double still = kap0 * std::tgamma(3) * std::pow(lam0, -3) +
                                kap1 * std::tgamma(snow_mu + 3) * std::pow(lam1, -snow_mu - 3);
    static const double steep = snow_a * kap0 * std::tgamma(snow_b + 3) / still,
                        flat = snow_a * kap1 * std::tgamma(snow_b + snow_mu + 3) / still;
    constexpr SnowMoment third(3);
    const double of_steep = steep, of_flat = flat;
#pragma omp simd
    for (int n = 0; n < points_at_once; ++n) {
        const double second = f.content[n] / snow_mass;
        const double inverse = second / third.from(squall::detail::logarithm(second), f.celsius[n]);
        const double moved =
            of_steep * power(inverse * lam0 + snow_f, -snow_b - 3) +
            of_flat * power(inverse, snow_mu) * power(inverse * lam1 + snow_f, -snow_b - snow_mu - 3);
        s.mass[n] = f.thinness[n] * moved * cube(inverse);
        s.number[n] = 0;
    }
}

void graupel_speeds(const Falling &f, Speeds &s) {
    static const double g = graupel_a * std::tgamma(graupel_b + 4) / 6;
    const double a = g;
#pragma omp simd
    for (int n = 0; n < points_at_once; ++n) {
        s.mass[n] = f.thinness[n] * a * power(graupel_lambda(f.content[n]), -graupel_b);
        s.number[n] = 0;
    }
}

} // namespace squall::thompson
