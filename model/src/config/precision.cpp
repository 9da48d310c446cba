#include "config/precision.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace squall {

io::Precision parse_precision(const std::string &text) {
    std::istringstream words(text);
    std::string kind, rest;
    io::Precision p;
    words >> kind;
    bool good = true;
    if (kind == "absolute" || kind == "relative") {
        p.kind = kind == "absolute" ? io::Precision::Kind::absolute : io::Precision::Kind::relative;
        good = words >> p.bound && p.bound > 0 && std::isfinite(p.bound);
    } else if (kind == "packed") {
        p.kind = io::Precision::Kind::packed;
        good = words >> p.low >> p.high && p.low < p.high && std::isfinite(p.high - p.low);
    } else {
        good = kind == "full";
    }
    if (!good || words >> rest)
        throw std::invalid_argument(
            fmt::format("\"{}\" is not a precision; expected \"absolute 0.01\" (error at most 0.01 in the "
                        "field's units), \"relative 1e-3\" (of the value), \"packed 0 0.04\" (16 bits for "
                        "values from 0 to 0.04) or \"full\"",
                        text));
    return p;
}

} // namespace squall
