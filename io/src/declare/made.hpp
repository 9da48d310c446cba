/// Fields that are made of others: of which kind each is, what all kinds have in common, and their order.
#pragma once

#include <string>
#include <vector>

#include "squall/io.hpp"

namespace squall::io {

enum class Making {
    over_dimensions, ///< folds.hpp
    at_places,       ///< samples.hpp
    over_time,       ///< intervals.hpp
    onto_levels      ///< levels.hpp
};
Making making_of(const StreamSpec &spec, const Reduction &reduction);

/// Whether such a field is made where its source is put, box by box.
inline bool made_on_the_spot(Making making) {
    return making == Making::over_time || making == Making::onto_levels;
}

/// Completes the fields and sources of a declaration that are made of others: dimensions, units, fill values,
/// CF's cell_methods. Returns what is wrong with them, or "". The same on every rank.
std::string expand_made(StreamSpec &spec);

/// What other fields may be made of, under a name: what is put, or made on the spot. Null if nothing is.
const Field *find_source(const StreamSpec &spec, const std::string &name);
/// That there is none: "it is made of ..., which is neither ...".
std::string no_source(const StreamSpec &spec, const std::string &what, const std::string &name);

const Attribute *find_attribute(const Field &field, const std::string &name);
const Dimension *find_dimension(const StreamSpec &spec, const std::string &name);
bool is_number(const Field &field);
bool lists(const std::vector<std::string> &names, const std::string &name);

/// What is said of each point of a source by another field: a weight, a mask, a coordinate.
struct Companion {
    std::string name;       ///< empty: there is none
    bool per_frame = false; ///< whether it is put with each frame, before the source
    std::vector<int> place; ///< per dimension of the source: which of its own it is; -1: it has not got it
    /// Its box for one of the source.
    Box box_for(const Box &source) const;
    int received = -1; ///< its number on servers that make something with it: Layout::staged
};
Companion companion_of(const StreamSpec &spec, const Field &source, const std::string &name);
/// What is wrong with it, or "". `what`: "weight".
std::string companion_fault(const StreamSpec &spec, const Field &source, const std::string &what,
                            const std::string &name);

/// Adds a method to CF's cell_methods that the source has, unless the declaration says something.
void add_cell_methods(Field &field, const Field &source, const std::string &words);

/// Gives a field the dimensions that it has from what it is made of, and a fill value. Returns what is wrong
/// with dimensions that it declares itself, or "".
std::string settle(Field &field, const std::vector<std::string> &dimensions);

/// Extents of a field's dimensions in the domain.
std::vector<std::int64_t> extents_of(const StreamSpec &spec, const Field &field);

} // namespace squall::io
