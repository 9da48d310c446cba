#include "physics/wsm5/wsm5.hpp"

#include "physics/wsm5/growth.hpp"
#include "physics/wsm6/row.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall {
namespace wsm5 {
namespace {

/// Melting, freezing, growth and condensation, in this order, at a point where precipitation has fallen.
template <bool as_wrf> inline void advance_point(Point &x, real dt) {
    const Saturation before = saturation(x.temperature, x.pressure);
    const real thinness = x.thinness(), fusion = as_wrf ? l_f0 : x.l_f(), drying = as_wrf ? x.l_v : l_s;
    const real colder = colder_snow(x.temperature);
    const Particles fallen = rain_of(x.rain, x.density, thinness);
    melt_snow(x, snow_of(x.snow, x.density, thinness, colder), colder, fusion, dt);
    freeze(x, fallen, &Point::snow, fusion, dt);

    const real colder_now = colder_snow(x.temperature);
    const Cloudy c{x,
                   before,
                   rain_of(x.rain, x.density, thinness),
                   snow_of(x.snow, x.density, thinness, colder_now),
                   {},
                   ice_of(x.ice, x.density),
                   colder_now};
    Growth growth;
    collect(c, growth, dt);
    exchange_vapour(c, growth, !as_wrf, drying, dt);
    exchange(x, growth, drying);
    condense(x);
    x.cloud = x.cloud > q_trace ? x.cloud : real(0);
    x.ice = x.ice > q_trace ? x.ice : real(0);
}

class Scheme final : public MicrophysicsScheme {
  public:
    explicit Scheme(int nz) : sedimentation_(nz) {}

    void advance(const MoistColumns &c) override {
        const int steps = parts_of_step(c.dt, longest_step);
        const real dt = c.dt / static_cast<real>(steps);
        const auto row = [&c](int k) { return Row<true, false>(c, k); };
        for (int k = 0; k < c.nz; ++k) row(k).fill_up(c.n);
        for (int n = 0; n < steps; ++n) {
            sedimentation_.fall(c, dt);
            for (int k = 0; k < c.nz; ++k)
                c.as_wrf ? react_layer(row(k), c.n, [dt](Point &x, int) { advance_point<true>(x, dt); })
                         : react_layer(row(k), c.n, [dt](Point &x, int) { advance_point<false>(x, dt); });
        }
    }

  private:
    Sedimentation sedimentation_;
};

} // namespace
} // namespace wsm5

MicrophysicsEntry wsm5_scheme() {
    return {"five classes of water with ice and snow, Hong, Dudhia and Chen (2004)",
            {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow},
            [](int nz) { return std::make_unique<wsm5::Scheme>(nz); },
            {},
            wsm6::longest_step};
}

} // namespace squall
