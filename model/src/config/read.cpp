/// Reads a run file by the schema, then has it checked as a whole.
#include "config/read.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "config/document.hpp"
#include "config/schema.hpp"
#include "config/values.hpp"
#include "initial/initial.hpp"
#include "settings/calendar.hpp"
#include "settings/nests.hpp"
#include "squall/io_words.hpp"

namespace squall {
namespace {

/// Reads the tables of a document into a configuration.
class Reader {
  public:
    Reader(Reading &reading) : reading_(reading) {}

    void read(const Value &root) {
        for (const Entry &entry : std::get<Value::Table>(root.data)) {
            const TableSchema *table = find_table(entry.key);
            if (entry.key == "tracer")
                read_named(entry, tracer_schema().keys, &Config::tracers, "smoke");
            else if (entry.key == "ignition")
                read_named(entry, ignition_schema().keys, &Config::ignitions, "first");
            else if (entry.key == "nest")
                read_named(entry, nest_schema().keys, &Config::nests, "inner");
            else if (!table)
                refuse_table(entry);
            else if (entry.key == "output")
                read_output(*table, entry);
            else
                read_known_table(*table, entry);
        }
    }

  private:
    static const TableSchema *find_table(const std::string &name) {
        for (const TableSchema &table : schema())
            if (table.name == name) return &table;
        return nullptr;
    }

    /// The entries of a table; nullptr, and a problem, where it is something else.
    const Value::Table *entries_of(const Entry &entry, const std::string &path) {
        const auto *entries = std::get_if<Value::Table>(&entry.value.data);
        if (!entries)
            reading_.problems.add(entry.place, fmt::format("{} = {} must be a table: [{}]", path,
                                                           entry.value.describe(), path));
        return entries;
    }

    void refuse_table(const Entry &entry) {
        std::vector<std::string> names{"tracer", "ignition", "nest"};
        for (const TableSchema &table : schema()) names.push_back(table.name);
        const bool is_table = std::holds_alternative<Value::Table>(entry.value.data);
        const std::string owner = owner_of(entry.key);
        if (is_table)
            reading_.problems.add(entry.place, fmt::format("unknown table [{}]; {}", entry.key,
                                                           io::near_or_all(entry.key, names)));
        else
            reading_.problems.add(entry.place,
                                  fmt::format("key \"{}\" is outside any table; {}", entry.key,
                                              owner.empty() ? "put it below a table, such as [run]"
                                                            : fmt::format("put it below [{}]", owner)));
    }

    /// The table that has a key of exactly this name.
    static std::string owner_of(const std::string &key) {
        const auto has = [&](const TableSchema &table) {
            return std::ranges::find(table.keys, key, &Key::name) != table.keys.end();
        };
        for (const TableSchema &table : schema())
            if (has(table)) return table.name;
        for (const TableSchema *table :
             {&stream_schema(), &tracer_schema(), &ignition_schema(), &nest_schema()})
            if (has(*table)) return table->name;
        return "";
    }

    void read_known_table(const TableSchema &table, const Entry &entry) {
        const Value::Table *entries = entries_of(entry, table.name);
        if (!entries) return;
        reading_.given[table.name] = entry.value.place;
        std::vector<Key> keys = table.keys;
        if (table.name == "initial" && !add_case_keys(*entries, keys)) return;
        read_keys(keys, *entries, table.name);
    }

    /// Adds the keys of the case that [initial] names. False, and a problem, if there is no such case.
    bool add_case_keys(const Value::Table &entries, std::vector<Key> &keys) {
        for (const Entry &entry : entries) {
            const auto *name = std::get_if<std::string>(&entry.value.data);
            if (entry.key != "case" || !name) continue;
            if (!cases().contains(*name)) {
                read_value(keys.front(), entry, "initial.case");
                return false;
            }
            for (const CaseParameter &parameter : cases().at(*name).parameters)
                reading_.config.initial.parameters[parameter.key] = parameter.value;
            for (Key &key : case_keys(*name)) keys.push_back(std::move(key));
        }
        return true;
    }

    /// Tables in [output] are streams, everything else is a key of [output] itself.
    void read_output(const TableSchema &table, const Entry &output) {
        const Value::Table *entries = entries_of(output, "output");
        if (!entries) return;
        reading_.given["output"] = output.value.place;
        Value::Table settings;
        std::vector<const Entry *> of_nests;
        for (const Entry &entry : *entries) {
            const bool setting = std::ranges::find(table.keys, entry.key, &Key::name) != table.keys.end();
            if (setting || !std::holds_alternative<Value::Table>(entry.value.data))
                settings.push_back(entry);
            else if (domain_of_stream(entry.key) > 1)
                of_nests.push_back(&entry);
            else
                read_stream(entry);
        }
        read_keys(table.keys, settings, "output");
        for (const Entry *entry : of_nests) read_nest_stream(*entry);
    }

    /// [output.history_d02] begins as [output.history]; a stream's slots are those of the last in Config.
    void read_nest_stream(const Entry &entry) {
        auto &streams = reading_.config.streams;
        const auto base =
            std::ranges::find(streams, entry.key.substr(0, entry.key.size() - 4), &StreamConfig::name);
        inherited_ = base == streams.end() ? StreamConfig{} : *base;
        inherited_.region.clear(); // of the parent's cells
        const std::size_t before = streams.size();
        read_stream(entry);
        inherited_ = {};
        if (streams.size() == before) return;
        reading_.config.nest_streams.push_back(std::move(streams.back()));
        streams.pop_back();
    }

    /// A stream may have any name that files may have, but for one that is a misspelling.
    bool check_stream_name(const Entry &stream) {
        const auto &names = stream_names();
        const std::string &name = stream.key, likely = io::near_word(name, names);
        const bool plain = std::ranges::all_of(
            name, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
        if (!plain || name.empty())
            reading_.problems.add(stream.place,
                                  fmt::format("\"{}\" is not a valid stream name: it becomes part of file "
                                              "names; use letters, digits, _ and -",
                                              name));
        else if (!likely.empty() && !name.starts_with(likely) && !likely.starts_with(name))
            reading_.problems.add(
                stream.place,
                fmt::format("unknown stream [output.{}]; did you mean \"{}\"? The streams are {}, and "
                            "any others with names less similar to these",
                            name, likely, fmt::join(names, ", ")));
        else
            return true;
        return false;
    }

    void read_stream(const Entry &stream) {
        const std::string path = "output." + stream.key;
        const Value::Table *entries = entries_of(stream, path);
        if (!entries || !check_stream_name(stream)) return;
        reading_.given[path] = stream.value.place;
        StreamConfig &config = reading_.config.streams.emplace_back(inherited_);
        config.name = stream.key;
        config.line = stream.value.place.line;
        read_keys(stream_schema().keys, *entries, path);
    }

    /// Each table in [tracer], [ignition] or [nest] is one, the next of `list`. `example`: how one may be
    /// called.
    template <class Item>
    void read_named(const Entry &tables, const std::vector<Key> &keys, std::vector<Item> Config::*list,
                    const char *example) {
        const Value::Table *entries = entries_of(tables, tables.key);
        if (!entries) return;
        for (const Entry &entry : *entries) {
            const std::string path = tables.key + "." + entry.key;
            const auto *inner = std::get_if<Value::Table>(&entry.value.data);
            if (!inner) {
                reading_.problems.add(
                    entry.place,
                    fmt::format("[{0}] holds one table per {0}: put \"{1}\" below one, such as [{0}.{2}]",
                                tables.key, entry.key, example));
                continue;
            }
            reading_.given[path] = entry.value.place;
            Item &item = (reading_.config.*list).emplace_back();
            item.name = entry.key;
            item.line = entry.value.place.line;
            read_keys(keys, *inner, path);
        }
    }

    void read_keys(const std::vector<Key> &keys, const Value::Table &entries, const std::string &table) {
        for (const Entry &entry : entries) {
            const auto found =
                std::find_if(keys.begin(), keys.end(), [&](const Key &k) { return k.name == entry.key; });
            if (found == keys.end())
                refuse_key(entry, keys, table);
            else
                read_value(*found, entry, table + "." + entry.key);
        }
    }

    void refuse_key(const Entry &entry, const std::vector<Key> &keys, const std::string &table) {
        const std::string owner = owner_of(entry.key);
        const std::string hint = owner.empty() ? io::near_or_all(entry.key, names_of(keys))
                                               : fmt::format("it is a key of [{}]", owner);
        reading_.problems.add(entry.place,
                              fmt::format("unknown key \"{}\" in [{}]; {}", entry.key, table, hint));
    }

    void read_value(const Key &key, const Entry &entry, const std::string &path) {
        reading_.given[path] = entry.value.place;
        try {
            assign(entry.value, key.rule, key.slot(reading_.config));
        } catch (const std::invalid_argument &problem) {
            reading_.problems.add(entry.value.place, fmt::format("{}: {}", path, problem.what()));
        }
    }

    Reading &reading_;
    StreamConfig inherited_; ///< what the next stream begins as
};

/// A run file whose keys are read.
Reading read_document(const std::string &text, const std::string &file,
                      const std::vector<std::string> &overrides, Inspections &inspected) {
    Reading reading{Problems(file, text), {}, {}, inspected};
    reading.config.file = file;
    reading.config.text = text;
    Value root = parse_document(text, reading.problems);
    reading.problems.raise();
    for (const std::string &override_text : overrides) apply_override(root, override_text, reading.problems);
    Reader(reading).read(root);
    check_presence(reading);
    reading.problems.raise();
    return reading;
}

} // namespace

std::string run_file_text(const std::string &file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    if (std::filesystem::is_directory(file) || !stream || !(text << stream.rdbuf()))
        throw ConfigError(fmt::format("{}: cannot read the run file: {}", file,
                                      std::filesystem::exists(file) ? "it is empty or not a readable file"
                                                                    : "there is no such file"));
    return text.str();
}

Config read_config(const std::string &file, const std::vector<std::string> &overrides) {
    return parse_config(run_file_text(file), file, overrides);
}

Config parse_config(const std::string &text, const std::string &file,
                    const std::vector<std::string> &overrides) {
    Inspections inspected;
    return parse_config(text, file, overrides, inspected);
}

Config parse_config(const std::string &text, const std::string &file,
                    const std::vector<std::string> &overrides, Inspections &inspected) {
    Reading reading = read_document(text, file, overrides, inspected);
    derive_defaults(reading);
    derive_boundary(reading);
    reading.problems.raise();
    derive_fire(reading);
    derive_tracers(reading);
    derive_nests(reading);
    apply_suite(reading);
    check_combinations(reading);
    reading.problems.raise();
    return std::move(reading.config);
}

} // namespace squall
