#include "diagnostics/table.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace squall {

const std::vector<DerivedField> &derived_fields() {
    static const std::vector<DerivedField> all = [] {
        std::vector<DerivedField> fields;
        for (auto &kind : {air_fields(), surface_fields(), water_fields(), wind_fields(), vorticity_fields(),
                           radar_fields(), storm_fields(), parcel_fields()})
            std::ranges::copy(kind, std::back_inserter(fields));
        return fields;
    }();
    return all;
}

std::string in_words(Need need) {
    switch (need) {
    case Need::vapour:
        return "water vapour";
    case Need::cloud:
        return "cloud water";
    case Need::ice:
        return "cloud ice";
    case Need::echoes:
        return "microphysics kessler, wsm6 or thompson";
    case Need::rain:
        return "rain";
    case Need::snow:
        return "snow";
    case Need::graupel:
        return "graupel";
    case Need::skin:
        return "surface temperature";
    }
    return "";
}

std::string lacking(const std::vector<Need> &needs, const std::set<Need> &met) {
    std::vector<std::string> missed;
    for (const Need need : needs)
        if (!met.contains(need)) missed.push_back(in_words(need));
    return fmt::format("{}", fmt::join(missed, ", "));
}

} // namespace squall
