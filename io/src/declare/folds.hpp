/// Fields that are made of others over dimensions, with names resolved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "declare/made.hpp"
#include "squall/io.hpp"

namespace squall::io {

/// A field that is made of another one over some of its dimensions.
struct Fold {
    enum class Method { mean, sum, min, max, variance, standard_deviation, count, quantile };

    int field = 0; ///< the result, in the layout
    std::string of;
    Type type = Type::f32;            ///< of the source
    std::vector<std::int64_t> domain; ///< extents of the source
    std::vector<bool> over;           ///< per dimension of the source: whether the result has not got it
    std::vector<std::int64_t> block;  ///< per dimension of the source: how many points become one
    Box within;                       ///< what of the source counts
    std::optional<double> fill;       ///< values of the source that do not count
    Companion weight, mask;
    Method method = Method::mean;
    double quantile = 0.5, low = 0, high = 0;
    int bins = 0;
    bool on_servers = false; ///< who make it of what they receive; else the ranks do
    int received = -1;       ///< then the source's number there: Layout::staged

    bool weighted() const { return !weight.name.empty(); }
    /// How many sums are kept for each point of the result: of the values, of their squares, of the weights,
    /// as far as the method needs them, or of the weights in each bin; and how many counts.
    std::size_t sums() const;
    std::size_t counts() const;
    bool extreme() const { return method == Method::min || method == Method::max; }
};

/// Completes one of these, and adds the dimensions of a coarser grid. Returns what is wrong with it, or "".
std::string complete_fold(StreamSpec &spec, Field &field);

/// Of a declaration that was completed: one for each such field.
std::vector<Fold> folds_of(const StreamSpec &spec);

} // namespace squall::io
