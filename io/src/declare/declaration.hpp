/// A stream's declaration as bytes: what servers learn a stream from, and what tells declarations apart.
#pragma once

#include <cstdint>
#include <vector>

#include "declare/client_file.hpp"
#include "squall/io.hpp"

namespace squall::io {

using Bytes = std::vector<std::uint8_t>;

/// The declaration under the names of its members (MessagePack): the same bytes for equal
/// declarations, on every rank, machine and build.
Bytes pack(const StreamSpec &spec);
/// Throws Error on bytes that are no declaration.
StreamSpec unpack_spec(const Bytes &bytes);

Bytes pack(const ClientFile &file);
/// Throws Error on bytes that are none.
ClientFile unpack_file(const Bytes &bytes);

/// Tells bytes apart (FNV-1a), the same everywhere.
std::uint64_t hash(const Bytes &bytes);
/// Tells declarations apart.
std::uint64_t hash(const StreamSpec &spec);

} // namespace squall::io
