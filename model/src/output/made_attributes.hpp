/// What made fields say of themselves: names, units, CF's cell methods.
#pragma once

#include <string>
#include <vector>

#include "squall/io.hpp"

namespace squall {

std::vector<std::string> words_in(const std::string &text);

/// WRF's names of what it makes over time are those of the fields with these behind them (T2MAX, T2MEAN).
std::string suffix_of(const std::string &method);
/// "P99" of 0.99, "P99_5" of 0.995.
std::string suffix_of_quantile(double which);

/// Of what is made of a field in this unit. `weight`: the unit of what it is weighted with.
std::string unit_of(const std::string &unit, const io::Reduction &r, const std::string &weight);

void drop_attributes(io::Field &field, const std::vector<std::string> &names);

/// In CF's words for what an average is over, which is no dimension of the file's variable any more. `plain`:
/// the field of which it is made, `over_time`: the method by which that came from samples, or "". `axis`:
/// the coordinate for over what of an axis it is, or "".
void say_over_what(io::Field &field, const io::Field &plain, const std::string &over_time,
                   const io::Reduction &r, const std::string &axis);
/// For which CF has no cell method. `name`: under which it is written.
void say_which_quantile(io::Field &field, const std::string &name, const io::Reduction &r);

} // namespace squall
