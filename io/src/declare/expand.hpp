/// What a declaration says in one word and a file in several: the time axis, texts, optional fields.
#pragma once

#include <string>

#include "squall/io.hpp"

namespace squall::io {

/// Adds to the declaration the fields, dimensions and attributes that stand for what it asks for. Returns
/// what is wrong with it, or "". The same on every rank.
std::string expand(StreamSpec &spec);

/// The value of points that nobody owns: what the field declares, or netCDF's default for the type (of an
/// i64, whose default no double holds: the least).
double fill_of(const Field &field);
/// The attribute _FillValue that says so, in the field's own type as it is in the file, or in the nearest
/// that attributes have.
Attribute fill_attribute(const Field &field);
/// That value as it is in the file.
double fill_in_file(const Field &field);
/// Whether there may be such points.
bool fills(const StreamSpec &spec, const Field &field);

/// Whether the type has the number.
bool holds(Type type, double x);

std::string name_of_time(const StreamSpec &spec);
std::string name_of_bounds(const StreamSpec &spec);
std::string name_of_status(const Field &field);
std::string name_of_count(const Dimension &dimension);
/// The field's dimension whose length varies, counted in its dimensions; -1: none.
int varying_dimension(const StreamSpec &spec, const Field &field);

} // namespace squall::io
