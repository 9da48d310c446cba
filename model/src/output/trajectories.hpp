/// Places that move, in the declaration of a stream and in its frames, as CF's discrete sampling geometries
/// have them.
#pragma once

#include "output/tracks.hpp"
#include "squall/io.hpp"

namespace squall {

/// In the orthogonal form: all at the same times, and the first rank puts where they are in each frame.
/// `profiles`: whether there are whole columns.
void declare_trajectories(io::StreamSpec &spec, const Tracks &tracks, bool profiles);

/// Puts where they are, before any field. Collective over `comm`. The halo of `state.ph` must be filled.
void put_trajectories(io::Frame &frame, double seconds, const Tracks &tracks, const State &state,
                      const Grid &grid, const Patch &patch, MPI_Comm comm);

} // namespace squall
