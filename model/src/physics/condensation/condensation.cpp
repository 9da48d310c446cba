#include "physics/condensation/condensation.hpp"

#include <algorithm>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

constexpr real latent = real(2.5e6);        ///< of condensation [J kg-1]
constexpr real slope = real(17.67 * 243.5); ///< of the saturation vapour pressure: d ln e / dT (T - 29.65)^2
constexpr int iterations = 4;               ///< from 1 K off, the last changes nothing

/// Newton's method for saturation at constant pressure, which the air warms as it condenses.
class Condensation final : public MicrophysicsScheme {
  public:
    void advance(const MoistColumns &c) override {
        for (int k = 0; k < c.nz; ++k)
            for_each_i(0, c.n,
                       [theta = c.theta.row(k), vapour = c.vapour.row(k), cloud = c.cloud.row(k),
                        exner = c.exner.row(k), pressure = c.pressure.row(k)](int i) {
                           // Heat and water change once, by the sum: steps of the last iterations are lost
                           // in the rounding of theta, and not in that of water.
                           const real heating = latent / (constants::c_p * exner[i]), p = pressure[i];
                           real gained = 0;
                           for (int n = 0; n < iterations; ++n) {
                               const real t = (theta[i] + heating * gained) * exner[i];
                               const real qs = saturation_over_water(t, p);
                               const real d = t - real(29.65);
                               const real steepness = qs * (1 + constants::rv_over_rd * qs) * slope / (d * d);
                               const real excess =
                                   (vapour[i] - gained - qs) / (1 + latent / constants::c_p * steepness);
                               // Cloud that transport left negative by rounding is made good by vapour.
                               gained = std::max(gained + excess, -cloud[i]);
                           }
                           theta[i] += heating * gained;
                           vapour[i] -= gained;
                           cloud[i] += gained;
                       });
    }
};

} // namespace

MicrophysicsEntry condensation_scheme() {
    return {"cloud without rain: condensation and evaporation at saturation",
            {Water::vapour, Water::cloud},
            [](int) { return std::make_unique<Condensation>(); }};
}

} // namespace squall
