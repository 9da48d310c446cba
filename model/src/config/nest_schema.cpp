#include "config/nest_schema.hpp"

namespace squall {
namespace {

/// The slot of a member of the nest that is being read.
template <class T> std::function<Slot(Config &)> of_nest(T NestConfig::*member) {
    return [=](Config &config) -> Slot { return &(config.nests.back().*member); };
}

} // namespace

TableSchema nest_table() {
    using N = NestConfig;
    const auto needed = Presence::required;
    return {
        "nest.<name>",
        "A domain inside the outermost one or inside another nest, of any name that files can use: it begins "
        "with its parent, interpolated, takes what comes in at its sides from it, and steps within its "
        "steps. "
        "Its spacing is the parent's over the ratio. It writes the streams of the outermost domain that are "
        "of "
        "the whole grid, with its number after their names and in those of their files (`_d02` for the first "
        "nest). Restart frames hold all domains.",
        {
            {"parent",
             of_nest(&N::parent),
             "name of the nest that it lies in",
             {},
             {},
             "the outermost domain"},
            {"i_parent_start",
             of_nest(&N::i_parent_start),
             "cell of the parent, from west to east and from 1 as in WRF, where the nest begins; three stay "
             "outside on each side",
             {.min = 4, .max = 1e6},
             needed},
            {"j_parent_start",
             of_nest(&N::j_parent_start),
             "the same from south to north",
             {.min = 4, .max = 1e6},
             needed},
            {"nx",
             of_nest(&N::nx),
             "cells from west to east, a multiple of the ratio",
             {.min = 10, .max = 1e6},
             needed},
            {"ny",
             of_nest(&N::ny),
             "cells from south to north, a multiple of the ratio",
             {.min = 10, .max = 1e6},
             needed},
            {"parent_grid_ratio",
             of_nest(&N::parent_grid_ratio),
             "the parent's spacing over the nest's",
             {.min = 2, .max = 100}},
            {"parent_time_step_ratio",
             of_nest(&N::parent_time_step_ratio),
             "the parent's time step over the nest's",
             {.min = 1, .max = 1000},
             {},
             "parent_grid_ratio"},
            {"feedback",
             of_nest(&N::feedback),
             "whether the parent takes the nest's averages, two-way nesting; `false`: the parent does not "
             "know "
             "of the nest",
             {}},
        }};
}

} // namespace squall
