/// How much air convection moves, and what that does to the column.
#pragma once

#include "physics/kain_fritsch/draughts.hpp"

namespace squall::kain_fritsch {

/// What is in the column after the time scale of convection, in layers up to the cloud's top.
struct Adjusted {
    explicit Adjusted(int layers);

    Profile theta, vapour, temperature;
    Profile liquid, ice, rain, snow;
    real precipitation = 0; ///< what leaves the drafts [kg s-1]
};

/// Working storage.
struct Closure {
    explicit Closure(int layers);

    /// Scales draughts so that nine tenths of the available energy are gone after `time_scale`, or by what
    /// turbulence gives where it is shallow, and moves air by them and by what sinks around them. False where
    /// convection would add to the energy, or so little is enough that it is none.
    bool close(const Sounding &air, const Updraught &up, const Downdraught &down, real time_scale,
               Adjusted &after);

  private:
    struct Fluxes;
    void scale(const Updraught &up, const Downdraught &down, int layers, real factor);
    int find_subsidence(const Sounding &air, int top, real time_scale);
    void move(const Sounding &air, const Updraught &up, const Downdraught &down, real time_scale, int steps,
              Adjusted &after);
    void advect(const Sounding &air, int top, real dt, const Profile &source, const Profile &sink,
                const Profile &sink_value, Profile &value);
    void move_condensate(const Sounding &air, const Updraught &up, real time_scale, int steps,
                         Adjusted &after);
    real remaining(const Sounding &air, const Updraught &up, const Adjusted &after) const;

    Profile entrained_, detrained_, down_entrained_, down_detrained_; ///< scaled
    Profile subsidence_; ///< through the base of layers, upward [kg s-1]
    Profile start_theta_, up_theta_, source_, none_, in_, out_;
    real factor_ = 1;
};

} // namespace squall::kain_fritsch
