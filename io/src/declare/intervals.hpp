/// Fields that are made of others over time, with names resolved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "declare/made.hpp"

namespace squall::io {

struct OverTime {
    enum class Method { mean, min, max, sum, variance, standard_deviation, last, accumulation, rate };

    std::string name, of;       ///< the result, and the source
    Type type = Type::f32;      ///< of the source
    std::optional<double> fill; ///< values of the source that do not count
    std::vector<std::string> dimensions;
    std::vector<std::int64_t> domain; ///< extents of the source
    Method method = Method::mean;
    double missing = 0; ///< fill value of the result

    /// Whether what came before the interval counts, not only what is in it.
    bool differs() const { return method == Method::accumulation || method == Method::rate; }
    /// How many numbers are kept for each point.
    std::size_t kept() const;
};

/// Completes a field that is made over time. Returns what is wrong with it, or "".
std::string complete_interval(const StreamSpec &spec, Field &field);
/// Of a declaration that was completed: one for each such field and source.
std::vector<OverTime> intervals_of(const StreamSpec &spec);

} // namespace squall::io
