/// Who hands how much work to whom, so that all have about the same.
#pragma once

#include <span>
#include <vector>

namespace squall {

struct Handover {
    int from, to; ///< indices of those who share
    double work;
    friend bool operator==(const Handover &, const Handover &) = default;
};

/// Of `work` that each has (not negative): what those above the mean hand to those below, in order of `from`,
/// each to those who follow each other. Fewer than there are shares, and one either gives or takes. What is
/// less than `least` of the mean stays where it is; nothing is handed over at all where nobody exceeds the
/// mean by as much. The same wherever the same is asked.
std::vector<Handover> even_out(std::span<const double> work, double least);

} // namespace squall
