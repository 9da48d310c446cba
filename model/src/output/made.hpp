/// What a stream makes of the fields of a history: values at stations, on levels, over time, averages. The
/// model puts the fields as ever, and io makes the rest where they lie.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/array.hpp"
#include "grid/grid.hpp"
#include "grid/state.hpp"
#include "output/location.hpp"
#include "output/place_declaration.hpp"
#include "output/stations.hpp"
#include "output/tracks.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// The stations or trajectories of a stream, if it has any. Stations that are not located yet (for planning)
/// lie at the first cell.
std::optional<PlaceSet> places_of(const std::vector<Place> &stations, const Tracks *tracks);

/// Makes of the declaration of a plain history that of a stream that makes something of it. Throws
/// ConfigError: the field, and why it cannot be.
void declare_made(io::StreamSpec &spec, const StreamConfig &stream, const Config &config,
                  const std::optional<PlaceSet> &places);

/// What such a stream needs besides the fields: pressure or height on the model's levels, areas, names.
class Made {
  public:
    /// Collective over `comm`, as locate_stations. `config`, `patch` and `grid` must outlive this object.
    /// Throws ConfigError.
    Made(const StreamConfig &stream, const Config &config, const Patch &patch, const Grid &grid,
         MPI_Comm comm);

    void declare(io::StreamSpec &spec);
    const std::vector<Place> &stations() const { return stations_; } ///< that do not move
    /// Under which name a field of the history is put; "": it is not, for nothing is made of it.
    std::string put_name(const std::string &field) const;
    /// Whether a field is wanted in samples between frames.
    bool samples(const std::string &field) const { return stream_.over_time.contains(field); }
    bool samples() const { return !stream_.over_time.empty(); }

    /// What is fixed in time. Before the first frame.
    void put_fixed(io::Stream &stream) const;
    /// What others are made with, in each frame or sample before any field, so many seconds after the start.
    /// The halos must be filled, one cell wide. `p`: perturbation pressure [Pa].
    void put_first(io::Frame &frame, double seconds, const State &state, const Array3 &p);

  private:
    bool puts(const std::string &name) const;
    void put_counting(io::Stream &stream) const;
    void put_coordinates(io::Frame &frame) const;
    void put_trajectories(io::Frame &frame, double seconds, const State &state) const;

    // made_levels.cpp
    void find_coordinate(const State &state, const Array3 &p);
    void move_to_faces(Faces faces);

    // made_weights.cpp
    void put_areas(io::Stream &stream) const;
    void put_masses(io::Frame &frame, const State &state) const;

    StreamConfig stream_;
    const Config &config_;
    const Patch &patch_;
    const Grid &grid_;
    MPI_Comm comm_;
    std::vector<Place> stations_;
    std::optional<Tracks> tracks_;
    std::optional<PlaceSet> places_; ///< of one or the other
    std::vector<std::int8_t> mask_;  ///< which cells count by it; empty: there is none
    double middle_ = 0;              ///< a longitude of the domain, the same on every rank
    io::StreamSpec spec_;            ///< as it was declared
    Array3 layers_, interfaces_;     ///< values of the coordinate, where the stream is on levels
};

} // namespace squall
