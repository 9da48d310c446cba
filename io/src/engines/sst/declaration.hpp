/// What a relay has to know of its stream: ADIOS2's variables, attributes and parameters, and where the
/// points of each variable lie in the memory of a frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engines/adios/adios.hpp"

namespace squall::io::sst {

/// Numbers that are in every step beside the fields: which run's, and which frame of its stream.
inline const std::string run_variable = "_squall_run", frame_variable = "_squall_frame";
/// The attribute that says whether points are compressed.
inline const std::string codec_attribute = "_squall_codec";

struct Declared {
    std::string name;
    Type type = Type::f32;
    std::vector<std::int64_t> shape;
    bool per_frame = true;
    std::size_t offset = 0; ///< in the memory of a frame, or of what is fixed in time
};

struct Declaration {
    std::string path;                 ///< of the contact file
    std::int64_t run = 0;             ///< a random number
    adios2::Params parameters;        ///< of the engine SST
    adios2::Params codec;             ///< of the operator blosc; empty: none
    std::vector<Declared> fields;     ///< in the order of the layout
    nlohmann::json attributes;        ///< name, type, value of each
    std::size_t frame = 0, fixed = 0; ///< bytes of a frame, and of what is fixed in time
};

/// Of a stream. Throws Error.
Declaration declare(const Layout &layout);

std::vector<std::uint8_t> to_bytes(const Declaration &declaration);
Declaration from_bytes(const std::uint8_t *bytes, std::size_t size);
/// Defines the attributes.
void define(const Declaration &declaration, adios2::IO &io);

} // namespace squall::io::sst
