#include "physics/wsm6/wsm6.hpp"

#include <algorithm>
#include <cmath>

#include "core/loop.hpp"
#include "physics/wsm6/reactions.hpp"
#include "physics/wsm6/row.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall {
namespace wsm6 {
namespace {

class Scheme final : public MicrophysicsScheme {
  public:
    explicit Scheme(int nz) : sedimentation_(nz) {}

    void advance(const MoistColumns &c) override {
        const int steps = parts_of_step(c.dt, longest_step);
        const real dt = c.dt / static_cast<real>(steps);
        const auto row = [&c](int k) { return Row<true, true>(c, k); };
        for (int k = 0; k < c.nz; ++k) row(k).fill_up(c.n);
        for (int n = 0; n < steps; ++n) {
            sedimentation_.fall(c, dt);
            for (int k = 0; k < c.nz; ++k)
                c.as_wrf ? react_layer(row(k), c.n, [dt](Point &x, int) { react<true>(x, dt); })
                         : react_layer(row(k), c.n, [dt](Point &x, int) { react<false>(x, dt); });
        }
    }

  private:
    Sedimentation sedimentation_;
};

} // namespace
} // namespace wsm6

MicrophysicsEntry wsm6_scheme() {
    return {"six classes of water with ice, Hong and Lim (2006)",
            {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow, Water::graupel},
            [](int nz) { return std::make_unique<wsm6::Scheme>(nz); },
            {},
            wsm6::longest_step};
}

} // namespace squall
