#include "physics/lin/lin.hpp"

#include <algorithm>

#include "physics/lin/adjustment.hpp"
#include "physics/lin/exchange.hpp"
#include "physics/lin/sedimentation.hpp"

namespace squall {
namespace lin {
namespace {

/// All that happens at a point where precipitation has fallen. `fallen`: ice that fell into it, for which it
/// is warmed as if it had frozen there [kg kg-1].
template <bool as_wrf> inline void react(Point &x, real fallen, real dt) {
    const Saturation qs = saturation(x.temperature, x.pressure);
    const bool rests = (x.cloud + x.rain + x.ice + x.snow + x.graupel <= 0) & (x.vapour < qs.ice);
    const Cloudy c{x,
                   qs,
                   transfer_of(x),
                   rain_of(x.rain, x.density),
                   snow_of(x.snow, x.density),
                   graupel_of(x.graupel, x.density)};
    Growth g;
    convert(c, g, dt);
    bergeron<as_wrf>(c, g, dt);
    collect(c, g, dt);
    exchange_vapour(c, g, dt);
    lin::exchange(x, g);
    const real late = l_f * fallen;
    if constexpr (as_wrf) x.warm_by(rests ? real(0) : late);
    adjust<as_wrf>(x, dt);
}

class Scheme final : public MicrophysicsScheme {
  public:
    explicit Scheme(int nz) : sedimentation_(nz), storage_(1, nz) {}

    void advance(const MoistColumns &c) override {
        const auto row = [&c](int k) { return wsm6::Row<true, true, Point>(c, k); };
        const Columns fallen = storage_.field(0);
        for (int k = 0; k < c.nz; ++k) {
            row(k).fill_up(c.n);
            std::copy_n(c.ice.row(k), c.n, fallen.row(k));
        }
        sedimentation_.fall(c, c.dt);
        for (int k = 0; k < c.nz; ++k) {
            const auto more = [before = fallen.row(k), ice = c.ice.row(k)](int i) {
                return ice[i] - before[i];
            };
            const real dt = c.dt;
            if (c.as_wrf)
                wsm6::react_layer(row(k), c.n, [=](Point &x, int i) { react<true>(x, more(i), dt); });
            else
                wsm6::react_layer(row(k), c.n, [=](Point &x, int) { react<false>(x, 0, dt); });
        }
    }

  private:
    Sedimentation sedimentation_;
    ColumnStorage storage_;
};

} // namespace
} // namespace lin

MicrophysicsEntry lin_scheme() {
    MicrophysicsEntry entry{
        "six classes of water with ice, Lin, Farley and Orville (1983)",
        {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow, Water::graupel},
        [](int nz) { return std::make_unique<lin::Scheme>(nz); }};
    entry.tells_sizes_in_wrf = false;
    return entry;
}

} // namespace squall
