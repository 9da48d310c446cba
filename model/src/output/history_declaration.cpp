#include "output/history_declaration.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "diagnostics/table.hpp"
#include "output/fire_fields.hpp"
#include "output/grid_mapping.hpp"
#include "output/history_attributes.hpp"
#include "output/made.hpp"
#include "output/stream.hpp"
#include "output/subset.hpp"
#include "squall/io_words.hpp"

namespace squall {
namespace {

/// In a stream's list of fields: those of a history that names none, and all that the run can derive.
constexpr const char *the_default = "default", *all_derived = "derived";

std::vector<io::Dimension> history_dimensions(int nx, int ny, int nz,
                                              const std::vector<HistoryField> &fields) {
    std::vector<io::Dimension> dimensions{{"DateStrLen", date_length}};
    for (auto &d : domain_dimensions(nx, ny, nz)) dimensions.push_back(std::move(d));
    for (const auto &field : fields)
        if (field.where.on_fire_cells()) {
            for (auto &d : fire_dimensions(nx, ny, field.where.rx, field.where.ry))
                dimensions.push_back(std::move(d));
            break;
        }
    for (const auto &field : fields)
        if (field.where.levels == Levels::soil) {
            dimensions.push_back({"soil_layers_stag", field.where.soil_layers});
            break;
        }
    for (const auto &field : fields)
        if (field.where.levels == Levels::snow) {
            dimensions.push_back({"snow_layers_stag", field.where.soil_layers});
            break;
        }
    return dimensions;
}

/// The names of the latitude and longitude of a field's points.
std::vector<std::string> coordinates_of(const HistoryField &field) {
    if (!field.where.horizontal) return {};
    if (field.where.on_fire_cells()) return {"FXLAT", "FXLONG"};
    switch (field.where.faces) {
    case Faces::x:
        return {"XLAT_U", "XLONG_U"};
    case Faces::y:
        return {"XLAT_V", "XLONG_V"};
    case Faces::none:
        break;
    }
    return {"XLAT", "XLONG"};
}

[[noreturn]] void refuse_field(const StreamConfig &stream, const std::string &run_file, const char *key,
                               const std::string &name, const std::vector<std::string> &known) {
    throw ConfigError(fmt::format("{}:{}: output.{}.{}: there is no field \"{}\"; {}", run_file, stream.line,
                                  stream.name, key, name, io::near_or_all(name, known)));
}

std::vector<std::string> names_of(const std::vector<HistoryField> &fields) {
    std::vector<std::string> names;
    for (const auto &field : fields) names.push_back(field.name);
    return names;
}

/// A field of the tables that this run cannot make.
void refuse_underivable(const StreamConfig &stream, const Config &config, const std::string &name) {
    const auto refuse = [&](const auto &table) {
        const auto row = std::ranges::find_if(table, [&](const auto &r) { return r.name == name; });
        if (row == table.end()) return;
        throw ConfigError(fmt::format(
            "{}:{}: output.{}.fields: \"{}\" is derived from fields that the run does not have: {}",
            config.file, stream.line, stream.name, name,
            config.identity.moves ? "cells that do not move" : lacking(row->needs, needs_met(config))));
    };
    refuse(derived_fields());
    refuse(running_fields());
}

/// Of a field that a stream leaves out: "-W".
bool is_left_out(const std::string &word) { return word.starts_with('-'); }
std::string without_sign(const std::string &word) { return word.substr(is_left_out(word) ? 1 : 0); }

/// A stream that makes something of the grid, or leaves out part of it, names a field of the fire's.
void refuse_fire_cells(const StreamConfig &stream, const Config &config,
                       const std::vector<HistoryField> &possible) {
    for (const auto &field : possible)
        if (field.where.on_fire_cells() &&
            std::ranges::find(stream.fields, field.name) != stream.fields.end())
            throw ConfigError(fmt::format(
                "{}:{}: output.{}.fields: \"{}\" is on the fire's cells, of which a stream has all or none: "
                "name it in one without stations, levels, region, stride, averages and over_time",
                config.file, stream.line, stream.name, field.name));
}

void check_known(const StreamConfig &stream, const Config &config,
                 const std::vector<HistoryField> &possible) {
    auto known = names_of(possible);
    known.insert(known.begin(), {"Times", "XTIME", "ITIMESTEP", the_default, all_derived});
    for (const auto &word : stream.fields) {
        const std::string name = without_sign(word);
        if (std::ranges::find(known, name) != known.end()) continue;
        refuse_underivable(stream, config, name);
        refuse_field(stream, config.file, "fields", name, known);
    }
}

void check_precision(const StreamConfig &stream, const std::string &run_file,
                     const std::vector<HistoryField> &selected) {
    const auto names = names_of(selected);
    for (const auto &[name, precision] : stream.precision)
        if (std::ranges::find(names, name) == names.end())
            refuse_field(stream, run_file, "precision", name, names);
}

} // namespace

std::vector<HistoryField> select_history_fields(const StreamConfig &stream, const Config &config) {
    auto possible = history_fields(config);
    if (!has_fire_cells(stream)) {
        refuse_fire_cells(stream, config, possible);
        std::erase_if(possible, [](const HistoryField &f) { return f.where.on_fire_cells(); });
    }
    std::set<std::string> wanted, left_out;
    for (const auto &word : stream.fields) (is_left_out(word) ? left_out : wanted).insert(without_sign(word));
    check_known(stream, config, possible);
    const bool defaults = wanted.empty() || wanted.contains(the_default);
    for (const auto &field : possible) {
        if (field.derived || field.running ? wanted.contains(all_derived) : defaults && field.by_default)
            wanted.insert(field.name);
        if (left_out.contains(field.name)) wanted.erase(field.name);
        if (wanted.contains(field.name))
            for (const auto &name : coordinates_of(field)) wanted.insert(name);
    }
    std::vector<HistoryField> selected;
    std::ranges::copy_if(possible, std::back_inserter(selected),
                         [&](const HistoryField &f) { return wanted.contains(f.name); });
    return selected;
}

std::vector<const RunningField *> running_of(const std::vector<HistoryField> &fields) {
    std::vector<const RunningField *> running;
    for (const auto &f : fields)
        if (f.running) running.push_back(f.running);
    return running;
}

std::vector<const RunningField *> select_running_fields(const StreamConfig &stream, const Config &config) {
    return running_of(select_history_fields(stream, config));
}

io::StreamSpec declare_history(const StreamConfig &stream, const Config &config,
                               const std::vector<HistoryField> &fields) {
    check_precision(stream, config.file, fields);
    const auto [nx, ny, nz] = std::tuple(config.domain.nx, config.domain.ny, config.domain.nz);
    io::StreamSpec s = stream_spec(stream, config);
    s.dimensions = history_dimensions(nx, ny, nz, fields);
    const Subset subset = Subset::make(stream, nx, ny, nz);
    if (!subset.everything(nx, ny, nz)) s.subset = subset.selections();
    s.fields = declare_time(config.run.start);
    if (config.identity.moves)
        for (auto &field : declare_place()) s.fields.push_back(std::move(field));
    s.time = io::TimeAxis{.units = time_units(config.run.start),
                          .bounds = !stream.over_time.empty() || !running_of(fields).empty()};
    const auto mapping = GridMapping::make(config);
    if (mapping)
        for (auto &field : mapping->fields()) s.fields.push_back(std::move(field));
    for (const auto &field : fields) {
        s.fields.push_back(declare(field, stream.constants_once(), mapping ? GridMapping::name : ""));
        if (const auto p = stream.precision.find(field.name); p != stream.precision.end())
            s.fields.back().precision = p->second;
    }
    return s;
}

io::StreamSpec history_spec(const StreamConfig &stream, const Config &config) {
    const auto fields = select_history_fields(stream, config);
    auto spec = declare_history(stream, config, fields);
    std::optional<Tracks> tracks;
    if (!stream.trajectories.empty()) tracks.emplace(stream, config);
    const auto stations = stream.stations.empty() ? std::vector<Place>() : expect_stations(stream, config);
    declare_made(spec, stream, config, places_of(stations, tracks ? &*tracks : nullptr));
    return spec;
}

} // namespace squall
