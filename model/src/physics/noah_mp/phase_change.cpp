#include <algorithm>
#include <cmath>

#include "physics/noah_mp/ground_heat.hpp"

namespace squall::noah_mp {
namespace {

enum Change { none, melts, freezes };

/// What a layer of snow or soil holds [kg m-2], and the heat that it has for melting (negative: freezing).
struct Layer {
    real ice, liquid, mass;
    Change change;
    real heat; ///< [W m-2]
};
/// Of all layers, as a Stack.
using Contents = std::array<Layer, snow_layers + soil_layers>;

real soil_mass(std::size_t k) { return noah::thickness[k] * water_density; }

Contents contents(const Column &c) {
    Contents all{};
    const std::size_t snow = c.snow.count;
    for (std::size_t k = 0; k < snow; ++k)
        all[k] = {c.snow.layer[k].ice, c.snow.layer[k].liquid, c.snow.layer[k].mass(), none, 0};
    for (std::size_t k = 0; k < soil_layers; ++k) {
        Layer &l = all[snow + k];
        l.liquid = c.liquid[k] * soil_mass(k);
        l.ice = (c.moisture[k] - c.liquid[k]) * soil_mass(k);
        l.mass = l.ice + l.liquid;
    }
    return all;
}

/// Which layers change, those with their temperature at the freezing point and the heat beyond it set free.
/// `stays`: water that does not freeze [kg m-2].
void find_changes(GroundLayers &g, const Column &c, const Stack &stays, real dt, Contents &all) {
    for (std::size_t k = 0; k < g.count; ++k) {
        Layer &l = all[k];
        real &t = g.temperature[k];
        const bool under_thin_snow = g.snow == 0 && c.snow.water > 0 && k == 0;
        if ((l.ice > 0 || under_thin_snow) && t >= freezing_point) l.change = melts;
        if (l.liquid > stays[k] && t < freezing_point) l.change = freezes;
        if (l.change == none) continue;
        l.heat = (t - freezing_point) / g.warming(k, dt);
        t = freezing_point;
    }
}

/// Snow that is too shallow for a layer melts by the heat of the soil below.
void melt_thin_snow(Layer &below, real dt, Column &c, PhaseChange &change) {
    Snow &s = c.snow;
    if (s.count > 0 || s.water <= 0 || below.heat <= 0) return;
    const real former = s.water;
    s.water = std::max(former - below.heat * dt / fusion, real(0));
    s.depth = std::clamp(s.depth * s.water / former, s.water / 500, s.water / 50); // no denser, no lighter
    below.heat = std::max(below.heat - fusion * (former - s.water) / dt, real(0));
    change.ponding = former - s.water;
    change.melt = change.ponding / dt;
}

/// Melts or freezes by its heat what it can; what is left of that [W m-2].
real spend(Layer &l, real stays, bool soil, real dt) {
    const real former = l.ice;
    if (l.heat > 0) l.ice = std::max(l.ice - l.heat * dt / fusion, real(0));
    if (l.heat < 0 && soil && l.mass < stays)
        l.ice = 0;
    else if (l.heat < 0)
        l.ice = std::max(std::min(l.mass - stays, l.ice - l.heat * dt / fusion), real(0));
    l.liquid = std::max(l.mass - l.ice, real(0));
    return l.heat - fusion * (former - l.ice) / dt;
}

void put_back(const GroundLayers &g, const Contents &all, bool glacier, Column &c) {
    for (std::size_t k = 0; k < g.snow; ++k) {
        c.snow.layer[k].ice = all[k].ice;
        c.snow.layer[k].liquid = all[k].liquid;
        c.snow.layer[k].temperature = g.temperature[k];
    }
    for (std::size_t k = 0; k < soil_layers; ++k) {
        const Layer &l = all[g.snow + k];
        c.temperature[k] = g.temperature[g.snow + k];
        const real liquid = l.liquid / soil_mass(k);
        c.liquid[k] = glacier ? std::clamp(liquid, real(0), real(1)) : liquid;
        c.moisture[k] = glacier ? real(1) : (l.liquid + l.ice) / soil_mass(k);
    }
}

/// Gives heat to a layer that melts or freezes too, or warms it.
void hand(real heat, GroundLayers &g, std::size_t k, real dt, Layer &to) {
    if (to.change == none)
        g.temperature[k] += g.warming(k, dt) * heat;
    else
        to.heat += heat;
}

/// Layers of snow, from the top down; what a melted one has left is for the layer below.
void change_snow(GroundLayers &g, real dt, bool hand_down, Contents &all, PhaseChange &change) {
    for (std::size_t k = 0; k < g.snow; ++k) {
        Layer &l = all[k];
        change.melted[k] = l.change == melts;
        if (l.change == none || l.heat == 0) continue;
        const real former = l.ice, left = spend(l, 0, false, dt);
        if (std::abs(left) > 0) {
            g.temperature[k] += g.warming(k, dt) * left;
            const bool both = l.ice > 0 && l.liquid > 0, gone = hand_down && l.ice == 0;
            if (both || gone) g.temperature[k] = freezing_point;
            if (gone) hand(left, g, k + 1, dt, all[k + 1]);
        }
        change.melt += std::max(former - l.ice, real(0)) / dt;
    }
}

} // namespace

PhaseChange change_phase(const Site &site, GroundLayers &g, real dt, Column &c) {
    Contents all = contents(c);
    Stack stays{};
    for (std::size_t k = 0; k < soil_layers; ++k) {
        const real t = g.temperature[g.snow + k];
        if (t >= freezing_point) continue;
        const real suction = fusion * (freezing_point - t) / (gravity * t);
        stays[g.snow + k] = site.soil.porosity *
                            std::pow(suction / site.soil.suction, -1 / site.soil.exponent) * soil_mass(k);
    }
    find_changes(g, c, stays, dt, all);
    PhaseChange change;
    melt_thin_snow(all[0], dt, c, change);
    change_snow(g, dt, true, all, change);
    for (std::size_t k = g.snow; k < g.count; ++k)
        if (all[k].change != none && all[k].heat != 0)
            g.temperature[k] += g.warming(k, dt) * spend(all[k], stays[k], true, dt);
    put_back(g, all, false, c);
    return change;
}

namespace {

/// Heat that a layer of a glacier has beyond the freezing point, for dt [W m-2].
real excess(const GroundLayers &g, std::size_t k, real dt) {
    return (g.temperature[k] - freezing_point) / g.warming(k, dt);
}

/// Layers warmer than the freezing point (`sign` 1) or colder (-1) hand their heat to those that are not.
void share_heat(GroundLayers &g, real dt, real sign) {
    constexpr real least = real(0.1); // [W m-2]
    for (std::size_t j = g.snow; j < g.count; ++j) {
        if (sign * (g.temperature[j] - freezing_point) <= 0) continue;
        real heat = excess(g, j, dt);
        for (std::size_t k = g.snow; k < g.count; ++k) {
            if (k == j || sign * (g.temperature[k] - freezing_point) >= 0 || sign * heat <= least) continue;
            const real lack = excess(g, k, dt), sum = heat + lack;
            const bool takes_all = std::abs(lack) > std::abs(heat);
            g.temperature[k] = freezing_point + (takes_all ? sum * g.warming(k, dt) : real(0));
            heat = takes_all ? real(0) : sum;
        }
        g.temperature[j] = freezing_point + heat * g.warming(j, dt);
    }
}

/// What heat is left melts ice of other layers (`sign` 1), or cold freezes their water (-1).
void share_change(GroundLayers &g, real dt, real sign, Contents &all) {
    constexpr real least = real(0.1); // [kg m-2]
    for (std::size_t j = g.snow; j < g.count; ++j) {
        if (sign * (g.temperature[j] - freezing_point) <= 0) continue;
        real could = sign * excess(g, j, dt) * dt / fusion;
        for (std::size_t k = g.snow; k < g.count; ++k) {
            real &source = sign > 0 ? all[k].ice : all[k].liquid;
            if (k == j || source <= 0 || could <= least) continue;
            const real part = std::min(source, could);
            source -= part;
            could -= part;
            g.temperature[k] = freezing_point;
            if (sign > 0)
                all[k].liquid = std::max(all[k].mass - all[k].ice, real(0));
            else
                all[k].ice = std::max(all[k].mass - all[k].liquid, real(0));
        }
        g.temperature[j] = freezing_point + sign * could * fusion / dt * g.warming(j, dt);
    }
}

} // namespace

PhaseChange change_phase_of_glacier(GroundLayers &g, real dt, Column &c) {
    Contents all = contents(c);
    find_changes(g, c, {}, dt, all);
    PhaseChange change;
    change_snow(g, dt, false, all, change);
    if (g.snow == 0) melt_thin_snow(all[0], dt, c, change);
    for (std::size_t k = g.snow; k < g.count; ++k)
        if (all[k].heat != 0) g.temperature[k] += g.warming(k, dt) * spend(all[k], 0, false, dt);
    share_heat(g, dt, 1);
    share_heat(g, dt, -1);
    share_change(g, dt, 1, all);
    share_change(g, dt, -1, all);
    put_back(g, all, true, c);
    return change;
}

} // namespace squall::noah_mp
