/// Places that move: ships, aircraft, balloons, what a satellite sees; where the run file's table has them.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

#include "grid/state.hpp"
#include "output/place_table.hpp"
#include "output/places.hpp"
#include "settings/config.hpp"

namespace squall {

class Tracks {
  public:
    /// Reads the table of a stream's `trajectories`: a line for each time at which it is known where one is.
    /// Throws ConfigError: the file, the line and what it lacks.
    Tracks(const StreamConfig &stream, const Config &config);

    /// How many there are, and their names.
    std::int64_t count() const { return std::ssize(tracks_); }
    std::vector<std::string> names() const;
    /// Whether the table says how high they are; else whole columns are taken.
    bool have_altitudes() const { return have_altitudes_; }

    /// Checks where they are while the run lasts. Throws ConfigError: who lies outside of the domain when, or
    /// is nowhere in that time. Collective over `comm`.
    void check(const Grid &grid, const Patch &patch, MPI_Comm comm) const;

    /// Where all are so many seconds after run.start: between two times of the table on the great circle, or
    /// on the straight line of the grid. i and j are not numbers before the first and after the last time,
    /// and outside of the domain. The same on every rank, to the bit. Collective over `comm`.
    std::vector<Place> at(double seconds, const Grid &grid, const Patch &patch, MPI_Comm comm) const;

  private:
    struct Track {
        std::string name;
        std::vector<double> times; ///< [s] since run.start, growing
        std::vector<Place> points;
    };

    void read(PlaceTable &table, const std::string &start);
    Track &track_of(const std::string &name);
    Place between(const Track &track, double seconds) const;
    void locate(std::vector<Place> &places, const Grid &grid, const Patch &patch, MPI_Comm comm) const;
    bool outside(const Place &place) const;

    const Config &config_;
    std::string stream_;
    std::int64_t line_;
    bool leave_out_;
    PlaceColumns columns_ = PlaceColumns::longitude_latitude;
    bool have_altitudes_ = false;
    std::vector<Track> tracks_;
};

/// In which layer places with an altitude are: between the middles of layers, from 0; under the lowest middle
/// 0. Not a number below the ground, above the top and where a place is nowhere. The halo of `state.ph` must
/// be filled. Collective over `comm`; the same on every rank.
std::vector<double> layers_at(const std::vector<Place> &places, const State &state, const Grid &grid,
                              const Patch &patch, MPI_Comm comm);

} // namespace squall
