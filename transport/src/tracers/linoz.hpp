/// Linearised chemistry of stratospheric ozone.
///
/// McLinden, C. A., S. C. Olsen, B. Hannegan, O. Wild, M. J. Prather and J. Sundet (2000): Stratospheric
/// ozone in 3-D models: A simple chemistry and the cross-tropopause flux. J. Geophys. Res. 105, 14653-14665,
/// equation 1: df/dt = (P - L) + d(P - L)/df (f - f0) + d(P - L)/dT (T - T0) + d(P - L)/dc (c - c0), for
/// ozone's mixing ratio f, the temperature T and the column of ozone above, c.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <mpi.h>

#include "settings/calendar.hpp"
#include "tracers/process.hpp"

namespace squall::transport {

/// At a place: the climatology, what ozone is made there by itself, and how that changes with each.
struct LinozPoint {
    double ozone;          ///< f0 [mol mol-1]
    double temperature;    ///< T0 [K]
    double column;         ///< c0 [DU]
    double production;     ///< P - L [s-1]: mol mol-1 in a second
    double by_ozone;       ///< d(P - L)/df [s-1], below 0
    double by_temperature; ///< [s-1 K-1]
    double by_column;      ///< [s-1 DU-1]
};

/// The mixing ratio to which ozone goes, and exp(-step / lifetime) of what it is away from it stays.
struct LinozBalance {
    double ozone, lifetime; ///< [mol mol-1], [s]
};
LinozBalance balance_of(const LinozPoint &point, double temperature, double column);

/// The coefficients: months, latitudes from south to north, pressures from the ground upwards.
class LinozTable {
  public:
    /// Reads a netCDF file with the dimensions (month, lat, lev), lat in degrees_north, lev in Pa or hPa, and
    /// the variables ozone, temperature, column, production, production_by_ozone, production_by_temperature
    /// and production_by_column. One rank reads. Collective; throws AgreedError: what is missing or cannot
    /// be.
    LinozTable(const std::string &path, MPI_Comm comm);

    /// Linear in latitude [degrees] and in the logarithm of pressure [Pa]; beyond the table's ends its ends.
    LinozPoint at(int month, double lat, double pressure) const; ///< month: 0 to 11
    double lowest() const { return pressure_.front(); }          ///< pressure at which the table begins [Pa]

  private:
    static constexpr std::size_t variables = 7;
    void read(const std::string &path);
    void check() const;
    std::vector<double> lat_, pressure_, heights_; ///< heights_: -log(pressure)
    std::array<std::vector<double>, variables> values_;
};

/// Ozone of a tracer by moles relaxes to its balance where the table has pressures; below them it stays. The
/// column above has half of the layer's own ozone.
class Linoz : public ColumnProcess {
  public:
    Linoz(LinozTable table, const std::string &start) : table_(std::move(table)), start_(parse_time(start)) {}
    void apply(const TracerRow &row, double begin, double step) const override;

  private:
    LinozTable table_;
    CalendarTime start_;
};

} // namespace squall::transport
