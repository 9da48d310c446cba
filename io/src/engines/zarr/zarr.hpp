/// The engine `zarr`: a directory per file, a group of Zarr version 3 with an array per field.
///
///     out.zarr/zarr.json          the group, with the metadata of all arrays (consolidated)
///     out.zarr/T/zarr.json        an array [Time, bottom_top, south_north, west_east]
///     out.zarr/T/c.3.0.1.0        a shard of its frame 3
///
/// Nobody sees a shard before zarr.json says that its frame is there, so each writer writes its
/// shards on its own, and a frame becomes visible when the group's zarr.json is replaced.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "publish/writer.hpp"
#include "read/source.hpp"

namespace squall::io::zarr {

std::vector<Share> shares(const Layout &layout, int field, int writers);
std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, Seat seat);
/// Null for a stream that is not compressed.
std::unique_ptr<Encoder> encoder(const Layout &layout);
std::unique_ptr<Source> open(const std::string &path);

} // namespace squall::io::zarr
