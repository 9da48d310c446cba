/// Which fields a history has, and how its stream is declared.
#pragma once

#include <vector>

#include "output/history_fields.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// Letters of a time in WRF's files, as of 2000-01-01_00:00:00.
constexpr int date_length = 19;

/// The fields that `stream` asks for, in the order of history_fields(), with the latitudes and
/// longitudes that belong to them. Throws ConfigError: an unknown field, with the nearest known.
std::vector<HistoryField> select_history_fields(const StreamConfig &stream, const Config &config);

/// The entries of the table of running fields that `stream` asks for. Throws as select_history_fields.
std::vector<const RunningField *> select_running_fields(const StreamConfig &stream, const Config &config);

/// Those among these fields.
std::vector<const RunningField *> running_of(const std::vector<HistoryField> &fields);

/// The declaration of a history with these fields, but for the attributes of its files and for what it makes
/// of the fields. Throws ConfigError: a precision of a field that it has not.
io::StreamSpec declare_history(const StreamConfig &stream, const Config &config,
                               const std::vector<HistoryField> &fields);

/// The declaration of a history of config.domain but for the attributes of its files, for planning.
/// Throws ConfigError.
io::StreamSpec history_spec(const StreamConfig &stream, const Config &config);

} // namespace squall
