/// The columns of air that a scheme of radiation is asked about, made of a run's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "grid/grid.hpp"
#include "grid/scalars.hpp"
#include "physics/radiation/column.hpp"
#include "physics/radiation/sun.hpp"
#include "physics/radiation_record.hpp"
#include "settings/config.hpp"

namespace squall {

/// What a call finds everywhere.
struct RadiationCall {
    radiation::Sun sun{};
    double day = 0; ///< of the year
    radiation::MixingRatios gases{};
    std::int64_t step = 0;
};

/// Temperature over potential temperature.
double exner_of(double pressure);

class RadiatedAir {
  public:
    /// `scalars`: those of the State it is of, in so many layers.
    RadiatedAir(const Config &config, const ScalarSet &scalars, int layers);

    /// The air, the ground below it and the sun above it. `vertical`: of the domain.
    void make(const real *record, const VerticalGrid &vertical, const RadiationCall &call,
              radiation::Column &column) const;

    /// Where a column of these degrees has it.
    radiation::Sunlight sunlight(const RadiationCall &call, double latitude, double longitude) const;

    const RadiationRecord &record() const { return record_; }

  private:
    /// Pressures of a layer [Pa]: what its dry air weighs, and in its middle as the equations have it.
    struct Weight {
        double dry, pressure;
    };
    void fill(const real *record, const VerticalGrid &vertical, const RadiationCall &call,
              radiation::Column &c) const;
    void fill_clouds(const real *record, int k, Weight weight, radiation::Layer &layer) const;
    void add_subgrid_clouds(const real *record, int k,
                            std::array<double, radiation::cloud_kinds> &water) const;
    double amount(const real *record, int scalar, int k) const;
    double counted_radius(const real *record, int k, std::size_t kind, double content) const;
    double thompsons_radius(const real *record, int k, std::size_t kind, const radiation::Layer &layer,
                            double pressure) const;
    double radius(const real *record, int k, std::size_t kind, double content, const radiation::Layer &layer,
                  double pressure) const;
    void add_carried_aerosol(const real *record, radiation::Column &c) const;
    std::array<double, radiation::cloud_kinds> clouds(const real *record, int k, double temperature) const;

    ScalarSet scalars_;
    RadiationRecord record_;
    bool moist_theta_, seasonal_ozone_;
    /// Numbers among the scalars of a scheme that counts droplets and aerosols; -1: it does not.
    int droplet_number_ = -1, water_friendly_ = -1, ice_friendly_ = -1;
    int snow_number_ = -1;       ///< among the scalars, where sizes follow from numbers of all that is frozen
    bool simple_ice_;            ///< cloud and rain are ice and snow where it freezes
    bool clouds_, longwave_ice_; ///< that radiation sees
    double aerosol_depth_;       ///< of the whole column, at 550 nm, where the ground has none of each
    radiation::AerosolOptics aerosol_;
    bool carried_aerosol_;                          ///< instead that which the air carries
    double least_depth_;                            ///< that each layer then has
    std::optional<radiation::Sunlight> standing_{}; ///< of a sun that does not move
};

} // namespace squall
