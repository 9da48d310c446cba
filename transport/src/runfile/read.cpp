#include "runfile/read.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "config/document.hpp"
#include "config/read.hpp"
#include "config/values.hpp"
#include "runfile/check_tracers.hpp"
#include "runfile/keys.hpp"
#include "settings/calendar.hpp"
#include "squall/io_words.hpp"

namespace squall::transport {
namespace {

std::vector<std::string> key_names(const TransportTable &table) {
    std::vector<std::string> names;
    for (const TransportKey &key : table.keys) names.push_back(key.name);
    return names;
}

/// Names of tables that a run file may have at its top.
std::vector<std::string> table_names() {
    std::vector<std::string> names{"tracer", "field"};
    for (const TransportTable &table : tables()) names.push_back(table.name);
    return names;
}

/// Reads the tables of a document into settings.
class Reader {
  public:
    Reader(squall::Reading &reading, Settings &settings) : reading_(reading), settings_(settings) {}

    void read(const Value &root) {
        for (const Entry &entry : std::get<Value::Table>(root.data)) {
            const auto *entries = std::get_if<Value::Table>(&entry.value.data);
            const auto table = std::ranges::find(tables(), entry.key, &TransportTable::name);
            if (!entries)
                add(entry.place, fmt::format("key \"{}\" is outside any table; put it below one, such as "
                                             "[run]",
                                             entry.key));
            else if (entry.key == "tracer")
                read_named(entry.key, entry.key, *entries, settings_.tracers, tracer_keys());
            else if (entry.key == "field")
                read_named(entry.key, entry.key, *entries, settings_.fields, field_keys());
            else if (table == tables().end())
                add(entry.place, fmt::format("unknown table [{}]; {}", entry.key,
                                             io::near_or_all(entry.key, table_names())));
            else
                read_table(*table, entry, *entries);
        }
        check_required();
    }

  private:
    void add(const TextPlace &place, const std::string &what) { reading_.problems.add(place, what); }

    void read_table(const TransportTable &table, const Entry &entry, const Value::Table &entries) {
        reading_.given[table.name] = entry.value.place;
        if (table.name != "output") return read_keys(table, table.name, entries);
        Value::Table own;
        for (const Entry &inner : entries)
            if (const auto *stream = std::get_if<Value::Table>(&inner.value.data))
                read_stream(inner, *stream);
            else
                own.push_back(inner);
        read_keys(table, table.name, own);
    }

    bool is_plain(const Entry &entry, const std::string &what) {
        const bool plain = !entry.key.empty() && std::ranges::all_of(entry.key, [](unsigned char c) {
            return std::isalnum(c) || c == '_';
        });
        if (!plain)
            add(entry.place, fmt::format("\"{}\" is not a valid name of a {}: use letters, digits and _",
                                         entry.key, what));
        return plain;
    }

    void read_stream(const Entry &entry, const Value::Table &entries) {
        if (!is_plain(entry, "stream")) return;
        StreamConfig &stream = settings_.common.streams.emplace_back();
        stream.name = entry.key;
        stream.line = entry.value.place.line;
        const std::string path = "output." + entry.key;
        reading_.given[path] = entry.value.place;
        read_keys(stream_keys(), path, entries);
        if (!reading_.has(path + ".interval"))
            add(entry.place, fmt::format("key \"interval\" is missing in [{}]", path));
    }

    /// [above.<name>]: tables of one kind.
    template <class Named>
    void read_named(const std::string &above, const std::string &kind, const Value::Table &entries,
                    std::vector<Named> &all, const TransportTable &keys) {
        for (const Entry &entry : entries) {
            const auto *inner = std::get_if<Value::Table>(&entry.value.data);
            if (!inner)
                add(entry.place,
                    fmt::format("[{0}] holds one table for each {1}: put \"{2}\" below one, such "
                                "as [{0}.q]",
                                above, kind, entry.key));
            if (!inner || !is_plain(entry, kind)) continue;
            Named &one = all.emplace_back();
            one.name = entry.key;
            if constexpr (requires { one.line; }) one.line = entry.value.place.line;
            const std::string path = above + "." + entry.key;
            reading_.given[path] = entry.value.place;
            Value::Table own;
            for (const Entry &each : *inner)
                if (kind == "tracer" && each.key == "release")
                    read_releases(path + ".release", each);
                else
                    own.push_back(each);
            read_keys(keys, path, own);
            require(keys, path);
        }
    }

    /// Of the last tracer.
    void read_releases(const std::string &path, const Entry &entry) {
        if (const auto *entries = std::get_if<Value::Table>(&entry.value.data))
            return read_named(path, "release", *entries, settings_.tracers.back().sources.releases,
                              release_keys());
        add(entry.place, fmt::format("{0} holds one table for each release, such as [{0}.a]", path));
    }

    void read_keys(const TransportTable &table, const std::string &path, const Value::Table &entries) {
        for (const Entry &entry : entries) {
            const auto key = std::ranges::find(table.keys, entry.key, &TransportKey::name);
            if (key == table.keys.end()) {
                add(entry.place, fmt::format("unknown key \"{}\" in [{}]; {}", entry.key, path,
                                             io::near_or_all(entry.key, key_names(table))));
                continue;
            }
            reading_.given[path + "." + entry.key] = entry.value.place;
            try {
                assign(entry.value, key->rule, key->slot(settings_));
            } catch (const std::invalid_argument &problem) {
                add(entry.value.place, fmt::format("{}.{}: {}", path, entry.key, problem.what()));
            }
        }
    }

    void check_required() {
        for (const TransportTable &table : tables()) require(table, table.name);
    }

    void require(const TransportTable &table, const std::string &path) {
        for (const TransportKey &key : table.keys)
            if (key.presence == Presence::required && !reading_.has(path + "." + key.name))
                add(reading_.place(path + "." + key.name),
                    fmt::format("key \"{}\" is missing in [{}]: {}; expected {}", key.name, path, key.meaning,
                                describe_values(key.rule, key.slot(settings_))));
    }

    squall::Reading &reading_;
    Settings &settings_;
};

void check_chemistry(squall::Reading &r, const Settings &s) {
    for (const auto &[key, name] :
         {std::pair("atoms", s.chemistry.atoms), std::pair("molecules", s.chemistry.molecules)}) {
        const std::string path = std::string("chemistry.") + key;
        if (s.chemistry.scheme == "none" && r.has(path))
            r.problems.add(r.place(path), path + " has no effect without chemistry.scheme = \"terminator\"");
        if (s.chemistry.scheme != "none" &&
            std::ranges::find(s.tracers, name, &TracerSettings::name) == s.tracers.end())
            r.problems.add(r.place(path),
                           fmt::format("{}: there is no tracer \"{}\"; add [tracer.{}]", path, name, name));
    }
}

/// A satellite's columns are those of its footprints.
void check_footprints(squall::Reading &r, const Settings &s) {
    for (const auto &[stream, file] : s.footprints) {
        if (file.empty()) continue;
        const std::string path = "output." + stream + ".";
        if (stream == "restart")
            r.problems.add(r.place(path + "footprints"), "a restart frame has all cells");
        for (const char *other : {"stations", "average", "region", "stride", "interpolation"})
            if (r.has(path + other))
                r.problems.add(
                    r.place(path + other),
                    fmt::format("{0}{1} does not go with {0}footprints; leave one out", path, other));
    }
}

/// Combinations of keys that the limited-area model has too are checked as its own.
void check_common(squall::Reading &r, Settings &s) {
    r.config = std::move(s.common);
    r.config.domain.nx = s.grid.nlon, r.config.domain.ny = s.grid.nlat, r.config.domain.nz = s.levels.nz;
    const auto &streams = r.config.streams;
    if (std::ranges::find(streams, std::string("restart"), &StreamConfig::name) == streams.end())
        r.config.streams.emplace_back().name = "restart"; // of a run that is asked to stop
    derive_defaults(r);
    check_multiple(r, "run.duration", r.config.run.duration);
    check_output(r);
    take_source_files(r, s);
    check_footprints(r, s);
    const std::string &restart = r.config.run.restart_from;
    if (!restart.empty() && !r.inspected.exists(restart))
        r.problems.add(r.place("run.restart_from"),
                       fmt::format("run.restart_from: there is no \"{}\"", restart));
    for (const StreamConfig &stream : r.config.streams) {
        if (!stream.average.empty() && stream.average != "zonal")
            r.problems.add(
                r.place("output." + stream.name + ".average"),
                fmt::format("output.{}.average: \"zonal\" is the one average of this program", stream.name));
        if (stream.interpolation == "land")
            r.problems.add(r.place("output." + stream.name + ".interpolation"),
                           fmt::format("output.{}.interpolation: \"linear\" and \"nearest\" are possible; "
                                       "the globe has no land",
                                       stream.name));
    }
    s.common = std::move(r.config);
}

/// Whether there is such a grid.
bool check_grid(squall::Reading &r, const Settings &s) {
    try {
        make_globe("regular", s.grid.nlon, s.grid.nlat);
        if (s.levels.coordinate != "file") make_levels(s.levels);
    } catch (const std::invalid_argument &problem) {
        r.problems.add(r.place(s.levels.top >= s.levels.surface ? "vertical.top" : "grid.nlat"),
                       problem.what());
        return false;
    }
    return true;
}

} // namespace

int Settings::steps() const {
    return static_cast<int>(std::lround(common.run.duration / common.run.time_step));
}

Families Settings::families() const {
    std::map<std::string, std::vector<int>> members;
    for (std::size_t t = 0; t < tracers.size(); ++t)
        if (!tracers[t].family.empty()) members[tracers[t].family].push_back(static_cast<int>(t));
    Families families;
    for (const auto &[name, tracers_of_it] : members)
        if (tracers_of_it.size() > 1) families.push_back(tracers_of_it);
    return families;
}

Settings parse_settings(const std::string &text, const std::string &file,
                        const std::vector<std::string> &overrides, const WindHeaders &headers) {
    Settings settings;
    Inspections inspected;
    squall::Reading reading{Problems(file, text), {}, {}, inspected};
    settings.common.file = file, settings.common.text = text;
    Value root = parse_document(text, reading.problems);
    reading.problems.raise();
    for (const std::string &each : overrides) apply_override(root, each, reading.problems);
    Reader(reading, settings).read(root);
    reading.problems.raise();
    std::ranges::stable_sort(settings.tracers, {}, &TracerSettings::line); // as the file has them
    if (check_grid(reading, settings)) take_winds(reading, settings, headers);
    check_tracers(reading, settings);
    check_chemistry(reading, settings);
    check_common(reading, settings);
    reading.problems.raise();
    return settings;
}

Settings read_settings(MPI_Comm comm, const std::string &file, const std::vector<std::string> &overrides) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::string text, complaint;
    if (rank == 0) try {
            text = run_file_text(file);
        } catch (const ConfigError &error) {
            complaint = error.what();
        }
    for (std::string *each : {&complaint, &text}) {
        auto size = static_cast<int>(each->size());
        MPI_Bcast(&size, 1, MPI_INT, 0, comm);
        each->resize(static_cast<std::size_t>(size));
        MPI_Bcast(each->data(), size, MPI_CHAR, 0, comm);
    }
    if (!complaint.empty()) throw ConfigError(complaint);
    Settings settings = parse_settings(text, file, overrides, headers_for(comm));
    for (const StreamConfig &stream : settings.common.streams)
        if (!stream.stations.empty()) settings.common.files.read(stream.stations);
    for (const FieldSettings &field : settings.fields)
        if (!field.kernel.empty()) settings.common.files.read(field.kernel);
    for (const auto &[stream, table] : settings.footprints)
        if (!table.empty()) settings.common.files.read(table);
    return settings;
}

} // namespace squall::transport
