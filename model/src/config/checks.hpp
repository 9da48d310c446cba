/// Checks of a run file that look at more than one key.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/inspections.hpp"
#include "config/problems.hpp"
#include "settings/config.hpp"

namespace squall {

/// A run file in the course of reading.
struct Reading {
    Problems problems;
    Config config;
    std::map<std::string, TextPlace> given; ///< tables ("run") and keys ("run.name") that the file has
    Inspections &inspected;

    bool has(const std::string &path) const { return given.contains(path); }

    /// Where to point for `path`: at it, else at its table, else at the file.
    TextPlace place(const std::string &path) const;
};

/// Notes required keys that are missing.
void check_presence(Reading &reading);

/// Fills in what follows from other keys, or from initial.file; notes where they disagree.
void derive_defaults(Reading &reading);

/// With boundary.file and no word about the sides of the domain, all four are specified; notes a file
/// that is not there.
void derive_boundary(Reading &reading);

/// Makes the path of an input file, the value of `key`, one from here; notes where there is none.
void take_file(Reading &reading, const std::string &key, std::string &file);

/// Notes an initial file, the value of `key`, without the w that initial.vertical_wind asks for.
void check_w(Reading &reading, const std::string &key, const std::string &file);

/// Reads the sources of tracers; notes names that files cannot have or have already, and points and keys
/// that mean nothing.
void derive_tracers(Reading &reading);

/// Reads where a fire begins; notes points that are not in its domain, and what has no effect without a
/// fire.
void derive_fire(Reading &reading);

/// Puts parents before their nests; notes places and names that cannot be.
void derive_nests(Reading &reading);

/// Gives each scheme that the run file leaves out what physics.suite says, nests too whether they need
/// cumulus; notes a suite where it cannot be.
void apply_suite(Reading &reading);

/// Notes combinations of possible values that are impossible together.
void check_combinations(Reading &reading);

/// The part of check_combinations that is about specified sides and [boundary].
void check_boundary(Reading &reading);

/// The part of check_combinations that is about [physics].
void check_physics(Reading &reading);

/// The part of check_combinations that is about [fire].
void check_fire(Reading &reading);

/// The part of check_combinations that is about physics of nests' own.
void check_nest_physics(Reading &reading);

/// The part of check_combinations that is about [output] and its streams.
void check_output(Reading &reading);

/// What a stream makes of fields: at stations, on levels, over time.
void check_made(Reading &reading, const StreamConfig &stream);

/// Notes where `eta`, the value of `key`, are no interfaces of layers: four or more, which fall strictly from
/// 1 at the ground to 0 at the top.
void check_interfaces(Reading &reading, const std::string &key, const std::vector<double> &eta);

/// Notes that `time` [s], the value of the key `path`, is no whole number of time steps, if so.
void check_multiple(Reading &reading, const std::string &path, double time);

} // namespace squall
