/// The option `hints` of the engines that write through MPI-IO: what the user wants MPI and the
/// library to know, as "key=value; key=value".
#pragma once

#include <string>

#include <mpi.h>

#include "declare/layout.hpp"

namespace squall::io::netcdf {

/// What is wrong with the stream's hints, or "". MPI ignores keys that it does not know.
std::string hints_fault(const Layout &layout);

/// The stream's hints as MPI takes them.
class Hints {
  public:
    /// Throws Error for what hints_fault() finds.
    explicit Hints(const Layout &layout);
    ~Hints() { MPI_Info_free(&info_); }
    Hints(const Hints &) = delete;
    Hints &operator=(const Hints &) = delete;

    /// Gives a hint unless the user did.
    void suggest(const char *key, const char *value);
    operator MPI_Info() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

} // namespace squall::io::netcdf
