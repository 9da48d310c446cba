/// What an engine provides that can read files back.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "squall/io.hpp"

namespace squall::io {

/// What is in a file, and a way to its points; see Reader. Local.
class Source {
  public:
    virtual ~Source() = default;
    /// Reads a box, contiguous, converted to `memory`. Safe to call from one thread at a time.
    virtual void read(int field, std::int64_t frame, const Box &box, void *contiguous, Type memory) const = 0;
    /// In place of read() where this rank wants nothing: others may wait for it.
    virtual void read_nothing() const {}

    std::int64_t frames = 0;
    std::string record_dimension = "Time"; ///< "": there is none
    std::vector<Dimension> dimensions;     ///< without the record dimension
    std::vector<Field> fields;
    std::vector<Attribute> attributes; ///< of the whole file

    /// What the file has and this cannot give as it is: who copies it must say so.
    struct Unheld {
        std::string field; ///< whose it is, or which is it; "": the whole file's
        std::string what;
    };
    std::vector<Unheld> unheld;
};

/// Opens a file of any engine that can be read back.
std::unique_ptr<Source> open_source(const std::string &path);

} // namespace squall::io
