/// The history stream of one domain: frames that WRF's tools and CF's tools open as they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "output/history_fields.hpp"
#include "squall/io.hpp"

namespace squall {

class History {
  public:
    /// Declares the stream on the ranks of one domain; `session` is on their communicator and rank
    /// r has patch r. Writes below run.directory; a file of an earlier run there is replaced.
    /// `config`, `patch` and `grid` must outlive this object; the halo of `grid` must be filled.
    /// Collective. Throws ConfigError (an unknown field, with the nearest known one) and io::Error.
    History(io::Session &session, const StreamConfig &stream, const Config &config, const Patch &patch,
            const Grid &grid);

    /// Writes the frame of a time [s since run.start], which follows step number `step`. `p` is the
    /// perturbation pressure [Pa]. Of the halos, the face beyond the last cell of u and v is
    /// read. Collective. Throws io::Error on all ranks.
    void write(double seconds, std::int64_t step, const State &state, const Array3 &p);

    /// Publishes a file that is not full. Collective. Throws io::Error on all ranks.
    void close() { stream_.close(); }

  private:
    void put_time(io::Frame &frame, const io::Time &time, std::int64_t step) const;
    void diagnose_surface_pressure(const State &state, const Array3 &p);

    const Config &config_;
    const Patch &patch_;
    const Grid &grid_;
    std::vector<HistoryField> fields_;
    Geolocation faces_;
    Array2 psfc_;
    io::Stream stream_;
};

/// The fields that `stream` asks for, in the order of history_fields(), with the latitudes and
/// longitudes that belong to them. Throws ConfigError: an unknown field, with the nearest known.
std::vector<HistoryField> select_history_fields(const StreamConfig &stream, const std::string &run_file);

/// Bytes of a history frame of a domain, for planning. Throws as select_history_fields.
double history_frame_bytes(const StreamConfig &stream, const std::string &run_file, int nx, int ny, int nz);

} // namespace squall
