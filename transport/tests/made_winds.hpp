/// A file of winds whose columns are known to be balanced, made without squall transport prepare.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "globe/grid.hpp"

namespace squall::transport {

/// Records at some hours from 2000-01-01 on. Winds have no mass in all of a column, so that the
/// potentials alone make the surface pressure change: in each interval by another one.
class MadeWinds {
  public:
    explicit MadeWinds(std::vector<double> hours = {0, 3, 6});

    /// Changes what is written of a variable: (record, values). A variable that is left out is "".
    std::function<void(const std::string &, int, std::vector<double> &)> change;
    std::string without;
    std::string calendar = "proleptic_gregorian";
    const std::vector<double> times; ///< [h]

    /// By rank 0 alone, into a folder of its own; the path. Collective.
    std::string write() const;

    const GlobeGrid &globe() const { return globe_; }
    /// Of all cells (j, i) [Pa].
    const std::vector<double> &surface(int record) const {
        return surface_[static_cast<std::size_t>(record)];
    }
    /// A run file with these winds.
    std::string run_file(const std::string &path, const std::string &more = "") const;

  private:
    std::vector<double> values_of(const std::string &name, int record) const;
    std::vector<double> potential(int interval) const;
    std::vector<double> convergence(const std::vector<double> &potential) const;
    std::vector<double> wind(int record, bool eastward) const;

    GlobeGrid globe_;
    Levels levels_;
    std::vector<std::vector<double>> surface_;
};

} // namespace squall::transport
