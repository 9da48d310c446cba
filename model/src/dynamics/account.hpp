/// Dry air and water of a domain over an interval: what it held when that began, and what has come and gone.
#pragma once

#include <array>

#include "dynamics/content.hpp"
#include "dynamics/side_fluxes.hpp"

namespace squall {

/// All of a domain, and the part of that outside of its sides (SideFluxes).
struct Holdings {
    Content all, rim;
};

/// Of one rank's patch, or, added up, of the domain.
struct Account {
    double began = 0;  ///< [s since run.start]
    Holdings at_first; ///< but for what moving has changed
    Crossing crossed;
    Content fed_back; ///< what feedback of nests has changed
    Holdings now;     ///< when it is closed

    void open(double seconds, const Holdings &holdings) {
        *this = {};
        began = seconds;
        at_first = holdings;
    }
    /// The domain is elsewhere: what it holds is now that much more.
    void move(const Holdings &change) { at_first.all += change.all, at_first.rim += change.rim; }

    static constexpr int kept = 12; ///< sums that a restart keeps
    std::array<ExactSum *, kept> kept_sums() {
        return {&at_first.all.dry,   &at_first.all.water, &at_first.all.area, &at_first.rim.dry,
                &at_first.rim.water, &crossed.dry.in,     &crossed.dry.out,   &crossed.water.in,
                &crossed.water.out,  &crossed.relaxed,    &fed_back.dry,      &fed_back.water};
    }
    std::array<ExactSum *, 5> sums_of_now() {
        return {&now.all.dry, &now.all.water, &now.all.area, &now.rim.dry, &now.rim.water};
    }
};

} // namespace squall
