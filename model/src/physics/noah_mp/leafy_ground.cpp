#include <algorithm>
#include <cmath>

#include "physics/noah_mp/energy.hpp"
#include "physics/noah_mp/saturation.hpp"
#include "physics/noah_mp/stomata.hpp"
#include "physics/noah_mp/turbulence.hpp"

namespace squall::noah_mp {
namespace {

constexpr real most_area = 6; // of leaves that exchange heat

/// The canopy of a step; its methods are the parts of an iteration.
class Canopy {
  public:
    Canopy(const Setting &s, const Site &site, const Leaves &l, const Air &a, const Sunlight &light,
           const Precipitation &fell, Column &c)
        : s_(s), site_(site), l_(l), a_(a), light_(light), fell_(fell), c_(c),
          area_(std::min(l.area(), most_area)), heat_(a.density * heat_of_air),
          gamma_(psychrometric(a, s.frozen_leaves)), above_(a, s.height, s.displacement, s.z0),
          below_({area_, site.vegetation.wind_absorption, site.vegetation.top, s.displacement, s.z0,
                  s.z0_ground, wind_on_top()}),
          vapour_of_ground_(saturation(c.ground).pressure), start_(c.leaf) {}

    LeafFluxes balance() {
        bool last = false;
        for (int n = 0; n < 20; ++n) {
            find_conductances(n == 0);
            find_air();
            const real warmer = warm_leaves();
            if (last) break;
            last = n >= 4 && std::abs(warmer) <= real(0.01);
        }
        balance_ground();
        set_2m();
        return f_;
    }

  private:
    real wind_on_top() const {
        const real top = site_.vegetation.top;
        return a_.stirred() * std::log((top - s_.displacement + s_.z0) / s_.z0) / std::log(s_.height / s_.z0);
    }

    void find_stomata() {
        LeafClimate climate{light_.lit / std::max(l_.cover, real(1e-6)),
                            c_.leaf,
                            leaf_vapour_.pressure,
                            c_.vapour_pressure,
                            a_.temperature,
                            a_.pressure,
                            s_.moist,
                            resistance_.leaf,
                            l_.growing};
        lit_resistance_ = stomatal_resistance(site_.vegetation, climate);
        climate.light = light_.shaded / std::max(l_.cover, real(1e-6));
        shaded_resistance_ = stomatal_resistance(site_.vegetation, climate);
    }

    void find_conductances(bool first) {
        above_.iterate(heat_up_);
        resistance_ = below_.iterate(above_.friction_velocity(), a_.density, heat_from_ground_, temperature_);
        leaf_vapour_ = saturation(c_.leaf);
        if (first) find_stomata();
        up_ = above_.conductance();
        to_leaves_ = 2 * area_ / resistance_.leaf;
        to_ground_ = 1 / resistance_.ground;
        wet_ = fell_.wet * area_ / resistance_.leaf;
        transpiring_ = (1 - fell_.wet) *
                       (std::min(light_.lit_area, most_area) / (resistance_.leaf + lit_resistance_) +
                        std::min(light_.shaded_area, most_area) / (resistance_.leaf + shaded_resistance_));
        vapour_to_ground_ = 1 / (resistance_.ground + s_.resistance);
    }

    /// The air between leaves: it holds nothing, so that what comes in goes out.
    void find_air() {
        const real all = up_ + to_leaves_ + to_ground_;
        by_leaves_ = to_leaves_ / all;
        temperature_ = (a_.temperature * up_ + c_.ground * to_ground_) / all + by_leaves_ * c_.leaf;
        const real vapour = up_ + wet_ + transpiring_ + vapour_to_ground_;
        vapour_by_leaves_ = (wet_ + transpiring_) / vapour;
        c_.vapour_pressure = (a_.vapour_pressure * up_ + vapour_of_ground_ * vapour_to_ground_) / vapour +
                             vapour_by_leaves_ * leaf_vapour_.pressure;
    }

    /// Heat [J m-2 K-1] that leaves and the water on them hold.
    real capacity() const {
        constexpr real biomass = real(0.02); // as water, over the area of leaves [m]
        return biomass * area_ * volume_heat_of_water +
               c_.canopy_liquid * volume_heat_of_water / water_density +
               c_.canopy_ice * volume_heat_of_ice / ice_density;
    }

    /// A step of Newton's method for the leaves [K].
    real warm_leaves() {
        const real cover = l_.cover, t = c_.leaf, e = s_.leaf_emissivity, g = s_.ground_emissivity;
        const real emitted = (2 - e * (1 - g)) * e * stefan_boltzmann;
        const real received =
            e * (1 + (1 - e) * (1 - g)) * a_.longwave + e * g * stefan_boltzmann * fourth(c_.ground);
        f_.radiation = cover * (emitted * fourth(t) - received);
        f_.sensible = cover * heat_ * to_leaves_ * (t - temperature_);
        const real dry = leaf_vapour_.pressure - c_.vapour_pressure, latent = heat_ / gamma_;
        const real on_leaves = t > freezing_point ? c_.canopy_liquid : c_.canopy_ice;
        const real heat_of_it = s_.frozen_leaves ? sublimation : vaporisation;
        f_.evaporation = std::min(on_leaves * heat_of_it / a_.dt, cover * latent * wet_ * dry);
        f_.transpiration = cover * latent * transpiring_ * dry;
        const real by_radiation = 4 * emitted * t * t * t, by_heat = (1 - by_leaves_) * heat_ * to_leaves_,
                   by_wet = (1 - vapour_by_leaves_) * wet_ * latent,
                   by_stomata = (1 - vapour_by_leaves_) * transpiring_ * latent, slope = leaf_vapour_.slope,
                   held = capacity() / a_.dt;
        // In WRF heat capacity damps the iteration, and what leaves hold is not in their balance.
        const real stored = s_.as_wrf ? real(0) : cover * held * (t - start_);
        const real gained = light_.leaves - f_.radiation - f_.sensible - f_.evaporation - f_.transpiration -
                            stored + fell_.to_leaves;
        const real warmer =
            gained / (cover * (by_radiation + by_heat + (by_wet + by_stomata) * slope + held));
        f_.radiation += cover * by_radiation * warmer;
        f_.sensible += cover * by_heat * warmer;
        f_.evaporation += cover * by_wet * slope * warmer;
        f_.transpiration += cover * by_stomata * slope * warmer;
        f_.storage = stored + cover * held * warmer;
        c_.leaf = t + warmer;
        heat_up_ = heat_ * (temperature_ - a_.temperature) * up_;
        heat_from_ground_ = heat_ * (c_.ground - temperature_) * to_ground_;
        return warmer;
    }

    void balance_ground() {
        const real e = s_.leaf_emissivity, g = s_.ground_emissivity;
        const real received = g * (1 - e) * a_.longwave + g * e * stefan_boltzmann * fourth(c_.leaf);
        const real emitted = g * stefan_boltzmann, sensible = heat_ * to_ground_;
        const real latent =
            heat_ / (psychrometric(a_, s_.frozen_ground) * (resistance_.ground + s_.resistance));
        GroundFluxes &f = f_.under;
        f.temperature = c_.ground;
        const real gained = light_.ground + fell_.under;
        real at_ground = 0;
        const auto find = [&] {
            f.radiation = emitted * fourth(f.temperature) - received;
            f.sensible = sensible * (f.temperature - temperature_);
            f.latent = latent * (at_ground * s_.relative_humidity - c_.vapour_pressure);
        };
        for (int n = 0; n < 5; ++n) {
            const Saturation air = saturation(f.temperature);
            at_ground = air.pressure;
            find();
            f.ground = s_.conductance * (f.temperature - s_.below);
            const real radiative = 4 * emitted * f.temperature * f.temperature * f.temperature;
            const real warmer = (gained - f.radiation - f.sensible - f.latent - f.ground) /
                                (radiative + sensible + latent * air.slope + s_.conductance);
            f.radiation += radiative * warmer;
            f.sensible += sensible * warmer;
            f.latent += latent * air.slope * warmer;
            f.ground += s_.conductance * warmer;
            f.temperature += warmer;
        }
        if (f.temperature <= s_.hold) return;
        f.temperature = s_.hold;
        find();
        f.ground = gained - (f.radiation + f.sensible + f.latent);
    }

    void set_2m() {
        GroundFluxes &f = f_.under;
        f.humidity = specific_humidity(c_.vapour_pressure, a_.pressure);
        f.conductance = up_;
        const real conductance = above_.conductance_2m();
        f.temperature_2m = temperature_;
        f.humidity_2m = f.humidity;
        if (conductance < real(1e-5)) return;
        const real latent = s_.frozen_leaves ? sublimation : vaporisation;
        f.temperature_2m -= (f.sensible + f_.sensible / l_.cover) / (heat_ * conductance);
        f.humidity_2m -=
            ((f_.evaporation + f_.transpiration) / l_.cover + f.latent) / (latent * a_.density * conductance);
    }

    const Setting &s_;
    const Site &site_;
    const Leaves &l_;
    const Air &a_;
    const Sunlight &light_;
    const Precipitation &fell_;
    Column &c_;
    real area_, heat_, gamma_; ///< heat_: capacity of air [J m-3 K-1]
    Similarity above_;
    BelowCanopy below_;
    real vapour_of_ground_; ///< [Pa]
    real start_;            ///< temperature of leaves before the step [K]
    LeafFluxes f_{};
    CanopyResistances resistance_{};
    Saturation leaf_vapour_{};
    real lit_resistance_ = 0, shaded_resistance_ = 0;
    real up_ = 0, to_leaves_ = 0, to_ground_ = 0; ///< conductances from the air between leaves [m s-1]
    real wet_ = 0, transpiring_ = 0, vapour_to_ground_ = 0;
    real by_leaves_ = 0, vapour_by_leaves_ = 0; ///< share of theirs in that air
    real temperature_ = 0;                      ///< of that air [K]
    real heat_up_ = 0, heat_from_ground_ = 0;   ///< [W m-2]
};

} // namespace

LeafFluxes leafy_ground(const Setting &s, const Site &site, const Leaves &l, const Air &a,
                        const Sunlight &light, const Precipitation &fell, Column &c) {
    return Canopy(s, site, l, a, light, fell, c).balance();
}

} // namespace squall::noah_mp
