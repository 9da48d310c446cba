/// A layer of a batch of columns, as points with numbers.
#pragma once

#include "physics/wdm/reactions.hpp"
#include "physics/wsm6/row.hpp"

namespace squall::wdm {

/// Numbers are counted per mass of air. In WRF's forms they stand for those in a volume as they are.
template <bool with_graupel, bool as_wrf> struct Row : wsm6::Row<true, with_graupel, Point> {
    using Masses = wsm6::Row<true, with_graupel, Point>;

    Row(const MoistColumns &c, int k)
        : Masses(c, k), droplets(c.droplet_number.row(k)), drops(c.rain_number.row(k)),
          nuclei(c.nuclei.row(k)) {}

    real *droplets, *drops, *nuclei;

    real per_mass(int i) const { return as_wrf ? real(1) : this->density[i]; }

    Point point(int i) const {
        Point x = Masses::point(i);
        x.droplets = droplets[i] * per_mass(i);
        x.drops = drops[i] * per_mass(i);
        x.nuclei = nuclei[i] * per_mass(i);
        return x;
    }

    /// What does not change keeps its bits.
    void set(int i, const Point &x) const {
        Masses::set(i, x);
        const real mass = per_mass(i);
        droplets[i] = x.droplets == droplets[i] * mass ? droplets[i] : x.droplets / mass;
        drops[i] = x.drops == drops[i] * mass ? drops[i] : x.drops / mass;
        nuclei[i] = x.nuclei == nuclei[i] * mass ? nuclei[i] : x.nuclei / mass;
    }

    /// Numbers that transport left negative are none. With graupel there are 100 nuclei at least in a cubic
    /// centimetre, and no more than 20000 (Bae 2017, in WRF).
    void bound(int n) const {
        constexpr bool bounded = with_graupel;
        for_each_i(0, n, [droplets = droplets, drops = drops, nuclei = nuclei](int i) {
            droplets[i] = std::max(droplets[i], real(0));
            drops[i] = std::max(drops[i], real(0));
            nuclei[i] =
                bounded ? std::min(std::max(nuclei[i], real(1e8)), real(2e10)) : std::max(nuclei[i], real(0));
        });
    }

    bool at_rest(int n) const {
        int counted = 0;
        for (int i = 0; i < n; ++i) counted |= (droplets[i] > 0) | (drops[i] > 0);
        return !counted && Masses::at_rest(n);
    }
};

} // namespace squall::wdm
