/// Bytes of frames, for planning.
#pragma once

#include <vector>

#include "grid/grid.hpp"
#include "squall/io.hpp"

namespace squall {

/// Of a whole frame in its file, before any codec.
double stored_bytes(const io::StreamSpec &spec);

/// Of what a frame's fields are made of, over the domain.
double source_bytes(const io::StreamSpec &spec);

/// Of what ranks send to servers beside the frame's fields, to have them made of it there.
double sent_bytes(const io::StreamSpec &spec);

/// Of the bins that one of those who make quantiles holds until all cells of a point have come: ranks with
/// patches of these shapes, or servers.
double bins_bytes(const io::StreamSpec &spec, const std::vector<Shape> &patches);

/// At most, of the part of a frame that a rank with patches of these shapes stages: of the domain whose frame
/// it is and, in a restart frame, of domain n + 1 at n, whose dimensions end in its number ("_d02").
double staged_bytes(const io::StreamSpec &spec, const std::vector<Shape> &patches);

} // namespace squall
