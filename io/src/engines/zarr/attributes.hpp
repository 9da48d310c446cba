/// Attributes in JSON, which knows neither float32 from float64 nor NaN.
#pragma once

#include <string>
#include <vector>

#include "engines/zarr/codec.hpp"

namespace squall::io::zarr {

/// Attributes as JSON. `hints` gets the types that reading alone would not find. Numbers that JSON has
/// not are written as Zarr writes fill values: "NaN", "Infinity", "-Infinity".
Json to_json(const std::vector<Attribute> &attributes, Type field, Json &hints);

/// And back. `hints` may be empty: then whole numbers are int32, or int64 where they have to be, others are
/// doubles. What is neither text nor numbers is left out; `unheld`, if given, gets its names.
std::vector<Attribute> from_json(const Json &attributes, Type field, const Json &hints,
                                 std::vector<std::string> *unheld = nullptr);

} // namespace squall::io::zarr
