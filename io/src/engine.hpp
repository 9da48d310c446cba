/// What an engine provides. An engine is one file in engines/ and one line in its registry.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "layout.hpp"

namespace squall::io {

/// One file in the making, on the process that writes it. Throws Error with the cause alone; the
/// caller adds stream, file and frame.
class Writer {
  public:
    virtual ~Writer() = default; ///< lets go of the file as it is

    /// Writes a box of a field, contiguous, in the field's type. `frame` counts from 0 in this
    /// file and is ignored for a field fixed in time.
    virtual void write(int field, std::int64_t frame, const Box &box, const void *points) = 0;

    /// Hands everything written so far to the operating system.
    virtual void flush() = 0;

    /// Closes the file with exactly `frames` frames; what was written beyond is dropped.
    virtual void close(std::int64_t frames) = 0;
};

/// Creates (or overwrites) a file for the engine named in layout.spec.
std::unique_ptr<Writer> create(const Layout &layout, const std::string &file);

/// What is in a file, and a way to its points; see Reader.
class Source {
  public:
    virtual ~Source() = default;
    virtual void read(int field, std::int64_t frame, const Box &box, void *contiguous, Type memory) const = 0;

    std::int64_t frames = 0;
    std::vector<Dimension> dimensions;
    std::vector<Field> fields;
    std::vector<Attribute> attributes;
};

/// Opens a file of any engine that can be read back.
std::unique_ptr<Source> open_source(const std::string &file);

} // namespace squall::io
