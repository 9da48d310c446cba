#include "physics/noah_mp/snow_layers.hpp"

#include <algorithm>

namespace squall::noah_mp {
namespace {

/// Heat capacities of ice and water [J kg-1 K-1].
struct Capacities {
    real ice = volume_heat_of_ice / ice_density, water = volume_heat_of_water / water_density;

    explicit Capacities(const SnowRules &rules) {
        if (rules.as_wrf) ice = volume_heat_of_ice, water = volume_heat_of_water;
    }
    real of(const SnowLayer &l) const { return ice * l.ice + water * l.liquid; }
    /// Heat above that of ice at the freezing point [J m-2].
    real heat(const SnowLayer &l) const {
        return of(l) * (l.temperature - freezing_point) + fusion * l.liquid;
    }
};

/// `other` becomes part of `l`, with their heat.
void join(const SnowRules &rules, SnowLayer &l, const SnowLayer &other) {
    const Capacities capacity(rules);
    const real heat = capacity.heat(l) + capacity.heat(other);
    l.thickness += other.thickness;
    l.ice += other.ice;
    l.liquid += other.liquid;
    const real beyond = heat < 0 ? heat : std::max(heat - fusion * l.liquid, real(0));
    l.temperature = freezing_point + beyond / capacity.of(l);
}

/// Takes `share` of a layer off it.
SnowLayer split(SnowLayer &l, real share) {
    SnowLayer part = l;
    for (real SnowLayer::*m : {&SnowLayer::thickness, &SnowLayer::ice, &SnowLayer::liquid}) {
        part.*m *= share;
        l.*m *= 1 - share;
    }
    return part;
}

/// Layers without ice become part of a neighbour. Returns the water of the last one if that is none.
real join_iceless(Snow &s, real &soil_ice) {
    real ponding = 0;
    for (std::size_t k = 0; k < s.count;) {
        const SnowLayer l = s.layer[k];
        if (l.ice > real(0.1)) {
            ++k;
            continue;
        }
        if (s.count > 1) {
            SnowLayer &neighbour = s.layer[k + 1 < s.count ? k + 1 : k - 1];
            neighbour.ice += l.ice;
            neighbour.liquid += l.liquid;
            neighbour.thickness += l.thickness;
        } else if (l.ice >= 0) {
            ponding = l.liquid;
            s.water = l.ice;
            s.depth = l.thickness;
        } else {
            ponding = std::max(l.liquid + l.ice, real(0));
            soil_ice += std::min(l.liquid + l.ice, real(0)) / (noah::thickness[0] * water_density);
            s.water = s.depth = 0;
        }
        s.erase(k);
    }
    return ponding;
}

/// The lower of k and its thinner neighbour takes the other.
void join_with_neighbour(const SnowRules &rules, std::size_t k, Snow &s) {
    const bool lowest = k + 1 == s.count;
    const bool above = lowest || (k > 0 && s.layer[k - 1].thickness + s.layer[k].thickness <
                                               s.layer[k].thickness + s.layer[k + 1].thickness);
    const std::size_t upper = above ? k - 1 : k;
    join(rules, s.layer[upper + 1], s.layer[upper]);
    s.erase(upper);
}

} // namespace

void sum_layers(Snow &s) {
    s.water = s.depth = 0;
    for (std::size_t k = 0; k < s.count; ++k) {
        s.water += s.layer[k].mass();
        s.depth += s.layer[k].thickness;
    }
}

real join_layers(const SnowRules &rules, Snow &s, real &soil_ice) {
    real ponding = join_iceless(s, soil_ice);
    if (s.count == 0) return ponding;
    sum_layers(s);
    if (s.depth < rules.least_depth) {
        s.water = 0;
        for (std::size_t k = 0; k < s.count; ++k) {
            s.water += s.layer[k].ice;
            ponding += s.layer[k].liquid;
        }
        if (s.water <= 0) s.depth = 0;
        while (s.count > 0) s.erase(0);
        return ponding;
    }
    for (std::size_t k = 0, rule = 0; k < s.count && s.count > 1;)
        if (s.layer[k].thickness < rules.least[rule])
            join_with_neighbour(rules, k, s);
        else
            ++k, ++rule;
    return ponding;
}

void part_layers(const SnowRules &rules, Snow &s) {
    constexpr real first = real(0.05), second = real(0.2); // greatest thickness [m]
    std::array<SnowLayer, snow_layers> &l = s.layer;
    if (s.count == 1 && l[0].thickness > first) {
        l[1] = split(l[0], real(0.5));
        s.count = 2;
    }
    if (s.count > 1 && l[0].thickness > first) {
        join(rules, l[1], split(l[0], 1 - first / l[0].thickness));
        if (s.count == 2 && l[1].thickness > rules.thickest_second) {
            const real gradient =
                (l[0].temperature - l[1].temperature) / ((l[0].thickness + l[1].thickness) / 2);
            l[2] = split(l[1], real(0.5));
            s.count = 3;
            const real away = gradient * l[1].thickness / 2, lower = l[1].temperature - away;
            if (lower < freezing_point) {
                l[2].temperature = lower;
                l[1].temperature += away;
            }
        }
    }
    if (s.count > 2 && l[1].thickness > second) join(rules, l[2], split(l[1], 1 - second / l[1].thickness));
}

} // namespace squall::noah_mp
