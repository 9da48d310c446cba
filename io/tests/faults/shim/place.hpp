/// Where a call happens: the rank, and whether a path or descriptor is below the directory that counts.
#pragma once

#include <optional>
#include <string>

#include <dlfcn.h>
#include <sys/types.h>

namespace squall::faults {

/// The function that the shim stands before.
template <class F> F *next(const char *name) { return reinterpret_cast<F *>(::dlsym(RTLD_NEXT, name)); }
#define SQUALL_NEXT(name)                                                                                    \
    ([]() {                                                                                                  \
        static auto *const real_one = ::squall::faults::next<decltype(::name)>(#name);                       \
        return real_one;                                                                                     \
    }())

/// Of MPI_COMM_WORLD, as the launcher says it; 0 without one.
int rank();

/// The path below SQUALL_FAULTS_BELOW ("" for the directory itself), or none if it is not below it. Links
/// in directories are followed. Without the variable nothing is below.
std::optional<std::string> below(const char *path);
std::optional<std::string> below_at(int directory, const char *path);
/// What a descriptor is open on, under the name that it has now. A file that has no name any more is
/// called by the one it had.
std::optional<std::string> below(int fd);

/// A file that is not yet written anywhere, but whose name says what it is, in the log.
void say(const char *variable, const std::string &line);

} // namespace squall::faults
