/// Sinks of tracers: decay, dry deposition, rain, and the age of air.
#pragma once

#include "tracers/process.hpp"
#include "tracers/sources.hpp"

namespace squall::transport {

/// exp(-step / lifetime) stays.
class Decay : public ColumnProcess {
  public:
    explicit Decay(const SourceSettings &settings) : lifetime_(settings.lifetime) {}
    void apply(const TracerRow &row, double begin, double step) const override;

  private:
    double lifetime_;
};

/// Out of the lowest layer, with the velocity of the surface: exp(-v step / thickness) stays.
class DryDeposition : public ColumnProcess {
  public:
    explicit DryDeposition(const SourceSettings &settings);
    void apply(const TracerRow &row, double begin, double step) const override;

  private:
    double land_, sea_;
};

/// By rain, which falls from the highest cloud, a layer of more than 80 % relative humidity (that at which
/// HYSPLIT's clouds begin: Stein, A. F., and others, 2015, Bull. Amer. Meteor. Soc. 96, 2059-2077); without
/// one, from 8 km, where it is the rate below clouds everywhere. exp(-c r^e step) stays, r in mm per hour,
/// with the coefficient in clouds or below them.
class Washout : public ColumnProcess {
  public:
    explicit Washout(const SourceSettings &settings) : settings_(settings) {}
    void apply(const TracerRow &row, double begin, double step) const override;

  private:
    SourceSettings settings_;
};

/// 0 in the lowest layer; elsewhere time goes on.
class AgeOfAir : public ColumnProcess {
  public:
    void apply(const TracerRow &row, double begin, double step) const override;
};

} // namespace squall::transport
