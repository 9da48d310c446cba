#include "physics/kain_fritsch/kain_fritsch.hpp"

#include <algorithm>
#include <cmath>

#include "physics/kain_fritsch/closure.hpp"

namespace squall {
namespace {

using namespace kain_fritsch;

constexpr real between_sources = 1500; // pressure from a source tried to the next [Pa]
constexpr real highest_source = 30000; // above the lowest layer [Pa]

/// Height of a cloud that is deep, by its base's temperature: equation 7 of Kain (2004) [m].
real deep(real t) { return std::clamp(2000 + 100 * (t - 273), real(2000), real(4000)); }

/// Share of the precipitation that is not lost to the downdraught: by shear (Fritsch and Chappell 1980) and
/// by the height of the base (Zhang and Fritsch 1986).
real efficiency(const Sounding &air, const Updraught &up) {
    const std::size_t base = at(up.base), top = at(up.top);
    const real du = air.u[top] - air.u[base], dv = air.v[top] - air.v[base];
    const bool more = std::hypot(air.u[top], air.v[top]) > std::hypot(air.u[base], air.v[base]);
    const real shear =
        (more ? 1000 : -1000) * std::sqrt(du * du + dv * dv) / (air.height[top] - air.height[base]);
    const real by_shear =
        real(1.591) + shear * (real(-0.639) + shear * (real(0.0953) - shear * real(4.96e-3)));
    const real z = (up.lcl_height - air.height[0]) * real(3.281e-3); // thousands of feet
    real lost = real(0.02);
    if (z >= 3)
        lost = real(0.96729352) +
               z * (real(-0.70034167) +
                    z * (real(0.162179896) +
                         z * (real(-1.2569798e-2) + z * (real(4.2772e-4) - z * real(5.44e-6)))));
    if (z > 25) lost = real(2.4);
    return (std::clamp(by_shear, real(0.2), real(0.9)) + std::min(1 / (1 + lost), real(0.9))) / 2;
}

class KainFritsch final : public CumulusScheme {
  public:
    explicit KainFritsch(int nz) : air_(nz), up_(nz), down_(nz), closure_(nz), after_(nz) {}

    void convect(const ConvectiveColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            if (c.remaining[i] >= (c.as_wrf ? c.dt : 2 * c.interval - c.dt) / 2) continue;
            c.clear(i);
            read(c, i);
            if (find_cloud()) change(c, i);
        }
    }

  private:
    void read(const ConvectiveColumns &c, int i) {
        air_.spacing = c.spacing[i];
        air_.area = c.spacing[i] * c.spacing[i];
        real below = 0;
        for (int k = 0; k < c.nz; ++k) {
            const std::size_t n = at(k);
            air_.pressure[n] = c.pressure(i, k);
            air_.temperature[n] = c.temperature(i, k);
            air_.vapour[n] = c.vapour(i, k);
            air_.u[n] = c.u(i, k);
            air_.v[n] = c.v(i, k);
            air_.updraught[n] = c.updraught(i, k);
            air_.dp[n] = c.density(i, k) * gravity * c.depth(i, k);
            air_.mass[n] = air_.dp[n] / gravity * air_.area / (c.as_wrf ? 1 : 1 + c.vapour(i, k));
            air_.height[n] = below + real(0.5) * c.depth(i, k);
            below += c.depth(i, k);
        }
        air_.complete();
    }

    /// The lowest source with a deep cloud, else that with the highest shallow one; false: there is none.
    bool find_cloud() {
        real next = air_.pressure[0];
        int best = -1;
        real highest = 0;
        bool any = false;
        for (int k = 0; k < air_.nz && air_.pressure[at(k)] >= air_.pressure[0] - highest_source; ++k) {
            if (k > 0 && air_.pressure[at(k)] >= next) continue;
            next -= between_sources;
            up_.shallow = false;
            if (!find_source(air_, k, up_)) return false;
            if (!triggers(air_, up_)) continue;
            rise(air_, up_);
            if (up_.cloud_depth == 0) continue;
            if (up_.cloud_depth > deep(up_.lcl_temperature) && up_.cape > 1) return true;
            any = true;
            if (up_.cloud_depth > highest) {
                highest = up_.cloud_depth;
                best = k;
            }
        }
        if (!any || best < 0) return false;
        find_source(air_, best, up_);
        triggers(air_, up_);
        rise(air_, up_);
        up_.shallow = true;
        return true;
    }

    void change(const ConvectiveColumns &c, int i) {
        finish_top(air_, up_);
        const real speed = (wind(up_.base) + wind(middle())) / 2, passing = air_.spacing / speed;
        const real wanted = up_.shallow ? real(2400) : std::clamp(passing, real(1800), real(3600));
        const auto steps = std::lround(wanted / c.dt);
        const real scale = static_cast<real>(steps) * c.dt;
        sink(air_, up_, efficiency(air_, up_), down_);
        if (!closure_.close(air_, up_, down_, scale, after_)) return;
        c.remaining[i] = up_.shallow ? c.interval : lasting(c, std::min(passing, scale));
        const real over = up_.shallow ? real(2400) : scale;
        for (int k = 0; k <= up_.top; ++k) {
            const std::size_t n = at(k);
            real t = after_.temperature[n];
            real liquid = after_.liquid[n], rain = after_.rain[n];
            if (!c.has_snow) melt(k, t, liquid, rain);
            c.heating(i, k) = (t - air_.temperature[n]) / over / c.exner(i, k);
            c.dvapour(i, k) = (after_.vapour[n] - air_.vapour[n]) / over;
            if (c.dcloud.origin) c.dcloud(i, k) = liquid / over;
            if (c.drain.origin) c.drain(i, k) = rain / over;
            if (!c.has_snow) continue;
            if (c.has_ice) c.dice(i, k) = after_.ice[n] / over;
            c.dsnow(i, k) = (after_.snow[n] + (c.has_ice ? real(0) : after_.ice[n])) / over;
        }
        c.rate[i] = up_.shallow ? real(0) : after_.precipitation / air_.area;
        if (!c.as_wrf) give_work_back(c, i);
    }

    /// In whole steps, as WRF has it; and in whole intervals between calls where it is longer than one, lest
    /// it end between two and the air rest until the next.
    static real lasting(const ConvectiveColumns &c, real time) {
        const real unit = c.as_wrf || time < c.interval ? c.dt : c.interval;
        const real times = unit == c.dt ? std::round(time / unit) : std::floor(time / unit + real(1e-3));
        return unit * (c.as_wrf ? times : std::max(times, real(1)));
    }

    /// Parcels and the air around keep potential temperatures, and by that the enthalpy is lost that buoyancy
    /// turns into motion (Romps 2015, J. Atmos. Sci. 72, 3639): most of what is missing here, some per cent
    /// of the heating. As the draughts' motion dissipates it is heat again, within the cloud by the flux that
    /// passes, so that the column keeps c_p T + L_v q_v - L_f q_frozen with the heats of 0 degrees; rain
    /// leaves it with none.
    void give_work_back(const ConvectiveColumns &c, int i) const {
        const real latent = vaporisation(melting);
        real gained = 0, passing = 0;
        for (int k = 0; k <= up_.top; ++k) {
            real frozen = c.has_snow ? c.dsnow(i, k) : real(0);
            if (c.has_snow && c.has_ice) frozen += c.dice(i, k);
            gained += air_.mass[at(k)] * (heat_capacity * c.exner(i, k) * c.heating(i, k) +
                                          latent * c.dvapour(i, k) - fusion * frozen);
        }
        for (int k = up_.base; k <= up_.top; ++k) passing += up_.flux[at(k - 1)] * c.depth(i, k);
        for (int k = up_.base; k <= up_.top; ++k)
            c.heating(i, k) -= gained * up_.flux[at(k - 1)] * c.depth(i, k) /
                               (passing * air_.mass[at(k)] * heat_capacity * c.exner(i, k));
    }

    /// Without snow in the run all is liquid, and its heat of fusion is the air's.
    void melt(int k, real &t, real &liquid, real &rain) const {
        const std::size_t n = at(k);
        t -= (after_.ice[n] + after_.snow[n]) * fusion /
             (heat_capacity * (1 + real(0.887) * after_.vapour[n]));
        liquid += after_.ice[n];
        rain += after_.snow[n];
    }

    real wind(int k) const { return std::hypot(air_.u[at(k)], air_.v[at(k)]); }

    /// The uppermost layer with half of the pressure of the lowest.
    int middle() const {
        int k = 0;
        for (int n = 0; n < air_.nz; ++n)
            if (air_.pressure[at(n)] >= air_.pressure[0] / 2) k = n;
        return k;
    }

    Sounding air_;
    Updraught up_;
    Downdraught down_;
    Closure closure_;
    Adjusted after_;
};

} // namespace

CumulusEntry kain_fritsch_scheme() {
    return {"entraining plumes with downdraughts, deep and shallow, Kain (2004)",
            [](int nz) { return std::make_unique<KainFritsch>(nz); }};
}

} // namespace squall
