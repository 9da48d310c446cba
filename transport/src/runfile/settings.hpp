/// What a run file of squall-transport says, after checking: plain data in SI units.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "columns/mixing.hpp"
#include "globe/grid.hpp"
#include "moments/basis.hpp"
#include "moments/families.hpp"
#include "settings/config.hpp"
#include "tracers/sources.hpp"
#include "winds/flow.hpp"
#include "winds/wind_file.hpp"
#include "winds/zonal_weather.hpp"

namespace squall::transport {

/// [grid]
struct GridSettings {
    std::string kind = "gaussian";
    int nlon = 0, nlat = 0;
};

/// [advection]
struct AdvectionSettings {
    std::string scheme = "second-order-moments", limiter = "positive-definite";

    Scheme moments() const { return scheme == "slopes" ? Scheme::slopes : Scheme::second_order; }
    bool positive() const { return limiter == "positive-definite"; }
};

/// [chemistry]
struct ChemistrySettings {
    std::string scheme = "none";
    std::string atoms = "cl", molecules = "cl2"; ///< names of tracers
};

/// [tracer.<name>]
struct TracerSettings {
    std::string name;
    std::string shape = "constant";
    double scale = 1;            ///< by which the distribution is multiplied
    std::string amount = "mass"; ///< mass | mole, of which its mixing ratio is
    std::string family;          ///< with whose other members it is limited; empty: alone
    SourceSettings sources;
    int line = 0;
};

/// [field.<name>]
struct FieldSettings {
    std::string name;
    std::string expression; ///< of fields of the run
    std::string units = "1", long_name;
    std::string kernel; ///< file of an averaging kernel, by which it is a mean over layers; empty: none
    int line = 0;
};

struct Settings {
    Config common; ///< what the limited-area model's run files have too: run, parallel, output and streams
    GridSettings grid;
    LevelSettings levels;
    WindSettings wind;
    WindHeader winds; ///< what wind.file says of itself
    WeatherSettings weather;
    AdvectionSettings advection;
    MixingSettings mixing;
    ChemistrySettings chemistry;
    std::vector<TracerSettings> tracers;
    std::vector<FieldSettings> fields;             ///< of histories, beside those of the tracers
    std::map<std::string, std::string> footprints; ///< tables of what satellites see, by stream

    std::vector<std::string> tracer_names() const {
        std::vector<std::string> names;
        for (const auto &tracer : tracers) names.push_back(tracer.name);
        return names;
    }
    Families families() const; ///< of more than one tracer
    int steps() const;         ///< of the whole run
    /// Whether there is more of it than the dry air of winds by formula.
    bool has_weather() const { return !wind.file.empty() || weather.kind != "isothermal"; }
};

} // namespace squall::transport
