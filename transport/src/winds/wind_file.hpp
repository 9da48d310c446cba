/// The file of winds and weather that `squall transport prepare` makes of analyses.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "globe/grid.hpp"
#include "squall/io.hpp"

namespace squall::transport {

/// Its variables, all of them over time.
enum class WindField : std::size_t {
    surface_pressure, // [Pa]
    potential_before, // of the corrections of mass [Pa m2 s-1]: see analysed.hpp
    potential_after,
    u, // [m s-1], at western faces; at southern faces
    v,
    temperature,
    humidity,
    boundary_layer,
    friction_velocity,
    sensible_heat,
    latent_heat,
    rain,
    convective_rain,
    land,
    frozen,
    updraught, // at interfaces
    downdraught
};
inline constexpr std::size_t wind_fields = 17;

/// What a file says of itself.
struct WindHeader {
    std::vector<double> times;    ///< of its records, after the time that was asked for [s]
    std::vector<double> lon, lat; ///< of cells [degrees]
    std::vector<double> a, b;     ///< of interfaces from the ground: p = a + b p_surface
    bool updraughts = false;      ///< whether it has convective mass fluxes
    std::string first, last;      ///< its first and its last time
    int layers() const { return static_cast<int>(a.size()) - 1; }
};

/// Reads what a file says of itself. `start`: a calendar time. Throws std::invalid_argument: a file that
/// cannot be opened, a variable that is missing or has other dimensions, another calendar, times that do not
/// increase.
WindHeader read_wind_header(const std::string &path, const std::string &start);

/// Throws std::invalid_argument for a file that is of another grid, in words.
void check_wind_grid(const WindHeader &header, const GlobeGrid &globe);

/// Throws std::invalid_argument for one of other levels.
void check_wind_levels(const WindHeader &header, const Levels &levels);

/// Throws std::invalid_argument where a run from 0 s to `end` finds no winds, or where its steps do not end
/// at the times of the winds.
void check_wind_times(const WindHeader &header, double end, double step);

/// How many times it has and how far they are apart: a file of one analysis too few is uneven.
std::string times_in_words(const WindHeader &header);

/// Fields of a record in the order of WindField, (j, k, i) with i fastest: of some rows all the way round, or
/// of a patch. Convective mass fluxes are empty where the file has none.
using WindValues = std::array<std::vector<double>, wind_fields>;

inline std::size_t index_of(WindField field) { return static_cast<std::size_t>(field); }

/// Layers of a field: 1 at the surface, nz, or nz + 1 at interfaces.
int layers_of(WindField field, int nz);

/// An open file. Its functions may be called by one thread at a time.
class WindFile {
  public:
    WindFile(const std::string &path, const WindHeader &header) : file_(path), header_(header) {}

    /// Rows first_row <= j < first_row + rows of a record. Throws std::runtime_error for what cannot be read,
    /// and for the first value that is not a number: which, when and where.
    WindValues read(std::size_t record, int first_row, int rows) const;

  private:
    void check(WindField field, std::size_t record, int first_row, const std::vector<double> &values) const;
    io::Reader file_;
    const WindHeader &header_;
};

} // namespace squall::transport
