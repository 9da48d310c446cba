/// A history stream of one domain: frames that WRF's tools and CF's tools open as they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "output/history_fields.hpp"
#include "squall/io.hpp"

namespace squall {

/// What a frame shows. Of the halos, the face beyond the last cell of u and v is read.
struct Snapshot {
    const State &state;
    const PhysicsState &physics;
    const Array3 &p, &al; ///< perturbation pressure [Pa] and inverse density [m3 kg-1]
};

class History {
  public:
    /// Declares the stream on the ranks of one domain; rank r of the session's comm() has patch r.
    /// Writes below run.directory; a file of an earlier run there is replaced. `config`, `patch` and
    /// `grid` must outlive this object; the halo of `grid` must be filled. Every rank makes it. Throws
    /// ConfigError (an unknown field, with the nearest known one; a stream that cannot work) and
    /// io::Error.
    History(io::Session &session, const StreamConfig &stream, const Config &config, const Patch &patch,
            const Grid &grid);

    /// Writes the frame of a time [s since run.start], which follows step number `step`. Throws
    /// io::Error: as io::Frame::commit, perhaps about a frame before and on this rank alone.
    void write(double seconds, std::int64_t step, const Snapshot &now);

    /// Waits for frames on their way and publishes a file that is not full. Collective. Throws
    /// io::Error.
    void close() { stream_.close(); }

    const StreamConfig &settings() const { return settings_; }

  private:
    io::Stream open(io::Session &session) const;
    void put_time(io::Frame &frame, const io::Time &time, std::int64_t step) const;
    void diagnose_surface_pressure(const State &state, const Array3 &p);
    void diagnose_dry_theta(const State &state);

    StreamConfig settings_;
    const Config &config_;
    const Patch &patch_;
    const Grid &grid_;
    std::vector<HistoryField> fields_;
    Geolocation faces_;
    Carried carried_;
    Array2 psfc_;
    Array3 theta_; ///< of dry air; empty where State::theta is that
    int vapour_;
    io::Stream stream_;
};

/// The fields that `stream` asks for, in the order of history_fields(), with the latitudes and
/// longitudes that belong to them. Throws ConfigError: an unknown field, with the nearest known.
std::vector<HistoryField> select_history_fields(const StreamConfig &stream, const Config &config);

/// The declaration of a history of config.domain but for the attributes of its files, for planning.
/// Throws ConfigError.
io::StreamSpec history_spec(const StreamConfig &stream, const Config &config);

} // namespace squall
