/// What is put of a field that others are made of: checked before anything is made.
#pragma once

#include "declare/layout.hpp"
#include "stage/stage.hpp"

namespace squall::io {

/// Whether there is anything in it. Throws Error: its box, memory or strides are wrong.
bool checked(const Layout &layout, const Put &put);

/// Calls f with each of the boxes that make up a rank's points in the field's decomposition. Throws Error.
template <class F> void for_checked_boxes(const Layout &layout, const Put &put, F f) {
    const auto &field = *layout.find_put(put.field);
    if (field.field.decomposition.empty())
        throw Error("it has no decomposition; declare one for it, or put it with a box");
    const auto &points = layout.points.at(field.field.decomposition);
    if (points.listed) throw Error(nothing_of_a_list);
    if (!put.strides.empty() && points.runs.size() > 1)
        throw Error("strides are only possible for points that form one box");
    for_boxes(field, points, put, f);
}

} // namespace squall::io
