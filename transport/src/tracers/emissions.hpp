/// Emissions from the ground.
#pragma once

#include "tracers/emission_map.hpp"
#include "tracers/process.hpp"
#include "tracers/sources.hpp"

namespace squall::transport {

/// The same everywhere on a kind of surface, between two latitudes: of the row that lies between them, the
/// share; of a cell of land and sea, frozen or not, too.
class GroundEmission : public ColumnProcess {
  public:
    explicit GroundEmission(const SourceSettings &settings) : settings_(settings) {}
    void apply(const TracerRow &row, double begin, double step) const override;

  private:
    double share_of_surface(const Weather &weather, int i, int j) const;
    SourceSettings settings_;
};

/// By a map.
class MappedEmission : public ColumnProcess {
  public:
    explicit MappedEmission(EmissionMap map) : map_(std::move(map)) {}
    void apply(const TracerRow &row, double begin, double step) const override;

  private:
    EmissionMap map_;
};

} // namespace squall::transport
