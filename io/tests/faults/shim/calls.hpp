/// A call on its way: what the rules make of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "rules.hpp"

namespace squall::faults {

/// What is left to do for the function that stands before the real one; delay, kill and stop have
/// happened already.
struct Verdict {
    Deed deed = Deed::none; ///< none, fail, cut, lose, forget, pretend, drop or raise
    int error = 0;
};

/// Counts the call, on every rule that it fits; the first one whose turn it is decides. `caller`: an
/// address in who calls. Each deed is told to SQUALL_FAULTS_LOG, a line each.
Verdict meet(Call call, const std::string &path, std::size_t bytes, const void *caller);

/// Whether any rule has to do with the call: what is not asked for costs nothing.
bool watched(Call call);

/// Requests for memory of more bytes than this are met; the largest number if there is no such rule.
/// Zero-initialised as such before anything runs, for memory is asked for before the rules are read.
std::size_t memory_above();

/// The quota of all ranks, if there is one: how many of `bytes` more fit; they are taken.
std::size_t take_room(std::size_t bytes);
void give_room(std::size_t bytes);
bool has_quota();

/// What statfs shall say that the file system of the directory is, if anything.
std::optional<long> told_file_system();

} // namespace squall::faults

/// An address in the function that called the one in which this stands.
#define SQUALL_CALLER __builtin_return_address(0)
