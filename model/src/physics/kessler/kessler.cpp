#include "physics/kessler/kessler.hpp"

#include <algorithm>
#include <array>

#include "core/loop.hpp"
#include "physics/kessler/reactions.hpp"
#include "physics/kessler/sedimentation.hpp"

namespace squall {
namespace {

class Kessler final : public MicrophysicsScheme {
  public:
    explicit Kessler(int nz) : storage_(1, nz), falling_(nz) {}

    /// The rates are those of the rain before its fall, so the fallen rain is kept apart.
    void advance(const MoistColumns &c) override {
        const Columns fallen = storage_.field(0);
        std::array<real, columns_at_a_time> most{};
        for (int k = 0; k < c.nz; ++k)
            for_each_i(0, c.n, [rain = c.rain.row(k), fallen = fallen.row(k), most = most.data()](int i) {
                fallen[i] = rain[i];
                most[i] = std::max(most[i], rain[i]);
            });
        for (int i = 0; i < c.n; ++i)
            if (most[static_cast<std::size_t>(i)] > 0) falling_.fall(c, i, fallen);
        react_warm(c, fallen);
    }

  private:
    ColumnStorage storage_;
    FallingRain falling_;
};

} // namespace

MicrophysicsEntry kessler_scheme() {
    return {"warm rain, Kessler (1969) in the form of Klemp and Wilhelmson (1978)",
            {Water::vapour, Water::cloud, Water::rain},
            [](int nz) { return std::make_unique<Kessler>(nz); }};
}

} // namespace squall
