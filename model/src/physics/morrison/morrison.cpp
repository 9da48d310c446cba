#include "physics/morrison/morrison.hpp"

#include <algorithm>

#include "physics/morrison/cold.hpp"
#include "physics/morrison/row.hpp"
#include "physics/morrison/sedimentation.hpp"
#include "physics/morrison/settle.hpp"
#include "physics/morrison/warm.hpp"

namespace squall {
namespace morrison {
namespace {

struct WithHail {
    static constexpr Kind kind = hail;
};
struct WithGraupel {
    static constexpr Kind kind = graupel;
};

/// What a layer has: points where something can happen, below and above the melting point.
struct Active {
    bool cold = false, warm = false;
};

Active active_of(const Row &row, int n) {
    int cold = 0, warm = 0;
#pragma omp simd reduction(| : cold, warm)
    for (int i = 0; i < n; ++i) {
        const Point x = row.point(i);
        const bool acts = !at_rest(x), freezes = x.temperature < t0;
        cold |= acts & freezes;
        warm |= acts & !freezes;
    }
    return {cold != 0, warm != 0};
}

/// All of a point's processes are in the loop itself, so that it runs on vectors: they are more than
/// compilers put there on their own.
template <bool cold, bool warm, class Dense> [[gnu::flatten]] void react(const Row &row, int n, real dt) {
    for_each_i(0, n, [=](int i) {
        Point x = row.point(i);
        fill_up(x);
        const Saturation qs = saturation(x.temperature, x.pressure);
        clear_traces(x);
        const bool rests = at_rest(x), freezes = x.temperature < t0;
        const real thinness = power(rho0 / x.density, real(0.54));
        Point frozen = x, thawed = x;
        bool large = false;
        if constexpr (cold) grow_cold(frozen, qs, thinness, Dense{}, large, dt);
        if constexpr (warm) grow_warm(thawed, qs, thinness, Dense{}, dt);
        row.large[i] = large & freezes & !rests ? real(1) : real(0);
        // One by one: a choice between whole points keeps compilers from vectors.
        for (const auto field : {&Point::temperature, &Point::vapour, &Point::cloud, &Point::rain,
                                 &Point::ice, &Point::snow, &Point::graupel, &Point::rain_number,
                                 &Point::ice_number, &Point::snow_number, &Point::graupel_number})
            x.*field = rests ? x.*field : freezes ? frozen.*field : thawed.*field;
        fill_up(x);
        row.set(i, x);
    });
}

/// Crystals that were large before they fell are snow; then phases settle.
template <class Dense> [[gnu::flatten]] void finish(const Row &row, int n) {
    for_each_i(0, n, [=](int i) {
        Point x = row.point(i);
        const bool large = row.large[i] > 0;
        const real more = large ? x.ice : real(0), flakes = large ? x.ice_number : real(0);
        x.ice -= more, x.snow += more;
        x.ice_number -= flakes, x.snow_number += flakes;
        clear_traces(x);
        settle(x, Dense::kind);
        row.set(i, x);
    });
}

bool has_water(const Row &row, int n) {
    int any = 0;
    for (int i = 0; i < n; ++i)
        any |= !(row.cloud[i] + row.rain[i] + row.ice[i] + row.snow[i] + row.graupel[i] <= 0);
    return any;
}

template <class Dense> class Scheme final : public MicrophysicsScheme {
  public:
    explicit Scheme(int nz) : sedimentation_(nz), storage_(4, nz) {}

    void advance(const MoistColumns &c) override {
        const Kept kept{storage_.field(0), storage_.field(1), storage_.field(2), storage_.field(3)};
        const auto row = [&](int k) { return Row(c, kept, k); };
        for (int k = 0; k < c.nz; ++k) {
            row(k).begin(c.n);
            const Active active = active_of(row(k), c.n);
            if (active.cold && active.warm)
                react<true, true, Dense>(row(k), c.n, c.dt);
            else if (active.cold)
                react<true, false, Dense>(row(k), c.n, c.dt);
            else if (active.warm)
                react<false, true, Dense>(row(k), c.n, c.dt);
        }
        sedimentation_.fall(c, kept.density, Dense::kind);
        for (int k = 0; k < c.nz; ++k)
            if (has_water(row(k), c.n)) finish<Dense>(row(k), c.n);
    }

  private:
    Sedimentation sedimentation_;
    ColumnStorage storage_;
};

template <class Dense> MicrophysicsEntry entry(const char *title) {
    MicrophysicsEntry all{title,
                          {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow, Water::graupel},
                          [](int nz) { return std::make_unique<Scheme<Dense>>(nz); },
                          {Number::rain, Number::ice, Number::snow, Number::graupel}};
    all.sizes = SizesOf::morrison;
    all.tells_sizes_in_wrf = false;
    return all;
}

} // namespace
} // namespace morrison

MicrophysicsEntry morrison_scheme() {
    return morrison::entry<morrison::WithHail>(
        "two moments with hail, Morrison, Thompson and Tatarskii (2009)");
}

MicrophysicsEntry morrison_graupel_scheme() {
    return morrison::entry<morrison::WithGraupel>(
        "two moments with graupel, Morrison, Thompson and Tatarskii (2009)");
}

} // namespace squall
