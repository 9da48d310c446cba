/// Tables of numbers beside a run file: comma-separated, the first line names the columns, # begins a
/// comment.
#pragma once

#include <string>
#include <vector>

#include "grid/large_scale_forcing.hpp"
#include "settings/small_files.hpp"

namespace squall {

struct NumberTable {
    std::vector<std::string> names;
    std::vector<std::vector<double>> columns; ///< by name, all as long

    /// Empty where there is none of that name.
    const std::vector<double> &column(const std::string &name) const;
};

/// What is asked of the first column, which all have.
enum class FirstColumn { grows, does_not_fall, any };

/// Throws std::runtime_error: the file, the line and what is wrong.
NumberTable read_number_table(const SmallFiles &files, const std::string &file,
                              FirstColumn order = FirstColumn::grows);

/// Columns hours (after run.start), and temperature [K] or sensible_heat and latent_heat [W m-2]. Throws
/// likewise, also where the table ends before `duration` [s].
SurfaceSeries read_surface_series(const SmallFiles &files, const std::string &file, double duration);

/// The geostrophic wind by height.
struct WindProfile {
    std::vector<double> height, u, v; ///< [m], [m s-1]
};

/// At times after run.start, which grow.
struct WindProfiles {
    std::vector<double> seconds;
    std::vector<WindProfile> profiles; ///< of each time
};

/// Columns height, u and v: one for all times, of second 0. Or hours before them, with a profile for each
/// hour. Throws likewise, also where the table ends before `duration` [s].
WindProfiles read_wind_profiles(const SmallFiles &files, const std::string &file, double duration);

} // namespace squall
