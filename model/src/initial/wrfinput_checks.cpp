#include "initial/wrfinput_checks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "initial/hydrostatics.hpp"

namespace squall {
namespace {

using Profile = std::vector<real>;

/// `read` must be `expected` to within `tolerance` of its greatest value, from level `first` on.
void compare(const InputFile &file, const char *name, const Profile &read, const Profile &expected,
             double scale, std::size_t first = 0) {
    constexpr double tolerance = 0.01;
    for (std::size_t k = first; k < read.size(); ++k)
        if (!(std::abs(double(read[k]) - expected[k]) <=
              tolerance * std::max(scale, std::abs(double(expected[k])))))
            file.fail(fmt::format("{} is {} at 0-based level {}, but {} by the eta levels ZNW", name, read[k],
                                  k, expected[k]));
}

/// c2 and c4 follow from c1 and c3 (NCAR/TN-556, section 2); c3 falls from 1 to 0 with eta.
void check_hybrid(const InputFile &file, const VerticalGrid &v, double depth) {
    const auto follow = [&](const char *name, const Profile &read, const Profile &from, const Profile *eta) {
        Profile expected;
        for (std::size_t k = 0; k < read.size(); ++k)
            expected.push_back(real(((eta ? (*eta)[k] : 1) - double(from[k])) * depth));
        compare(file, name, read, expected, depth);
    };
    Profile c1h, c3h;
    for (int k = 0; k < v.nz; ++k) {
        if (!(v.c3f[k + 1] <= v.c3f[k]))
            file.fail(fmt::format("C3F increases with height at 0-based level {}", k + 1));
        c3h.push_back(real(0.5) * (v.c3f[k] + v.c3f[k + 1]));
        c1h.push_back((v.c3f[k + 1] - v.c3f[k]) / v.dnw[k]);
    }
    if (v.c3f[0] != 1 || v.c3f[v.nz] != 0)
        file.fail(fmt::format("C3F goes from {} to {}; it must go from 1 to 0", v.c3f[0], v.c3f[v.nz]));
    compare(file, "C3H", v.c3h, c3h, 1);
    compare(file, "C1H", v.c1h, c1h, 1);
    for (real c : v.c1f)
        if (!(c >= 0 && c < 10)) file.fail(fmt::format("C1F holds {}: it must be from 0 to 10", c));
    follow("C2H", v.c2h, v.c1h, nullptr);
    follow("C2F", v.c2f, v.c1f, nullptr);
    follow("C4H", v.c4h, v.c3h, &v.znu);
    follow("C4F", v.c4f, v.c3f, &v.znw);
}

/// A column of the state, in double precision.
class Column {
  public:
    Column(const InputFile &file, const Config &config, const Patch &patch, const InitialState &s, int i,
           int j)
        : file_(file), config_(config), patch_(patch), s_(s), v_(s.grid.vertical), i_(i), j_(j),
          mu_(double(s.grid.mub(i, j)) + s.state.mu(i, j)) {}

    void check() const {
        if (!(s_.grid.mub(i_, j_) > 0 && mu_ > 0))
            fail(fmt::format("column mass MUB + MU = {} + {} Pa is not positive", s_.grid.mub(i_, j_),
                             s_.state.mu(i_, j_)));
        if (!(s_.grid.msftx(i_, j_) > 0 && s_.grid.msfty(i_, j_) > 0))
            fail("map factor MAPFAC_M is not positive");
        double weight = v_.p_top; // of what lies above
        for (int k = v_.nz - 1; k >= 0; --k) {
            check_layer(k);
            const double mass = layer_mass(v_, k, mu_) * (1 + water(k));
            check_pressure(k, weight + 0.5 * mass);
            weight += mass;
        }
    }

  private:
    [[noreturn]] void fail(const std::string &what) const {
        file_.fail(fmt::format("{} {}", what, file_.place(patch_.y0 + j_, patch_.x0 + i_)));
    }

    double phi(int k) const { return double(s_.grid.phb(i_, k, j_)) + s_.state.ph(i_, k, j_); }
    double vapour(int k) const {
        return s_.scalars.vapour < 0 ? 0 : double(s_.state.scalars[s_.scalars.vapour](i_, k, j_));
    }
    double water(int k) const {
        double sum = 0;
        for (int n = 0; n < s_.scalars.waters; ++n) sum += s_.state.scalars[n](i_, k, j_);
        return sum;
    }

    void check_layer(int k) const {
        if (!(phi(k + 1) > phi(k)))
            fail(fmt::format("geopotential PHB + PH does not rise above level {}", k));
        if (!(s_.state.theta(i_, k, j_) + constants::theta0 > 0))
            fail(fmt::format("potential temperature T + 300 K is not positive at level {}", k));
        if (!(layer_mass(v_, k, mu_) > 0))
            fail(fmt::format("layer {} has no mass under MUB + MU = {} Pa", k, mu_));
    }

    void check_pressure(int k, double weight) const {
        constexpr double tolerance = 0.1;
        const double theta = double(constants::theta0) + s_.state.theta(i_, k, j_);
        const double moist = config_.dynamics.moist_theta
                                 ? 1
                                 : 1 + vapour(k) * double(constants::r_v) / double(constants::r_d);
        const double alpha =
            (phi(k + 1) - phi(k)) / hypsometric_depth(v_, k, mu_, config_.dynamics.hypsometric);
        const double p = constants::p0 * std::pow(constants::r_d * theta * moist / (constants::p0 * alpha),
                                                  double(constants::cp_over_cv));
        if (!(std::abs(p - weight) < tolerance * weight))
            fail(fmt::format("the pressure of level {} is {:.5g} Pa by its temperature and density, but "
                             "{:.5g} Pa by the weight of the air above it: PH, PHB, MU, MUB, T and HGT are "
                             "inconsistent, or do not match dynamics.hypsometric = {}",
                             k, p, weight, config_.dynamics.hypsometric));
    }

    const InputFile &file_;
    const Config &config_;
    const Patch &patch_;
    const InitialState &s_;
    const VerticalGrid &v_;
    int i_, j_;
    double mu_;
};

} // namespace

void check_coefficients(const InputFile &file, const VerticalGrid &read, const VerticalGrid &computed) {
    compare(file, "ZNU", read.znu, computed.znu, 0);
    compare(file, "DNW", read.dnw, computed.dnw, 0);
    compare(file, "RDNW", read.rdnw, computed.rdnw, 0);
    compare(file, "DN", read.dn, computed.dn, 0, 1);
    compare(file, "RDN", read.rdn, computed.rdn, 0, 1);
    compare(file, "FNM", read.fnm, computed.fnm, 0, 1);
    compare(file, "FNP", read.fnp, computed.fnp, 0, 1);
    compare(file, "CF1", {read.cf1}, {computed.cf1}, 1);
    compare(file, "CF2", {read.cf2}, {computed.cf2}, 1);
    compare(file, "CF3", {read.cf3}, {computed.cf3}, 1);
    compare(file, "CFN", {read.cfn}, {computed.cfn}, 1);
    compare(file, "CFN1", {read.cfn1}, {computed.cfn1}, 1);
    check_hybrid(file, read, double(constants::p0) - double(read.p_top));
}

void check_surface(const InputFile &file, const Patch &patch, const Grid &grid) {
    constexpr double tolerance = 1; // [m]
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            const double bottom = double(grid.phb(i, 0, j)) / constants::g;
            if (!(std::abs(bottom - grid.terrain(i, j)) < tolerance))
                file.fail(fmt::format(
                    "the terrain HGT is at {} m, but the lowest level (PHB / g) is at {:.1f} m {}",
                    grid.terrain(i, j), bottom, file.place(patch.y0 + j, patch.x0 + i)));
        }
}

void check_atmosphere(const InputFile &file, const Config &config, const Patch &patch,
                      const InitialState &initial) {
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) Column(file, config, patch, initial, i, j).check();
}

} // namespace squall
