/// Places in the declaration of a stream, whether they move or not, as CF's discrete sampling geometries have
/// them in the orthogonal form: all at the same times. And what is put of them: names and coordinates.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "output/places.hpp"
#include "squall/io.hpp"

namespace squall {

struct PlaceSet {
    bool move = false;           ///< trajectories, whose coordinates come with each frame; else stations
    bool between_layers = false; ///< they have altitudes, at which fields on layers are taken
    std::vector<std::string> names;
    std::vector<double> positions; ///< of stations: rows and columns
    bool own_altitudes = false;    ///< of stations: their table has them

    /// Of the file, and in io.
    std::string dimension() const { return move ? "trajectory" : "station"; }
};

/// `columns`: along which dimensions places have several values of a field at a time; "": one of another.
void declare_places(io::StreamSpec &spec, const PlaceSet &set, const std::set<std::string> &columns);

/// CF's attribute `coordinates` of fields at them.
std::string coordinates_of(const PlaceSet &set);

/// Before the first frame.
void put_names(io::Stream &stream, const PlaceSet &set);
/// Where they are: of stations before the first frame, of others in each, with the time since the start. On
/// one rank.
void put_where(io::Stream &stream, const PlaceSet &set, const std::vector<Place> &places, const Grid &grid);
void put_where(io::Frame &frame, const PlaceSet &set, const std::vector<Place> &places, const Grid &grid,
               double seconds);

} // namespace squall
