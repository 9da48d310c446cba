/// Emissions from the ground.
#pragma once

#include "tracers/emission_map.hpp"
#include "tracers/process.hpp"
#include "tracers/sources.hpp"

namespace squall::transport {

/// Brings mass into the lowest layer. Over warm ground eddies carry some of it on whatever the gradient is,
/// by the row's flux against the gradient: from layer to layer, so that what one loses the next one gains,
/// and no more than a layer has, so that none becomes negative. Mass that comes is spread evenly over a cell,
/// mass that goes takes its share of all moments along.
class Emission : public ColumnProcess {
  public:
    void apply(const TracerRow &row, double begin, double step) const final;

  private:
    /// Adds what comes into each cell of the row [kg].
    virtual void emit(const TracerRow &row, double begin, double step, double *emitted) const = 0;
};

/// The same everywhere on a kind of surface, between two latitudes: of the row that lies between them, the
/// share; of a cell of land and sea, frozen or not, too.
class GroundEmission : public Emission {
  public:
    explicit GroundEmission(const SourceSettings &settings) : settings_(settings) {}

  private:
    void emit(const TracerRow &row, double begin, double step, double *emitted) const override;
    double share_of_surface(const Weather &weather, int i, int j) const;
    SourceSettings settings_;
};

/// By a map.
class MappedEmission : public Emission {
  public:
    explicit MappedEmission(EmissionMap map) : map_(std::move(map)) {}

  private:
    void emit(const TracerRow &row, double begin, double step, double *emitted) const override;
    EmissionMap map_;
};

} // namespace squall::transport
