/// Room on the disk for the frame to come.
#pragma once

#include <cstdint>
#include <string>

#include "declare/layout.hpp"

namespace squall::io::netcdf {

/// What the first frame of a file takes, uncompressed; others take no more.
std::int64_t bytes_of_frame(const Layout &layout);

/// What a frame of so many bytes may take in a netCDF-4 file, compressed or not.
inline std::int64_t bound_for_frame(std::int64_t bytes) { return bytes + bytes / 16 + (1 << 20); }

/// Sets disk space aside before a frame is begun, so that a full disk shows while everything in the
/// file is still whole. HDF5 rewrites parts of what describes earlier frames while it adds one, and
/// a disk that fills up then would take them along; MPI-IO may not even report that a write was cut
/// short. Where a file system cannot set space aside nothing happens.
class Reservation {
  public:
    explicit Reservation(std::string file) : file_(std::move(file)) {}

    /// Throws Error if the file cannot grow by `bytes`.
    void reserve(std::int64_t bytes);
    /// The file is closed: gives back what was set aside and not used.
    void give_back();

  private:
    std::string file_;
    bool any_ = false;
};

/// Throws Error if a file that is not there yet could not have so many bytes.
void require_room(const std::string &file, std::int64_t bytes);

} // namespace squall::io::netcdf
