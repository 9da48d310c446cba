#include "physics/noah_mp/sunlight.hpp"

#include <algorithm>
#include <cmath>

namespace squall::noah_mp {
namespace {

constexpr real direct_share = real(0.7); // of sunlight; half of all is visible
// Of soil of a middle colour.
constexpr Bands saturated_soil{real(0.09), real(0.18)}, dry_soil{real(0.18), real(0.36)};
constexpr Bands snow_scattering{real(0.8), real(0.4)}; // of snow on leaves
constexpr real upscatter_of_snow = real(0.5);

/// What becomes of light on top of the canopy.
struct Passage {
    real taken, reflected; ///< by leaves, by all
    real direct, diffuse;  ///< that arrive on the ground
};

/// Leaves and stems as one.
struct Foliage {
    Bands reflectance, transmittance;
    real area, open;      ///< open: share of the sky without leaves
    real wet;             ///< share under snow, else 0
    real chi, phi1, phi2; ///< orientation, and Ross's function of it
    real cosine;          ///< of the sun's zenith angle, no less than 0.001

    real facing() const { return phi1 + phi2 * cosine; } ///< area towards the sun over all
};

Foliage foliage(const Leaves &l, const Vegetation &v, real cosine, real snowy) {
    Foliage f{{}, {}, l.area(), 1 - l.cover, snowy, 0, 0, 0, std::max(cosine, real(0.001))};
    const real of_leaf = l.leaf / std::max(f.area, tiny), of_stem = l.stem / std::max(f.area, tiny);
    for (std::size_t b = 0; b < 2; ++b) {
        f.reflectance[b] = std::max(v.leaf_reflectance[b] * of_leaf + v.stem_reflectance[b] * of_stem, tiny);
        f.transmittance[b] =
            std::max(v.leaf_transmittance[b] * of_leaf + v.stem_transmittance[b] * of_stem, tiny);
    }
    const real chi = std::clamp(v.orientation, real(-0.4), real(0.6));
    f.chi = std::abs(chi) <= real(0.01) ? real(0.01) : chi;
    f.phi1 = real(0.5) - real(0.633) * f.chi - real(0.330) * f.chi * f.chi;
    f.phi2 = real(0.877) * (1 - 2 * f.phi1);
    return f;
}

/// Scattering within the leaves: share of what they meet, and of that upward, of diffuse and direct light.
struct Scattering {
    real share, diffuse_up, direct_up;
    real mean_cosine; ///< inverse optical depth of diffuse light
    real depth;       ///< optical, of the beam, over the area
};

/// Sellers (1985), equations 3 to 6; snow on leaves as one more kind of leaf.
Scattering scattering(const Foliage &f, std::size_t band) {
    const real rho = f.reflectance[band], tau = f.transmittance[band], omega = rho + tau;
    const real facing = f.facing(), depth = facing / f.cosine;
    const real mean = (1 - f.phi1 / f.phi2 * std::log((f.phi1 + f.phi2) / f.phi1)) / f.phi2;
    const real a = facing + f.phi2 * f.cosine, b = f.phi1 * f.cosine;
    const real single = real(0.5) * omega * facing / a * (1 - b / a * std::log((a + b) / b));
    Scattering s{omega, 0, (1 + mean * depth) / (omega * mean * depth) * single, mean, depth};
    const real tilt = (1 + f.chi) / 2;
    s.diffuse_up = real(0.5) * (omega + (rho - tau) * tilt * tilt) / omega;
    if (f.wet <= 0) return s;
    const real of_snow = f.wet * snow_scattering[band], of_leaf = (1 - f.wet) * omega;
    s.share = of_leaf + of_snow;
    s.direct_up = (of_leaf * s.direct_up + of_snow * upscatter_of_snow) / s.share;
    s.diffuse_up = (of_leaf * s.diffuse_up + of_snow * upscatter_of_snow) / s.share;
    return s;
}

/// Sellers (1985), equations A1 to A38, of light that comes straight from the sun or from all of the sky.
Passage within_leaves(const Foliage &f, const Scattering &s, real ground, bool direct) {
    const real b = 1 - s.share + s.share * s.diffuse_up, c = s.share * s.diffuse_up;
    const real mk = s.mean_cosine * s.depth;
    const real d = mk * s.share * s.direct_up, g = mk * s.share * (1 - s.direct_up);
    const real root = b * b - c * c, mh = std::sqrt(root), h = mh / s.mean_cosine;
    real sigma = mk * mk - root;
    if (std::abs(sigma) < tiny) sigma = std::copysign(tiny, sigma);
    const real p1 = b + mh, p2 = b - mh, p3 = b + mk, p4 = b - mk;
    const real s1 = std::exp(-h * f.area), s2 = std::exp(-s.depth * f.area);
    const real u1 = b - c / ground, u2 = b - c * ground, u3 = g + c * ground;
    const real below = u1 - mh, above = u1 + mh, into = u2 + mh, out = u2 - mh;
    const real d1 = p1 * below / s1 - p2 * above * s1, d2 = into / s1 - out * s1;
    if (!direct) {
        const real up = c * below / (d1 * s1) - c * above * s1 / d1;
        return {0, up, 0, (into - out) / d2};
    }
    const real h1 = -d * p4 - c * g, t6 = d - h1 * p3 / sigma, t7 = (d - c - h1 / sigma * (u1 + mk)) * s2;
    const real h2 = (t6 * below / s1 - p2 * t7) / d1, h3 = -(t6 * above * s1 - p1 * t7) / d1;
    const real t8 = (-g * p3 - c * d) / sigma, t9 = (u3 - t8 * (u2 - mk)) * s2;
    const real h5 = -(t8 * into / s1 + t9) / d2, h6 = (t8 * out * s1 + t9) / d2;
    return {0, h1 / sigma + h2 + h3, s2, t8 * s2 + h5 * s1 + h6 / s1};
}

/// With what falls beside the leaves.
Passage passage(const Foliage &f, const Scattering &s, real ground, bool direct) {
    Passage p{0, ground, direct ? real(1) : real(0), direct ? real(0) : real(1)};
    if (f.area <= 0) return p;
    const Passage within = within_leaves(f, s, ground, direct);
    const real leaves = 1 - f.open;
    p.reflected = within.reflected * leaves + ground * f.open;
    p.direct = direct ? within.direct * leaves + f.open : real(0);
    p.diffuse = within.diffuse * leaves + (direct ? real(0) : f.open);
    p.taken = 1 - p.reflected - (1 - ground) * (p.direct + p.diffuse);
    return p;
}

/// Of the leaves' area, what the sun reaches.
real lit_share(const Foliage &f) {
    const real depth = f.facing() / f.cosine * std::sqrt(1 - f.reflectance[0] - f.transmittance[0]) * f.area;
    const real share = (1 - std::exp(-depth)) / std::max(depth, tiny);
    return share < real(0.01) ? real(0) : share;
}

} // namespace

real aged_snow_albedo(real albedo, real snowfall, real dt) {
    constexpr real old = real(0.55), fresh = real(0.84), full = 1; // [kg m-2] that hides old snow
    const real aged = old + (albedo - old) * std::exp(real(-0.01) * dt / 3600);
    return snowfall > 0 ? aged + std::min(snowfall * dt, full) * (fresh - aged) / full : aged;
}

Sunlight sunlight(const Leaves &l, const Site &site, const Air &a, real snow_cover, real snowfall, real wet,
                  Column &c) {
    Sunlight s{0, 0, 0, 0, l.leaf, 0, 0};
    if (a.cosine <= 0) return s;
    c.snow_albedo = aged_snow_albedo(c.snow_albedo, snowfall, a.dt);
    const Foliage f = foliage(l, site.vegetation, a.cosine, c.leaf > freezing_point ? real(0) : wet);
    const real moist = std::max(real(0.11) - real(0.40) * c.moisture[0], real(0));
    real direct_visible = 0, diffuse_visible = 0;
    for (std::size_t band = 0; band < 2; ++band) {
        const real soil = std::min(saturated_soil[band] + moist, dry_soil[band]);
        const real ground = soil * (1 - snow_cover) + c.snow_albedo * snow_cover;
        const Scattering in = scattering(f, band);
        const Passage beam = passage(f, in, ground, true), sky = passage(f, in, ground, false);
        const real direct = a.sunlight * direct_share / 2, diffuse = a.sunlight * (1 - direct_share) / 2;
        s.leaves += direct * beam.taken + diffuse * sky.taken;
        s.ground += (1 - ground) * (direct * (beam.direct + beam.diffuse) + diffuse * sky.diffuse);
        s.reflected += direct * beam.reflected + diffuse * sky.reflected;
        if (band == 0) direct_visible = direct * beam.taken, diffuse_visible = diffuse * sky.taken;
    }
    const real lit = lit_share(f), of_leaf = l.leaf / std::max(f.area, tiny);
    s.lit_area = l.leaf * lit;
    s.shaded_area = l.leaf * (1 - lit);
    const real to_lit = lit > 0 ? direct_visible + lit * diffuse_visible : real(0);
    const real to_shaded = lit > 0 ? (1 - lit) * diffuse_visible : direct_visible + diffuse_visible;
    s.lit = to_lit * of_leaf / std::max(s.lit_area, tiny);
    s.shaded = to_shaded * of_leaf / std::max(s.shaded_area, tiny);
    return s;
}

} // namespace squall::noah_mp
