/// Which cells count, as run files say it: "land", "sea", "basin = 3", "basin in basins.nc".
#pragma once

#include <cmath>
#include <optional>
#include <string>

namespace squall {

struct CellChoice {
    std::string field;           ///< a plane of cells in a file
    std::optional<double> value; ///< of the cells that count; without it all where the field is not 0
    bool others = false;         ///< those that the field says do not count
    std::string file;            ///< seen from the run file; empty: the initial file

    /// Of cells without a value nothing counts.
    bool counts(double x) const { return !std::isnan(x) && (value ? x == *value : (x != 0) != others); }
};

/// Nothing: the words do not say that. "land" and "sea" are of LANDMASK.
std::optional<CellChoice> cell_choice(const std::string &words);

/// Where a run file's choice has its field: `initial_file`, or a path beside the run file.
std::string file_of(const CellChoice &choice, const std::string &run_file, const std::string &initial_file);

} // namespace squall
