/// A netCDF file that this process writes alone.
#pragma once

#include <cstdint>
#include <string>

#include "declare/layout.hpp"
#include "engines/netcdf/reservation.hpp"
#include "publish/kept_open.hpp"

namespace squall::io::netcdf {

/// Frames written into it count from 0. Every function throws Error with the cause alone. Call
/// under alone().
class File {
  public:
    /// Creates an empty file in the stream's format, ready to be defined.
    File(const Layout &layout, std::string path);
    /// Opens one that was closed with so many frames.
    File(const Layout &layout, std::string path, std::int64_t frames);
    ~File();
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    int id() const { return id_; }
    const std::string &path() const { return path_; }
    std::int64_t written() const { return written_; } ///< frames begun

    /// Writes a box of a variable made for `field`.
    void put(int variable, const Field &field, std::int64_t frame, const Box &box, const void *points);
    /// Hands what was written to the operating system.
    void flush();
    /// Closes it with exactly `frames` frames.
    void close(std::int64_t frames);
    /// What was written, before or after it is closed.
    void bring_to_disk() { kept_.bring_to_disk(); }

  private:
    void keep_open();
    void close_library(std::int64_t frames);
    void sync_before_close();
    void begin(std::int64_t frame);

    std::string path_;
    bool netcdf4_;
    Reservation reserved_;
    KeptOpen kept_;
    std::int64_t bytes_ = 0, largest_ = 0; ///< of the current frame, of any, uncompressed
    int id_ = 0;
    bool open_ = false;
    std::int64_t written_ = 0;
};

} // namespace squall::io::netcdf
