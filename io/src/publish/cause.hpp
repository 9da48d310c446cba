/// The cause of what a library could not do, where the library keeps it to itself: netCDF, HDF5, PnetCDF and
/// MPI-IO have one word for much that the operating system tells apart.
#pragma once

#include <cerrno>
#include <string>

#include "agree/patience.hpp"

namespace squall::io {

/// The words of a failure about a file, with its cause unless they say it: the last error that the system
/// gave this thread, if it is one that stops a write; or else what it says of some bytes more in the
/// file's directory. Local.
std::string with_cause(const std::string &words, int last_error, const std::string &file);

/// Whether words name an error of the system that stops a write.
bool names_cause(const std::string &words);

/// Runs f, which calls a library that writes a file; names the cause of what it throws.
template <class F> void naming_cause(const std::string &file, F f) {
    errno = 0;
    try {
        f();
    } catch (const Timeout &) {
        throw;
    } catch (const std::exception &e) {
        throw Error(with_cause(e.what(), errno, file));
    }
}

} // namespace squall::io
