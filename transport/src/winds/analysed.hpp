/// Winds and weather of analyses.
///
/// Between two times of the file, the mass that passes a face and the weather are linear in time, so that a
/// step has the flux of its middle. At a time of the file the flux is the wind at the face times the mass of
/// the layer there, from the mean surface pressure of the two cells, plus the layer's share of a correction:
/// the gradient of a potential (times g), found when the file was made, by which the column's air follows the
/// analyses' surface pressure (Heimann, M., and C. D. Keeling, 1989: A three-dimensional model of atmospheric
/// CO2 transport based on observed winds: 2. Geophys. Monogr. 55, 237-275, correct mass so). It is of the
/// interval, so that a time has two potentials: that of the interval before it and that after.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "globe/block.hpp"
#include "globe/scratch.hpp"
#include "winds/fluxes.hpp"
#include "winds/hand_out.hpp"
#include "winds/read_ahead.hpp"
#include "winds/weather.hpp"
#include "winds/wind_file.hpp"

namespace squall::transport {

class AnalysedWind {
  public:
    /// `settings.file` is a checked file, of which `header` and `where` are kept by reference. From `begin`
    /// to `end`, seconds after the run's start. Collective over `comm`, as are all functions. Throws
    /// AgreedError for a record that cannot be read or is not balanced.
    AnalysedWind(const WindSettings &settings, const WindHeader &header, const PatchOfGlobe &where,
                 MPI_Comm comm, double begin, double end);

    /// Fills `fluxes` with what passes in a step from `begin`, and `weather` for its middle. Field 0 of
    /// `air` is the air at `begin`.
    void find(const Block &air, double begin, double step, MassFluxes &fluxes, Weather &weather);

    /// Surface pressure of the patch's cells (j, i) [Pa] at a time of the interval in use or at its ends.
    Scratch<double> surface(double time) const;

    /// What reading has cost: the most seconds of any rank, and what all have sent.
    WindCosts costs() const;
    std::string summary() const;

  private:
    void go_to(double middle);
    /// Through western and southern faces [kg s-1].
    struct Sides {
        std::vector<double> east, north;
    };
    Sides sides(const WindValues &record, WindField potential) const;
    void check_balance(const Sides &sides) const;
    double share(double time) const;

    const WindHeader &header_;
    const PatchOfGlobe &where_;
    MPI_Comm comm_;
    bool by_rows_;
    HandOut hand_out_;
    ReadAhead records_;
    std::size_t interval_; ///< from this time of the file to the next
    WindValues start_, end_;
    Sides flux_start_, flux_end_;
};

} // namespace squall::transport
