/// The engine `adios`: a directory in ADIOS2's BP5 format, one step per frame.
///
/// Points of a field are a global array of the field's name; fields fixed in time are in the first
/// step only. Attributes of the stream are attributes, those of field T are named "T/units". What
/// ADIOS2 has no words for (names of dimensions, order) is in the attribute of description.hpp;
/// "T/dimensions" names them once more as the package xarray-adios2 wants it, for which every field
/// begins with a dimension of steps.
#pragma once

#include <mutex>
#include <stdexcept>
#include <string>

#include <adios2.h>

#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "publish/writer.hpp"
#include "read/source.hpp"

namespace squall::io::adios {

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, Seat seat);
std::unique_ptr<Source> open(const std::string &path);

inline adios2::Dims dims(const std::vector<std::int64_t> &extents) {
    return {extents.begin(), extents.end()};
}

/// Blosc2 with byte shuffle. Level 1 of zstd and 5 of lz4 are where more level buys little.
adios2::Params blosc(const Codec &codec);
/// What is wrong with the level of a stream's codec, or "".
std::string level_fault(const Layout &layout);

/// Held while points are compressed or decompressed: ADIOS2 sets Blosc2 up for the whole process and
/// tears it down for every block, and two streams may be written by two threads.
std::mutex &blosc_in_use();

/// The words of an ADIOS2 exception without the date and the names of its classes.
std::string words(const std::exception &e);

/// Runs f; what ADIOS2 throws becomes an Error.
template <class F> auto guard(const std::string &doing, F f) {
    try {
        return f();
    } catch (const Error &) {
        throw;
    } catch (const std::exception &e) {
        throw Error(doing + ": " + words(e));
    }
}

} // namespace squall::io::adios
