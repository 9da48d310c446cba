/// Fields that are made of others at places, with names resolved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "declare/made.hpp"

namespace squall::io {

struct Sample {
    int field = 0; ///< the result, in the layout
    std::string of;
    Type type = Type::f32;            ///< of the source
    std::optional<double> fill;       ///< values of the source that do not count
    std::vector<std::int64_t> domain; ///< extents of the source
    std::size_t places = 0;           ///< which of StreamSpec::places
    std::vector<std::size_t> along;   ///< per dimension of the places: which of the source's it is
    std::vector<double> shift;        ///< and how much further on the places lie along it
    bool nearest = false;
    bool on_servers = false; ///< who make it of what they receive; else the ranks do
    int received = -1;       ///< then the source's number there: Layout::staged

    /// Whether a dimension of the source is one in which the places lie.
    bool lie_in(std::size_t dimension) const;
    /// Values for each place.
    std::int64_t depth() const;
    /// How many points of the source are around a place.
    int corners() const;
};

/// Where a place is along a dimension: between a point and the next, at this fraction of the way.
struct Between {
    std::int64_t first = 0;
    double fraction = 0;
    bool inside = false; ///< whether the source has points there
};
Between between(const Sample &sample, std::size_t along, double position);

/// Checks the places of a declaration, and adds their dimensions. Returns what is wrong, or "".
std::string expand_places(StreamSpec &spec);
/// Completes a field that is made at places. Returns what is wrong with it, or "".
std::string complete_sample(const StreamSpec &spec, Field &field);

/// Of a declaration that was completed: one for each such field.
std::vector<Sample> samples_of(const StreamSpec &spec);

} // namespace squall::io
