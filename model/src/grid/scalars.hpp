/// The scalars of a run: what the air carries with it, per mass of dry air.
#pragma once

#include <string>
#include <vector>

namespace squall {

struct Scalar {
    std::string name;        ///< as in files: QVAPOR, QCLOUD, ..., TKE, QKE, or a tracer's own
    std::string units;       ///< kg kg-1 for water and tracers, kg-1 for numbers, m2 s-2 for TKE and QKE
    std::string description; ///< as in files
    double elsewhere = 0;    ///< in air of which no file tells it: at the start, and what comes in
};

/// Water comes first, then numbers of particles and tracers, which all domains of a run have, and last QKE
/// and TKE. Indices are into `all` (and State::scalars), 0-based; -1 where the domain has none of it.
struct ScalarSet {
    std::vector<Scalar> all;
    int vapour = -1, cloud = -1, rain = -1, ice = -1, snow = -1, graupel = -1;
    int rain_number = -1, ice_number = -1, droplet_number = -1, nuclei = -1;
    int tke = -1;   ///< of the eddies that diffusion.scheme = "tke" predicts, on the scale of the grid
    int qke = -1;   ///< twice the kinetic energy of a boundary layer's turbulence, if its scheme predicts it
    int waters = 0; ///< the first so many weigh on the air and close its water budget
    int first_tracer = 0, tracers = 0;

    int size() const { return static_cast<int>(all.size()); }
    bool moist() const { return waters > 0; }
    bool is_tracer(int n) const { return n >= first_tracer && n < first_tracer + tracers; }
    /// How many a domain and one inside it tell each other of, the first of both: not of TKE, which no other
    /// grid has on its scale, and of QKE where both have it.
    int shared_with(const ScalarSet &inner) const {
        return first_tracer + tracers + int(qke >= 0 && inner.qke >= 0);
    }
};

} // namespace squall
