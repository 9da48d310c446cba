/// Updraught and downdraught of a column, per mass that the updraught moves where it moves most (Grell 1993;
/// Grell and Devenyi 2002; Grell and Freitas 2014, section 2).
///
/// Updraught, mass flux eta: below its largest value it entrains what it grows by, above it entrains by the
/// humidity around and detrains the rest. h, wind and total water r mix,
///     d(eta h)/dz = e h_around - d h,   with half of what is detrained leaving below, half above,
/// and wind mixes twice what is detrained besides. It condenses what is above saturation, of which
///     rain forms  dr/dz = -c_0 l,  c_0 = 4e-3 m-1 exp(0.07 (T - 0 C)) up to 4e-3,
///     cloud is left behind by 1e-3 m-1 l.
/// Downdraught: from where saturated air has least energy, up to 4 km or 0.6 of the cloud's height; saturated
/// by rain as far as its energy is; mass flux, a beta function, falls off in the lowest kilometre. Its
/// largest value over the updraught's is its strength,
///     s = 0.8 (1 - E) (rain that forms) / (rain that a downdraught of strength 1 evaporates),
/// between 0.1 and 1, over sea 0.4, where the precipitation efficiency E is the mean of its functions of wind
/// shear and of the height of the base (Fritsch and Chappell 1980, J. Atmos. Sci. 37, 1722; Zhang and Fritsch
/// 1986, J. Atmos. Sci. 43, 1913).
#pragma once

#include "physics/grell_freitas/cloud.hpp"

namespace squall::grell_freitas {

inline constexpr real least_mass = real(1e-8); ///< flux of a draught that goes on

/// What both are made of: shares of mass at interfaces, and in layers what comes and goes.
struct Draught {
    explicit Draught(int layers);
    void clear();

    Profile flux, entrained, detrained;
    Profile h, q, u, v; ///< at interfaces, of vapour only; those around it where there is no draught
};

struct Updraught : Draught {
    explicit Updraught(int layers);

    /// From the source of `cloud`, whose top it lowers to where it is buoyant. False: it does not rise.
    bool rise(const Air &air, Cloud &cloud);

    /// Work of buoyancy in air of this sounding, per mass [J kg-1].
    real work_in(const Air &air, const Sounding &sounding, const Cloud &cloud);

    /// Its energy at the base in such air [J kg-1].
    real energy_in(const Sounding &sounding, const Cloud &cloud);

    Profile condensate;        ///< at interfaces [kg kg-1]
    Profile forms;             ///< rain below interfaces, per mass
    Profile left;              ///< cloud in layers, per mass
    real raining = 0, all = 0; ///< rain that forms above the base, and all

  private:
    void shape(const Air &air, const Cloud &cloud);
    void exchange(const Air &air, const Cloud &cloud);
    bool ascend(const Sounding &sounding, const Cloud &cloud, Profile &energy) const;
    bool end(const Air &air, Cloud &cloud);
    void carry(const Profile &layers, const Profile &between, const Cloud &cloud, Profile &wind) const;
    void condense(const Air &air, const Cloud &cloud);
    void leave_behind(const Air &air, const Cloud &cloud);

    Profile energy_; ///< of work_in
};

struct Downdraught : Draught {
    explicit Downdraught(int layers);

    /// False: it would not sink, without which the scheme has no cloud.
    bool sink(const Air &air, const Cloud &cloud, const Updraught &up);

    int start = 0;       ///< interface
    Profile evaporates;  ///< rain at interfaces, per mass of a downdraught of strength 1
    real evaporated = 0; ///< all of it
    real strength = 0;

  private:
    bool begin(const Air &air, const Cloud &cloud);
    bool shape(const Air &air);
    void exchange(const Air &air, const Cloud &cloud);
    bool carry(const Air &air, const Updraught &up);
    void carry(const Profile &layers, const Profile &between, Profile &wind) const;
    bool evaporate(const Air &air);

    int spreads_ = 0; ///< interface below which it spreads out
};

/// Share of the rain that forms that comes to the ground, from 0.1 to 0.9: E above.
real efficiency(const Air &air, const Cloud &cloud);

} // namespace squall::grell_freitas
