/// What may happen to a tracer in columns.
#pragma once

#include "columns/boundary_layer.hpp"
#include "moments/advection.hpp"

namespace squall::transport {

/// A row of a patch and one tracer.
struct TracerRow {
    Block &block;
    const PatchOfGlobe &where;
    const Weather &weather;
    const ColumnAir &air;
    Scheme scheme;
    int tracer, j;
    const BoundaryLayer *eddies = nullptr; ///< null: none carry on what comes from the ground

    int nx() const { return block.shape().nx; }
    int nz() const { return block.shape().nz; }
    double area() const { return where.area(j); } ///< of a cell [m2]
    const double *cell_air(int k) const { return block.row(0, k, j); }
    /// Moment m of the tracer; 0 is its mass [kg].
    double *moment(int m, int k) const { return block.row(field_of(scheme, tracer, m), k, j); }
    double *mass(int k) const { return moment(0, k); }
    /// Multiplies all moments of a cell.
    void scale(int i, int k, double factor) const {
        for (int m = 0; m < moments_of(scheme); ++m) moment(m, k)[i] *= factor;
    }
};

/// A source or a sink of one tracer. Each column is by itself, so that results do not depend on patches.
class ColumnProcess {
  public:
    virtual ~ColumnProcess() = default;
    /// What happens in a row from `begin` on, seconds after the start, in `step` seconds. Called by several
    /// threads at once, for different rows.
    virtual void apply(const TracerRow &row, double begin, double step) const = 0;
};

} // namespace squall::transport
