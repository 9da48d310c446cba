/// A stream's declaration, checked and with names resolved: what engines and placements work from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "squall/io.hpp"

namespace squall::io {

struct Engine;

/// Part of a dimension: `size` indices start, start + stride, ...
struct Cut {
    std::int64_t start = 0, stride = 1, size = 0;
};

struct FieldLayout {
    Field field;                      ///< as it is in the file: type and attributes after encoding
    Type staged = Type::f32;          ///< the type before encoding (see encode.hpp)
    std::vector<std::int64_t> shape;  ///< in the file, without the record dimension; empty for a scalar
    std::vector<Cut> cuts;            ///< per dimension: what of the domain is kept
    std::vector<std::int64_t> domain; ///< extents of the domain, in which boxes are put
    std::int64_t points = 1;          ///< product of shape

    std::int64_t bytes() const; ///< in the file, uncompressed
};

/// How bytes shrink. Level -1: the codec's own default.
struct Codec {
    std::string name = "none";
    int level = -1;
};

struct Layout {
    StreamSpec spec; ///< with dimensions cut to what is kept
    StreamSpec spec_as_declared;
    const Engine *engine = nullptr;
    Codec codec;
    std::vector<FieldLayout> fields; ///< in the order of spec.fields

    /// Throws Error: what is wrong with the declaration.
    explicit Layout(StreamSpec s);

    /// Index of a field, or -1.
    int find(const std::string &name) const;
    /// Number of the file that the frame of a number belongs to.
    std::int64_t file_number(std::int64_t frame) const {
        return spec.frames_per_file == 0 ? 0 : frame / spec.frames_per_file;
    }
    /// An engine option, or the fallback.
    std::string option(const std::string &name, const std::string &fallback) const;
    /// An engine option that is a number (with an optional k, M, G for powers of 1024).
    double number(const std::string &option, double fallback) const;
};

/// Bytes of one element.
std::size_t size_of(Type type);

/// "f32", "f64", "i16", "i32", "char".
std::string name_of(Type type);

/// "a, b, c", or "none".
std::string list(const std::vector<std::string> &names);

} // namespace squall::io
