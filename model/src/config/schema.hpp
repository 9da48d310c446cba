/// The keys of a run file, each described once: the reader, its suggestions and the reference
/// page all work from this list.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "settings/config.hpp"

namespace squall {

/// Where the value of a key goes. Its type says what the key takes: text, a whole number, a
/// number or quantity, true or false, a list, a table, a kind of boundary.
using Slot = std::variant<std::string *, int *, double *, bool *, std::vector<double> *, std::vector<int> *,
                          std::vector<std::string> *, std::map<std::string, std::string> *,
                          std::map<std::string, io::Precision> *, Boundary *>;

/// The slot of a member of a member ... of Config.
template <class... Members> std::function<Slot(Config &)> slot_of(Members... members) {
    return [=](Config &config) -> Slot { return &(config.*....*members); };
}

/// What a key accepts.
struct Rule {
    std::string unit{}; ///< of a quantity; any unit of its dimension is accepted
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool above = false;                 ///< `min` itself is not allowed
    bool below = false;                 ///< `max` itself is not allowed
    bool even = false;                  ///< whole numbers
    bool calendar = false;              ///< text that is a calendar time
    std::vector<std::string> choices{}; ///< of a text; empty: any
    std::string example{};              ///< of a list or table
};

enum class Presence { optional, required, required_for_case };

struct Key {
    std::string name;
    std::function<Slot(Config &)> slot; ///< for a stream, tracer or nest: of the last of its list in Config
    std::string meaning;
    Rule rule{};
    Presence presence = Presence::optional;
    std::string default_text{}; ///< where the default is not a value of Config
};

struct TableSchema {
    std::string name, meaning;
    std::vector<Key> keys;
    bool repeated = false; ///< [[name]], any number of times
};

/// All tables but those of streams, [output.<stream>], of tracers, [tracer.<name>], of ignitions,
/// [ignition.<name>], and of nests, [nest.<name>]; [initial] without the parameters of cases.
const std::vector<TableSchema> &schema();

/// The table of a tracer.
const TableSchema &tracer_schema();

/// The table of an ignition of the fire.
const TableSchema &ignition_schema();

/// The table of a nest.
const TableSchema &nest_schema();

/// The table of a stream, and the streams that have a meaning of their own; others are histories.
const TableSchema &stream_schema();
const std::vector<std::string> &stream_names();

/// The parameters of a built-in case as keys of [initial]. Throws std::out_of_range for an
/// unknown case.
std::vector<Key> case_keys(const std::string &case_name);

/// "periodic", "symmetric" or "open", indexed by Boundary.
const std::vector<std::string> &boundary_names();

/// The values a key takes, in words: `a time in s, min, h or d, such as "600 s", above 0 s`.
std::string describe_values(const Rule &rule, const Slot &slot);

/// The names of keys.
std::vector<std::string> names_of(const std::vector<Key> &keys);

} // namespace squall
