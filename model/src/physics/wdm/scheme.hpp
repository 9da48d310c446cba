/// The schemes of the family that count droplets, drops and nuclei.
#pragma once

#include "physics/wdm/rain_fall.hpp"
#include "physics/wdm/row.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall::wdm {

/// As kernels hold it (moist_kernel.hpp). `Classes`: of reactions.hpp.
template <class Classes> struct Scheme {
    static int scratch_rows(int nz) {
        return RainFall::scratch_rows(nz) + wsm6::Sedimentation::scratch_rows(nz);
    }

    void advance(const MoistColumns &c, const Scratch &scratch) const {
        c.as_wrf ? advance_as<true>(c, scratch) : advance_as<false>(c, scratch);
    }

  private:
    template <bool as_wrf> void advance_as(const MoistColumns &c, const Scratch &scratch) const {
        const int steps = parts_of_step(c.dt, longest_step);
        const real dt = c.dt / static_cast<real>(steps);
        const auto row = [&c](int k) { return Row<Classes::with_graupel, as_wrf>(c, k); };
        RainFall rain(c.nz, scratch);
        wsm6::Sedimentation others(c.nz, scratch.from(RainFall::scratch_rows(c.nz)));
        for (int k = 0; k < c.nz; ++k) {
            row(k).fill_up(c.n);
            row(k).bound(c.n);
        }
        for (int n = 0; n < steps; ++n) {
            rain.fall(c, dt);
            others.fall_frozen(c, dt);
            for (int k = 0; k < c.nz; ++k)
                react_layer(row(k), c.n, [dt, land = c.land, part = rain.part()](Point &x, int i) {
                    const bool over_land = land ? land[i] > real(0.5) : true;
                    // WRF divides what melts without graupel by the parts that rain falls in
                    const bool divided = as_wrf && !Classes::with_graupel;
                    const Setting s{over_land ? real(5e8) : real(5e7), divided ? part[i] : real(1)};
                    react<Classes, as_wrf>(x, s, dt);
                });
        }
    }
};

} // namespace squall::wdm
