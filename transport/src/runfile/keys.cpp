#include "runfile/keys.hpp"

#include <algorithm>

#include "config/output_schema.hpp"
#include "config/run_schema.hpp"

namespace squall::transport {
namespace {

/// Keys of the limited-area model that mean the same here, in the order of `names`.
TransportTable taken(const TableSchema &table, const std::string &meaning,
                     const std::vector<std::string> &names) {
    TransportTable mine{table.name, meaning, {}};
    for (const std::string &name : names) {
        const auto &key = *std::ranges::find(table.keys, name, &Key::name);
        mine.keys.push_back({key.name, [slot = key.slot](Settings &s) { return slot(s.common); }, key.meaning,
                             key.rule, key.presence, key.default_text});
    }
    return mine;
}

TransportTable run_keys() {
    auto table = taken(run_table(), "Name, time span and time step of the run.",
                       {"name", "directory", "start", "duration", "time_step", "restart_from"});
    std::ranges::find(table.keys, std::string("time_step"), &TransportKey::name)->meaning =
        "time step; divided by itself where a cell would lose more air than it has";
    std::ranges::find(table.keys, std::string("start"), &TransportKey::name)->meaning =
        "calendar time of step 0, UTC";
    return table;
}

TransportTable grid_keys() {
    using G = GridSettings;
    const auto in = [](auto member) { return [member](Settings &s) -> Slot { return &(s.grid.*member); }; };
    return {"grid",
            "The global grid.",
            {{"kind",
              in(&G::kind),
              "rows of equal height, or those of Gauss's latitudes",
              {.choices = {"regular", "gaussian"}}},
             {"nlon",
              in(&G::nlon),
              "cells from west to east; T42 has 128, T106 320",
              {.min = 4, .max = 1e5},
              Presence::required},
             {"nlat",
              in(&G::nlat),
              "cells from south to north; T42 has 64, T106 160",
              {.min = 4, .max = 1e5, .even = true},
              Presence::required}}};
}

TransportTable level_keys() {
    using L = LevelSettings;
    const auto in = [](auto member) { return [member](Settings &s) -> Slot { return &(s.levels.*member); }; };
    return {"vertical",
            "The levels.",
            {{"nz", in(&L::nz), "layers", {.min = 1, .max = 1e4}},
             {"top", in(&L::top), "pressure at the top", {.unit = "Pa", .min = 0, .above = true}},
             {"spacing",
              in(&L::spacing),
              "layers of equal thickness: in the logarithm of pressure, or in pressure",
              {.choices = {"height", "pressure"}}},
             {"coordinate",
              in(&L::coordinate),
              "surfaces of constant pressure, surfaces that follow the ground, or both, those at the ground "
              "following it; \"file\": the levels of wind.file",
              {.choices = {"pressure", "sigma", "hybrid", "file"}}}}};
}

TransportTable wind_keys() {
    using W = WindSettings;
    const auto in = [](auto member) { return [member](Settings &s) -> Slot { return &(s.wind.*member); }; };
    return {"wind",
            "The wind, by a formula of a published test or from analyses.",
            {{"flow", in(&W::flow), "the test", {.choices = flow_names()}},
             {"period",
              in(&W::period),
              "time for one rotation, or until the tracers are back",
              {.unit = "s", .min = 0, .above = true}},
             {"angle",
              in(&W::angle),
              "angle between the axis of solid-body rotation and that of the globe, in degrees; 90: over the "
              "poles",
              {.min = -180, .max = 180}},
             {"file", in(&W::file),
              "file of winds and weather that `squall transport prepare` made of analyses, in place of "
              "`flow`, relative to the run file"},
             {"read",
              in(&W::read),
              "who reads it: the first rank of each row of patches its rows, or one rank all; the answer is "
              "the same",
              {.choices = {"rows", "one"}}}}};
}

TransportTable advection_keys() {
    using A = AdvectionSettings;
    const auto in = [](auto member) {
        return [member](Settings &s) -> Slot { return &(s.advection.*member); };
    };
    return {"advection",
            "The transport scheme of all tracers.",
            {{"scheme",
              in(&A::scheme),
              "Prather's (1986) second-order moments, or Russell and Lerner's (1981) slopes, which take less "
              "than half the time and memory",
              {.choices = {"second-order-moments", "slopes"}}},
             {"limiter",
              in(&A::limiter),
              "limiter of the moments: that of Prather (1986), by which no mass is negative, or none",
              {.choices = {"positive-definite", "none"}}}}};
}

TransportTable weather_keys() {
    const auto kind = [](Settings &s) -> Slot { return &s.weather.kind; };
    return {
        "weather",
        "The weather of winds by formula.",
        {{"kind",
          kind,
          "dry air of 300 K, as of the published tests; or a weather by latitude and time of day, with humid "
          "air, a boundary layer, rain, and land from 0 to 180 degrees east, for tests of processes in "
          "columns",
          {.choices = {"isothermal", "zonal"}}}}};
}

TransportTable mixing_keys() {
    using M = MixingSettings;
    const auto in = [](auto member) { return [member](Settings &s) -> Slot { return &(s.mixing.*member); }; };
    return {"mixing",
            "Mixing of columns by what winds do not resolve.",
            {{"convection",
              in(&M::convection),
              "convective clouds by mass fluxes: those of the weather, or found by a closure after Tiedtke "
              "(1989)",
              {.choices = {"none", "mass-flux"}}},
             {"boundary_layer",
              in(&M::boundary_layer),
              "the boundary layer by Holtslag and Boville's (1993) profile of diffusivities and flux against "
              "the gradient",
              {.choices = {"none", "holtslag-boville"}}}}};
}

TransportTable chemistry_keys() {
    using C = ChemistrySettings;
    const auto in = [](auto member) {
        return [member](Settings &s) -> Slot { return &(s.chemistry.*member); };
    };
    return {"chemistry",
            "Reactions of tracers.",
            {{"scheme",
              in(&C::scheme),
              "the terminator test of Lauritzen et al. (2015), or none",
              {.choices = {"none", "terminator"}}},
             {"atoms", in(&C::atoms), "name of the tracer that is Cl of the terminator test"},
             {"molecules", in(&C::molecules), "name of the tracer that is Cl2"}}};
}

TransportTable parallel_keys() {
    using P = ParallelConfig;
    const auto in = [](auto member) {
        return [member](Settings &s) -> Slot { return &(s.common.parallel.*member); };
    };
    const Rule count{.min = 0, .max = 1e6};
    return {
        "parallel",
        "Decomposition of the work; the answer does not depend on it. 0 leaves the choice to the program.",
        {{"ranks_x", in(&P::ranks_x), "patches from west to east", count},
         {"ranks_y", in(&P::ranks_y), "patches from south to north", count},
         {"threads",
          in(&P::threads),
          "threads per rank",
          count,
          {},
          "0: OMP_NUM_THREADS, or the rank's share of the cores"}}};
}

std::vector<std::string> all_names(const TableSchema &table) { return names_of(table.keys); }

/// What the limited-area model's streams have, too.
TransportTable shared_stream_keys() {
    return taken(stream_table(),
                 "One table for each stream: `history`, `restart`, and any others, which are histories with "
                 "settings of their own.",
                 {"interval",        "path",          "engine",    "placement", "codec",     "options",
                  "frames_per_file", "staging_limit", "when_full", "spill_dir", "burst_dir", "on_error",
                  "fields",          "levels",        "region",    "stride",    "precision", "stations",
                  "interpolation",   "average",       "statistic", "reduce"});
}

} // namespace

const std::vector<TransportTable> &tables() {
    static const std::vector<TransportTable> all{
        run_keys(),      grid_keys(),
        level_keys(),    wind_keys(),
        weather_keys(),  advection_keys(),
        mixing_keys(),   chemistry_keys(),
        parallel_keys(), taken(output_table(), output_table().meaning, all_names(output_table()))};
    return all;
}

const TransportTable &field_keys() {
    using F = FieldSettings;
    const auto in = [](auto member) {
        return [member](Settings &s) -> Slot { return &(s.fields.back().*member); };
    };
    static const TransportTable table{
        "field.<name>",
        "One table for each field that histories have beside those of the tracers.",
        {{"expression",
          in(&F::expression),
          "how it is computed from fields of the run, `air` and `pressure` (the mass of air in a layer, kg "
          "m-2, "
          "and its pressure, Pa): `\"(cl + 2 * cl2) * 1e9\"`; + - * / and parentheses, sqrt, exp, log, "
          "log10, abs, "
          "min and max",
          {},
          Presence::required},
         {"kernel",
          in(&F::kernel),
          "table of a satellite's averaging kernel, with the columns pressure [Pa] and kernel: the field is "
          "the mean over the layers of a column by their air, each times the kernel at its pressure",
          {},
          {},
          "none"},
         {"units", in(&F::units), "its units"},
         {"long_name", in(&F::long_name), "what it is", {}, {}, "the expression"}}};
    return table;
}

const TransportTable &stream_keys() {
    static const TransportTable table = [] {
        auto keys = shared_stream_keys();
        keys.keys.insert(
            std::ranges::find(keys.keys, std::string("average"), &TransportKey::name),
            {"footprints",
             [](Settings &s) -> Slot { return &s.footprints[s.common.streams.back().name]; },
             "table of what a satellite sees, with the columns time (a date, or seconds since `run.start`), "
             "longitude and latitude [degrees]: each frame has the columns of cells in which the footprints "
             "lie that are nearest to it in time",
             {},
             {},
             "none"});
        return keys;
    }();
    return table;
}

} // namespace squall::transport
