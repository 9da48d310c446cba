#include "wrf_columns.hpp"

#include <cmath>

#include "core/constants.hpp"

namespace squall::columns {

WrfColumns::WrfColumns(const std::string &path)
    : file_(path), nx_(static_cast<int>(file_.size("west_east"))),
      ny_(static_cast<int>(file_.size("south_north"))), nz_(static_cast<int>(file_.size("bottom_top"))) {}

double WrfColumns::time_step() const { return file_.number("DT"); }

double WrfColumns::spacing() const { return file_.number("DX"); }

int WrfColumns::cumulus_scheme() const { return static_cast<int>(file_.number("CU_PHYSICS")); }

Field WrfColumns::read(const std::string &name, int pair, int frame) const {
    const std::vector<std::int64_t> count = file_.shape(name);
    std::int64_t points = 1;
    for (const auto n : count) points *= n;
    Field values(static_cast<std::size_t>(points));
    const io::Box box{std::vector<std::int64_t>(count.size(), 0), count};
    file_.read(name, 2 * pair + frame, box, values.data());
    return values;
}

/// As WRF's phy_prep: the pressure of all the air and water above, half way between interfaces in the middle.
void WrfColumns::set_weight(int pair, Air &a) const {
    const auto n = static_cast<std::size_t>(a.columns);
    const Field mub = read("MUB", pair, 0), mu = read("MU", pair, 0);
    const Field c1 = read("C1H", pair, 0), c2 = read("C2H", pair, 0), dnw = read("DNW", pair, 0);
    Field water(n * static_cast<std::size_t>(nz_));
    for (const char *name : {"QVAPOR", "QCLOUD", "QRAIN", "QICE", "QSNOW", "QGRAUP"}) {
        if (!has(name)) continue;
        const Field q = read(name, pair, 0);
        for (std::size_t m = 0; m < q.size(); ++m) water[m] += q[m];
    }
    a.weight.assign(n * static_cast<std::size_t>(nz_ + 1), read("P_TOP", pair, 0).front());
    a.middle.resize(water.size());
    for (int k = nz_ - 1; k >= 0; --k)
        for (std::size_t c = 0; c < n; ++c) {
            const std::size_t m = static_cast<std::size_t>(k) * n + c, layer = static_cast<std::size_t>(k);
            a.weight[m] =
                a.weight[m + n] - (1 + water[m]) * (c1[layer] * (mub[c] + mu[c]) + c2[layer]) * dnw[layer];
            a.middle[m] = real(0.5) * (a.weight[m] + a.weight[m + n]);
        }
}

Air WrfColumns::air(int pair) const {
    Air a;
    a.columns = columns();
    a.nz = nz_;
    const auto n = static_cast<std::size_t>(a.columns);
    const Field ph = read("PH", pair, 0), phb = read("PHB", pair, 0), p = read("P", pair, 0),
                pb = read("PB", pair, 0), theta = read("T", pair, 0), u = read("U", pair, 0),
                v = read("V", pair, 0), mx = read("MAPFAC_MX", pair, 0), my = read("MAPFAC_MY", pair, 0);
    a.vapour = read("QVAPOR", pair, 0);
    a.cloud = read("QCLOUD", pair, 0);
    a.ice = has("QICE") ? read("QICE", pair, 0) : Field(a.cloud.size());
    for (Field *f : {&a.u, &a.v, &a.theta, &a.exner, &a.pressure, &a.density, &a.depth, &a.temperature})
        f->resize(theta.size());
    for (std::size_t m = 0; m < theta.size(); ++m) {
        const std::size_t row = m / static_cast<std::size_t>(nx_), k = m / n;
        a.pressure[m] = p[m] + pb[m];
        a.theta[m] = theta[m] + constants::theta0;
        a.exner[m] = std::pow(a.pressure[m] / constants::p0, constants::kappa);
        a.temperature[m] = a.theta[m] * a.exner[m];
        a.density[m] = a.pressure[m] / (constants::r_d * a.temperature[m] *
                                        (1 + constants::r_v / constants::r_d * a.vapour[m]));
        a.depth[m] = (ph[m + n] + phb[m + n]) / constants::g - (ph[m] + phb[m]) / constants::g;
        a.u[m] = real(0.5) * (u[m + row] + u[m + row + 1]); // a row of faces is one longer
        const std::size_t south = m + k * static_cast<std::size_t>(nx_);
        a.v[m] = real(0.5) * (v[south] + v[south + static_cast<std::size_t>(nx_)]);
    }
    a.spacing.resize(n);
    const double area = file_.number("DX") * file_.number("DY");
    for (std::size_t c = 0; c < n; ++c) a.spacing[c] = real(std::sqrt(area / (double(mx[c]) * my[c])));
    set_weight(pair, a);
    return a;
}

} // namespace squall::columns
