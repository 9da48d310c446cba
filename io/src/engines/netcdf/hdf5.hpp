/// What netCDF-C does not offer about netCDF-4 files: taking back records, and room on the disk for
/// the next ones. Call under alone().
#pragma once

#include <cstdint>
#include <string>

namespace squall::io::netcdf {

/// Cuts the record dimension of a netCDF-4 file that nobody has open to `records`. Throws Error.
void cut_records(const std::string &file, std::int64_t records);

/// Sets disk space aside for a frame before it is begun. HDF5 rewrites parts of what describes
/// earlier frames while it adds one, so a disk that fills up then would take them along; like this
/// they are still whole when it shows. How much a frame takes is known from the ones before it.
class Room {
  public:
    explicit Room(std::string file) : file_(std::move(file)) {}

    /// Throws Error if there is no room for another frame like the largest so far.
    void reserve();
    /// A frame is in the file.
    void measure();
    /// The file is closed: gives back what was set aside and not used.
    void give_back();

  private:
    std::string file_;
    std::uint64_t size_ = 0, largest_ = 0;
    bool reserved_ = false;
};

} // namespace squall::io::netcdf
