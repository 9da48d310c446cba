#include "physics/morrison/sedimentation.hpp"

#include <algorithm>

#include "physics/morrison/particles.hpp"

namespace squall::morrison {
namespace {

constexpr real no_speed = real(1e-10); ///< [m s-1]: what falls into such a layer keeps its speed
constexpr real most_parts = 1000;      ///< of a step: a run that has blown up must get to its end

/// Where the speeds of a species are, that of its number after that of its mass.
enum Species {
    rain_speed = 0,
    ice_speed = 2,
    snow_speed = 4,
    graupel_speed = 6,
    cloud_speed = 8,
    speeds = 9
};

struct Speeds {
    real mass, number; ///< [m s-1]
};

Speeds speeds_of(const Kind &kind, real q, real number, real density) {
    const Particles p = particles(kind, q, number, thinness_for(kind, density));
    return {q >= q_least ? p.speed : real(0), q >= q_least ? p.number_speed : real(0)};
}

void add(real *sum, const real *more, int n) {
    for_each_i(0, n, [=](int i) { sum[i] += more[i]; });
}

} // namespace

Sedimentation::Sedimentation(int nz)
    : nz_(nz), storage_(speeds, nz), rows_(3, 1), parts_(rows_.field(0).row(0)),
      falling_(rows_.field(1).row(0)), ground_(rows_.field(2).row(0)) {}

/// speeds(k, i) of the layers, from the top down.
template <class F> void Sedimentation::set_speeds(const MoistColumns &c, ConstColumns, int species, F of) {
    const Columns mass = storage_.field(species), number = storage_.field(std::min(species + 1, speeds - 1));
    for (int k = nz_ - 1; k >= 0; --k)
        for_each_i(0, c.n, [=, above = std::min(k + 1, nz_ - 1), top = k == nz_ - 1](int i) {
            const Speeds v = of(k, i);
            const real from_above = top ? real(0) : mass(i, above),
                       number_above = top ? real(0) : number(i, above);
            mass(i, k) = v.mass < no_speed ? from_above : v.mass;
            number(i, k) = v.number < no_speed ? number_above : v.number;
        });
}

/// In how many parts of equal length each column goes through the step.
void Sedimentation::set_parts(const MoistColumns &c) {
    std::fill_n(parts_, c.n, real(1));
    for (int species = 0; species < speeds; ++species)
        for (int k = 0; k < nz_; ++k)
            for_each_i(
                0, c.n,
                [parts = parts_, v = storage_.field(species).row(k), dz = c.depth.row(k), dt = c.dt](int i) {
                    const real wanted = std::floor(v[i] * dt / dz[i] + 1);
                    parts[i] = std::min(std::max(parts[i], wanted), most_parts);
                });
}

void Sedimentation::fall(const MoistColumns &c, ConstColumns density, const Kind &dense) {
    const auto counted = [&](int species, const Kind &kind, ConstColumns q, ConstColumns number) {
        set_speeds(c, density, species, [=, &kind](int k, int i) {
            return speeds_of(kind, q(i, k), std::max(number(i, k), real(0)), density(i, k));
        });
    };
    counted(rain_speed, rain, c.rain, c.rain_number);
    counted(ice_speed, ice, c.ice, c.ice_number);
    counted(snow_speed, snow, c.snow, c.snow_number);
    counted(graupel_speed, dense, c.graupel, c.graupel_number);
    // By Stokes; all have the number that is given.
    set_speeds(c, density, cloud_speed, [=](int k, int i) {
        Point x{};
        x.cloud = c.cloud(i, k);
        real number = droplets_m3 / density(i, k);
        const real l = droplet_length(x, number), viscosity = viscosity_at(c.theta(i, k) * c.exner(i, k));
        const real v = constants::g * rho_water / (18 * viscosity) * (shape + 5) * (shape + 4) * l * l;
        return Speeds{x.cloud >= q_least ? v : real(0), x.cloud >= q_least ? v : real(0)};
    });
    set_parts(c);
    const auto each = [&](int species, Columns q, Columns number, real *also) {
        fall(c, density, species + 1, number);
        fall(c, density, species, q);
        add(c.rain_sum, ground_, c.n);
        if (also) add(also, ground_, c.n);
    };
    each(rain_speed, c.rain, c.rain_number, nullptr);
    each(ice_speed, c.ice, c.ice_number, c.snow_sum);
    each(snow_speed, c.snow, c.snow_number, c.snow_sum);
    each(graupel_speed, c.graupel, c.graupel_number, c.graupel_sum);
    fall(c, density, cloud_speed, c.cloud);
    add(c.rain_sum, ground_, c.n);
}

/// Sets ground_. Columns that are through the step wait for the others, in parts of no length.
void Sedimentation::fall(const MoistColumns &c, ConstColumns density, int speed, Columns q) {
    std::fill_n(ground_, c.n, real(0));
    int levels = 0;
    for (int k = 0; k < nz_; ++k)
        for (int i = 0; i < c.n; ++i)
            if (q(i, k) > 0) levels = k + 1;
    if (levels == 0) return;
    const real most = *std::max_element(parts_, parts_ + c.n);
    for (real part = 0; part < most; ++part) {
        std::fill_n(falling_, c.n, real(0));
        for (int k = levels - 1; k >= 0; --k)
            for_each_i(0, c.n,
                       [=, parts = parts_, falling = falling_, v = storage_.field(speed).row(k), q = q.row(k),
                        dz = c.depth.row(k), rho = density.row(k), dry = c.mass.row(k), as_wrf = c.as_wrf,
                        dt = c.dt](int i) {
                           const real mass = as_wrf ? rho[i] * dz[i] : dry[i];
                           const real share = std::min(v[i] * dt / (dz[i] * parts[i]), real(1));
                           const real given = part < parts[i] ? share * q[i] * mass : real(0);
                           q[i] += (falling[i] - given) / mass;
                           falling[i] = given;
                       });
        add(ground_, falling_, c.n);
    }
}

} // namespace squall::morrison
