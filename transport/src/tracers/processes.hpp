/// All that happens to the tracers of a run in columns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "columns/mixing.hpp"
#include "tracers/process.hpp"
#include "tracers/sources.hpp"

namespace squall::transport {

/// When a run begins and how long it is: for what depends on the calendar.
struct RunSpan {
    std::string start;
    double duration = 0; ///< [s]
};

/// Reads what files say that a tracer's sources name, before there is a globe. Collective; throws
/// AgreedError: what is wrong with them, and where.
void check_source_files(const SourceSettings &sources, const RunSpan &span, MPI_Comm comm);

class ColumnProcesses {
  public:
    ColumnProcesses(const MixingSettings &mixing, Scheme scheme, bool positive, int tracers)
        : mixing_(mixing, scheme, tracers), mixes_(mixing.any()),
          boundary_layer_(mixing.boundary_layer != "none"), scheme_(scheme), positive_(positive) {}

    /// Adds those of the next tracer, whose files are read. Collective; throws AgreedError.
    void add_tracer(const SourceSettings &sources, const PatchOfGlobe &where, const RunSpan &span,
                    MPI_Comm comm);

    /// A step from `begin` on, seconds after the start: sources, then mixing, so that it carries upwards what
    /// has just come in, then sinks.
    void apply(Block &block, const PatchOfGlobe &where, const Weather &weather, double begin,
               double step) const;

  private:
    using List = std::vector<std::unique_ptr<ColumnProcess>>;
    Mixing mixing_;
    bool mixes_, boundary_layer_;
    bool emits_ = false; ///< some tracer comes from the ground
    Scheme scheme_;
    bool positive_;
    std::vector<List> sources_, sinks_; ///< of each tracer
};

} // namespace squall::transport
