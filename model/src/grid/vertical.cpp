#include "grid/grid.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "core/constants.hpp"

namespace squall {
namespace {

using Profile = std::vector<double>;

std::vector<real> stored(const Profile &x) { return {x.begin(), x.end()}; }

void check_eta(const Profile &eta) {
    if (eta.size() < 4)
        throw std::invalid_argument(
            fmt::format("eta has {} interfaces; at least 4 (3 layers) are needed", eta.size()));
    if (eta.front() != 1 || eta.back() != 0)
        throw std::invalid_argument(fmt::format(
            "eta must begin with 1 (surface) and end with 0 (top), not {} and {}", eta.front(), eta.back()));
    for (std::size_t k = 1; k < eta.size(); ++k)
        if (!(eta[k] < eta[k - 1]))
            throw std::invalid_argument(
                fmt::format("eta must decrease from the surface up: interface {} has {}, interface {} has {}",
                            k - 1, eta[k - 1], k, eta[k]));
}

/// Weight of the surface pressure in the pressure of a level: eta itself for pure sigma, for the
/// hybrid coordinate the cubic that is 1 with slope 1 at the surface and 0 with slope 0 from etac
/// up (Klemp 2011; NCAR/TN-556, eq. 2.3).
double surface_weight(double eta, double etac) {
    if (etac <= 0) return eta;
    if (eta < etac) return 0;
    const double e = etac, e2 = e * e, e3 = e2 * e;
    const double c0 = 2 * e2 * (1 - e), c1 = -e * (4 - 3 * e - e3), c2 = 2 * (1 - e3), c3 = -(1 - e2);
    const double scale = (1 - e) * (1 - e) * (1 - e) * (1 - e);
    return (c0 + eta * (c1 + eta * (c2 + eta * c3))) / scale;
}

/// Differences of neighbours and the weights that follow from them.
void set_spacing(VerticalGrid &v, const Profile &znw, const Profile &znu) {
    const int nz = v.nz;
    Profile dnw(nz), rdnw(nz), dn(nz), rdn(nz), fnm(nz), fnp(nz);
    for (int k = 0; k < nz; ++k) {
        dnw[k] = znw[k + 1] - znw[k];
        rdnw[k] = 1 / dnw[k];
    }
    for (int k = 1; k < nz; ++k) {
        dn[k] = znu[k] - znu[k - 1];
        rdn[k] = 1 / dn[k];
        fnm[k] = 0.5 * dnw[k - 1] / dn[k];
        fnp[k] = 0.5 * dnw[k] / dn[k];
    }
    // Weights of three layers at the surface (WRF's; exact for lines) and of two at the top.
    const double a = (2 * dn[1] + dn[2]) / (dn[1] + dn[2]) * dnw[0] / dn[1];
    const double b = dn[1] / (dn[1] + dn[2]) * dnw[0] / dn[2];
    v.cf1 = real(fnp[1] + a);
    v.cf2 = real(fnm[1] - a - b);
    v.cf3 = real(b);
    v.cfn = real((0.5 * dnw[nz - 1] + dn[nz - 1]) / dn[nz - 1]);
    v.cfn1 = real(-0.5 * dnw[nz - 1] / dn[nz - 1]);
    v.dnw = stored(dnw);
    v.rdnw = stored(rdnw);
    v.dn = stored(dn);
    v.rdn = stored(rdn);
    v.fnm = stored(fnm);
    v.fnp = stored(fnp);
}

/// c3 = B, c4 = (eta - B)(p0 - pt), c1 = dB/deta as a difference over the level and
/// c2 = (1 - c1)(p0 - pt), so that layer masses add up to the column's (NCAR/TN-556, section 2).
void set_hybrid(VerticalGrid &v, const Profile &znw, const Profile &znu, double etac) {
    const int nz = v.nz;
    const double depth = double(constants::p0) - double(v.p_top);
    Profile c3f(nz + 1), c4f(nz + 1), c1f(nz + 1), c2f(nz + 1), c3h(nz), c4h(nz), c1h(nz), c2h(nz);
    for (int k = 0; k <= nz; ++k) c3f[k] = surface_weight(znw[k], etac);
    c3f[0] = 1;
    c3f[nz] = 0;
    for (int k = 0; k < nz; ++k) {
        c3h[k] = 0.5 * (c3f[k] + c3f[k + 1]);
        c1h[k] = etac > 0 ? (c3f[k + 1] - c3f[k]) / (znw[k + 1] - znw[k]) : 1;
    }
    c1f[0] = 1;
    c1f[nz] = etac > 0 ? 0 : 1;
    for (int k = 1; k < nz; ++k) c1f[k] = etac > 0 ? (c3h[k] - c3h[k - 1]) / (znu[k] - znu[k - 1]) : 1;
    for (int k = 0; k <= nz; ++k) {
        c4f[k] = (znw[k] - c3f[k]) * depth;
        c2f[k] = (1 - c1f[k]) * depth;
    }
    for (int k = 0; k < nz; ++k) {
        c4h[k] = (znu[k] - c3h[k]) * depth;
        c2h[k] = (1 - c1h[k]) * depth;
    }
    v.c1f = stored(c1f);
    v.c2f = stored(c2f);
    v.c3f = stored(c3f);
    v.c4f = stored(c4f);
    v.c1h = stored(c1h);
    v.c2h = stored(c2h);
    v.c3h = stored(c3h);
    v.c4h = stored(c4h);
}

} // namespace

VerticalGrid VerticalGrid::make(const std::vector<double> &eta, double p_top, double etac) {
    check_eta(eta);
    if (!(etac < 1)) throw std::invalid_argument(fmt::format("etac must be below 1, not {}", etac));
    VerticalGrid v;
    v.nz = int(eta.size()) - 1;
    v.p_top = real(p_top);
    Profile znu(v.nz);
    for (int k = 0; k < v.nz; ++k) znu[k] = 0.5 * (eta[k] + eta[k + 1]);
    v.znw = stored(eta);
    v.znu = stored(znu);
    set_spacing(v, eta, znu);
    set_hybrid(v, eta, znu, etac);
    return v;
}

} // namespace squall
