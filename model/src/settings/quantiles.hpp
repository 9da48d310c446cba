/// Quantiles as run files ask for them: "0.5 0.99 of 600 bins from 0 to 60".
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace squall {

/// Values are counted in bins of the same width; what lies beyond them counts in the outermost. A quantile is
/// linear within its bin, so it is exact to a bin's width.
struct Quantiles {
    std::vector<double> which; ///< each from 0 to 1
    int bins = 0;
    double low = 0, high = 0; ///< where the first bin begins and the last ends, in the field's units
};

/// Nothing: the words do not say that.
std::optional<Quantiles> quantiles_in(const std::string &words);

} // namespace squall
