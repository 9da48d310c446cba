// Radiation of the step that begins at a frame, where WRF's is RRTM's longwave and Dudhia's shortwave: the
// model has that shortwave, and RRTMGP stands for RRTM.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/constants.hpp"
#include "physics/radiated_air.hpp"
#include "physics/radiation/scheme.hpp"
#include "physics/radiation/standard_air.hpp"
#include "score.hpp"

namespace squall::columns {
namespace {

constexpr const char *name_here = "rrtmgp-dudhia";
constexpr real day = 86400;          ///< [s]
constexpr real low_sun = real(0.05); ///< cosine: WRF's sunlight is compared above it

struct Water {
    const char *name;
    int ScalarSet::*index;
};
constexpr std::array<Water, 6> waters{{{"QVAPOR", &ScalarSet::vapour},
                                       {"QCLOUD", &ScalarSet::cloud},
                                       {"QRAIN", &ScalarSet::rain},
                                       {"QICE", &ScalarSet::ice},
                                       {"QSNOW", &ScalarSet::snow},
                                       {"QGRAUP", &ScalarSet::graupel}}};

/// Those of the file.
ScalarSet scalars_of(const WrfColumns &file) {
    ScalarSet set;
    for (const Water &water : waters)
        if (file.has(water.name)) {
            set.*water.index = set.waters++;
            set.all.push_back({water.name, "", ""});
        }
    set.first_tracer = set.waters;
    return set;
}

/// As the file's model is: with ice of its own, or with cloud that is ice where it freezes.
Config config_of(const ScalarSet &scalars) {
    Config config;
    config.physics.microphysics = scalars.ice >= 0 ? "wsm6" : "wsm3";
    config.physics.longwave_ice = scalars.ice >= 0; // WRF's RRTM takes WSM3's crystals to be none at all
    config.dynamics.moist_theta = false;            // T of a file is that of dry air
    return config;
}

/// What radiation makes of the columns of a pair: fluxes [W m-2] and rates of theta [K s-1].
struct Made {
    Field thermal_down, outgoing, solar_down, heating;
    explicit Made(const Air &air)
        : thermal_down(static_cast<std::size_t>(air.columns)), outgoing(thermal_down),
          solar_down(thermal_down), heating(air.theta.size()) {}
};

class Pair {
  public:
    Pair(const WrfColumns &file, int pair)
        : file_(file), pair_(pair), scalars_(scalars_of(file)), config_(config_of(scalars_)),
          radiated_(config_, scalars_, file.nz()), air_(file.air(pair)), sun_(file.read("COSZEN", pair, 1)) {
        for (const char *name : {"DNW", "C1H", "C2H"}) levels_.push_back(file.read(name, pair, 0));
        vertical_.p_top = file.read("P_TOP", pair, 0).front();
        vertical_.dnw.assign(levels_[0].begin(), levels_[0].end());
        vertical_.c1h.assign(levels_[1].begin(), levels_[1].end());
        vertical_.c2h.assign(levels_[2].begin(), levels_[2].end());
        fill_records();
    }

    const Field &sun() const { return sun_; }

    Made solve(radiation::Scheme &scheme, double days, double year) const {
        Made made(air_);
        RadiationCall call{radiation::sun_at(days, true), days, radiation::well_mixed(year), 0};
        radiation::Column column;
        radiation::Fluxes thermal, solar;
        for (int c = 0; c < air_.columns; ++c) {
            radiated_.make(records_.data() + offset(c), vertical_, call, column);
            column.sun.cosine = double(sun_[static_cast<std::size_t>(c)]);
            const radiation::Task task{&column, {static_cast<std::uint64_t>(c), 0}, &thermal, &solar};
            scheme.solve_shortwave({&task, 1});
            scheme.solve_longwave({&task, 1});
            keep(column, thermal, solar, c, made);
        }
        return made;
    }

  private:
    std::ptrdiff_t offset(int column) const {
        return static_cast<std::ptrdiff_t>(radiated_.record().size()) * column;
    }

    void fill_records() {
        using R = RadiationRecord;
        const auto n = static_cast<std::size_t>(air_.columns);
        records_.resize(radiated_.record().size() * n);
        const auto single = [&](R::Single which, const Field &values) {
            for (std::size_t c = 0; c < n; ++c) records_[c * radiated_.record().size() + which] = values[c];
        };
        const auto read = [&](const char *name) { return file_.read(name, pair_, 0); };
        single(R::latitude, read("XLAT")), single(R::longitude, read("XLONG"));
        single(R::base_mass, read("MUB")), single(R::mass, read("MU"));
        single(R::skin, read("TSK")), single(R::emissivity, read("EMISS")), single(R::albedo, read("ALBEDO"));
        Field wetness = read("XLAND"); // 1 over land, 2 over water
        for (real &x : wetness) x -= 1;
        single(R::wetness, wetness);
        profile(R::theta, 0, read("T")), profile(R::pressure, 0, read("P"));
        profile(R::base_pressure, 0, read("PB"));
        for (int s = 0; s < scalars_.waters; ++s)
            profile(R::waters, s, read(scalars_.all[static_cast<std::size_t>(s)].name.c_str()));
    }

    void profile(RadiationRecord::Profile which, int water, const Field &values) {
        for (int c = 0; c < air_.columns; ++c) {
            const real *start = radiated_.record().profile(records_.data() + offset(c), which, water);
            real *row = records_.data() + (start - records_.data());
            for (int k = 0; k < air_.nz; ++k) row[k] = values[static_cast<std::size_t>(k * air_.columns + c)];
        }
    }

    /// What leaves is what passes the model's top, as in WRF's file.
    void keep(const radiation::Column &column, const radiation::Fluxes &thermal,
              const radiation::Fluxes &solar, int c, Made &made) const {
        const auto at = static_cast<std::size_t>(c), top = static_cast<std::size_t>(air_.nz);
        made.thermal_down[at] = real(thermal.down[0]);
        made.outgoing[at] = real(thermal.up[top]);
        made.solar_down[at] = real(solar.down[0]);
        const auto net_up = [&](std::size_t k) {
            return thermal.up[k] - thermal.down[k] + solar.up[k] - solar.down[k];
        };
        for (std::size_t k = 0; k < top; ++k) {
            const std::size_t m = k * static_cast<std::size_t>(air_.columns) + at;
            const double mass = (column.pressure[k] - column.pressure[k + 1]) / double(constants::g);
            made.heating[m] =
                real((net_up(k) - net_up(k + 1)) / (mass * double(constants::c_p) * double(air_.exner[m])));
        }
    }

    const WrfColumns &file_;
    int pair_;
    ScalarSet scalars_;
    Config config_;
    RadiatedAir radiated_;
    Air air_;
    Field sun_;
    std::vector<Field> levels_{};
    VerticalGrid vertical_{};
    std::vector<real> records_{};
};

/// Where WRF's radiation saw no cloud: it has neither cover nor water there.
std::vector<bool> clear_columns(const WrfColumns &file, int pair) {
    std::vector<bool> clear(static_cast<std::size_t>(file.columns()), true);
    const auto look = [&](const Field &values, real most) {
        for (std::size_t m = 0; m < values.size(); ++m)
            if (values[m] > most) clear[m % clear.size()] = false;
    };
    look(file.read("CLDFRA", pair, 1), 0);
    for (std::size_t n = 1; n < waters.size(); ++n)
        if (file.has(waters[n].name)) look(file.read(waters[n].name, pair, 0), real(1e-9));
    return clear;
}

} // namespace

void score_radiation(const WrfColumns &file, Results &results) {
    if (!file.has("RTHRATEN") || file.number("RA_LW_PHYSICS") != 1 || file.number("RA_SW_PHYSICS") != 1)
        return;
    const auto &entry = radiation::scheme_named(name_here);
    const auto scheme = entry.prepare("")();
    for (int pair = 0; pair < file.pairs(); ++pair) {
        const Pair columns(file, pair);
        const double hours = double(file.read("XTIME", pair, 0).front()) / 60;
        const double days = file.number("JULDAY") - 1 + file.number("GMT") / 24 + hours / 24;
        const Made made = columns.solve(*scheme, days, file.number("JULYR") + days / 366);
        const std::vector<bool> clear = clear_columns(file, pair);
        const auto is_clear = [&](int c) { return bool(clear[static_cast<std::size_t>(c)]); };
        const auto is_lit = [&](int c) { return columns.sun()[static_cast<std::size_t>(c)] > low_sun; };
        const auto add = [&](const char *field, const Field &ours, const char *where, auto counts) {
            score_of(results, name_here, field, where)
                .add(file.read(field, pair, 1), ours, file.columns(), counts);
        };
        for (const auto &[field, ours] : {std::pair("GLW", &made.thermal_down), {"OLR", &made.outgoing}}) {
            add(field, *ours, "clear", is_clear);
            add(field, *ours, "all", [](int) { return true; });
        }
        add("SWDOWN", made.solar_down, "clear", [&](int c) { return is_clear(c) && is_lit(c); });
        add("SWDOWN", made.solar_down, "all", is_lit);
        add("RTHRATEN", made.heating, "clear", is_clear);
        add("RTHRATEN", made.heating, "all", [](int) { return true; });
    }
}

} // namespace squall::columns
