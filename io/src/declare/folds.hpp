/// Reductions as they are declared, with names resolved: what the stage reduce works from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "squall/io.hpp"

namespace squall::io {

/// What is said of each point of a source by another field: a weight, or a mask.
struct Companion {
    std::string name;       ///< empty: there is none
    bool per_frame = false; ///< whether it is put with each frame, before the source
    std::vector<int> place; ///< per dimension of the source: which of its own it is; -1: it has not got it
};

/// A field that is made of another one.
struct Fold {
    enum class Method { mean, sum, min, max, variance, standard_deviation, count, quantile };

    int field = 0; ///< the result, in the layout
    std::string of;
    Type type = Type::f32;            ///< of the source
    std::vector<std::int64_t> domain; ///< extents of the source
    std::vector<bool> over;           ///< per dimension of the source: whether the result has not got it
    Box within;                       ///< what of the source counts
    std::optional<double> fill;       ///< values of the source that do not count
    Companion weight, mask;
    Method method = Method::mean;
    double quantile = 0.5, low = 0, high = 0;
    int bins = 0;

    /// How many sums, and how many counts, are kept for each point of the result.
    std::size_t sums() const;
    std::size_t counts() const;
    bool extreme() const { return method == Method::min || method == Method::max; }
};

/// Completes the fields of a declaration that are made of others: dimensions, fill values, CF's cell_methods.
/// Returns what is wrong with their reductions, or "". The same on every rank.
std::string expand_reductions(StreamSpec &spec);

/// Of a declaration that was completed: one for each field that is made of another.
std::vector<Fold> folds_of(const StreamSpec &spec);

} // namespace squall::io
