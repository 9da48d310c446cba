#include "run/overlap.hpp"

#include <vector>

#include "output/restart_variables.hpp"
#include "parallel/region_exchange.hpp"

namespace squall {
namespace {

/// The cells of a patch, and the faces beyond the last of the domain.
Region with_last_faces(const Patch &patch, int rank) {
    Region r = region_of(patch, rank);
    if (r.i1 == patch.nx_domain) ++r.i1;
    if (r.j1 == patch.ny_domain) ++r.j1;
    return r;
}

Region shifted(const Region &r, int east, int north) {
    return {r.i0 + east, r.i1 + east, r.j0 + north, r.j1 + north};
}

} // namespace

void keep_overlap(MPI_Comm comm, const Config &config, const Patch &patch, int east, int north,
                  DomainState from, DomainState to) {
    // Points are named as they were before.
    RegionExchange exchange(
        comm, [&](int rank) { return with_last_faces(patch, rank); },
        [&](int rank) { return shifted(with_last_faces(patch, rank), east, north); });
    const auto old = state_variables(from.state, from.physics, config),
               now = state_variables(to.state, to.physics, config);
    std::vector<MovedField> fields;
    for (std::size_t n = 0; n < old.size(); ++n) {
        const Location &where = old[n].where;
        const Region all{0, patch.nx_domain + (where.faces == Faces::x), 0,
                         patch.ny_domain + (where.faces == Faces::y)};
        fields.push_back({in_domain(ConstField3(old[n].view), patch.x0, patch.y0),
                          in_domain(now[n].view, patch.x0 + east, patch.y0 + north),
                          levels_of(where, patch.shape.nz), meet(all, shifted(all, east, north))});
    }
    exchange.move(fields);
    share_radiation(to.physics, config);
}

} // namespace squall
