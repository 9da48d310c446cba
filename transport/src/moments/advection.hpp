/// Transport of all tracers of a patch by the mass that passes its cells' faces.
#pragma once

#include <cstdint>
#include <vector>

#include "core/loop.hpp"
#include "globe/block.hpp"
#include "globe/neighbours.hpp"
#include "moments/basis.hpp"
#include "moments/families.hpp"

namespace squall::transport {

/// What moves with the air: field 0 of the block is the air's mass, then each tracer's moments.
constexpr int fields_of(Scheme scheme, int tracers) { return 1 + moments_of(scheme) * tracers; }
constexpr int field_of(Scheme scheme, int tracer, int moment) {
    return 1 + moments_of(scheme) * tracer + moment;
}

/// Directions one after the other, in each of which a cell loses and gains parts with all their moments. In
/// turn x, y, z and z, y, x, so that errors of splitting cancel over two steps.
class Advection {
  public:
    /// `neighbours` must outlive this object. `positive`: Prather's limiter, or none. `families`: tracers
    /// that it limits together.
    Advection(Neighbours &neighbours, Scheme scheme, int tracers, bool positive, Families families = {});

    /// One step, which is number `step`: in as many parts as it takes for no cell to lose more air to the
    /// south, the north, up and down than it has. From west to east air may pass any number of cells.
    /// `fluxes` are those of the whole step. Air through the ground or the top has the mixing ratio of the
    /// layer next to it. Throws AgreedError where there is no air left in a cell: the wind is not
    /// air's, or the step too long. Collective.
    void step(Block &block, const MassFluxes &fluxes, std::int64_t step);

    int parts() const { return parts_; } ///< of the last step
    /// The largest share of its air that a cell lost in the last step.
    double courant() const { return courant_; }

  private:
    template <Scheme scheme> void sweep(Block &block, const MassFluxes &fluxes, Direction direction);
    template <Scheme scheme> void sweep_x(Block &block, const MassFluxes &fluxes);
    template <Scheme scheme> void sweep_lines(Block &block, const MassFluxes &fluxes, Direction direction);
    void find_reach(const Block &block, const MassFluxes &fluxes);
    int count_parts(const Block &block, const MassFluxes &fluxes);
    void set_part(const MassFluxes &fluxes, int parts);

    Neighbours &neighbours_;
    Scheme scheme_;
    int tracers_;
    bool positive_;
    Families families_;
    std::vector<Range> layers_, columns_; ///< bundles of lines from south to north and upwards
    std::vector<int> reach_;              ///< cells that the wind crosses in each row, from west to east
    MassFluxes part_;                     ///< of a part of a step that is divided
    int parts_ = 1;
    double courant_ = 0;
};

} // namespace squall::transport
