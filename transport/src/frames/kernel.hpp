/// Averaging kernels of satellites: how much of what is at a pressure their columns have.
#pragma once

#include <string>
#include <vector>

#include "settings/small_files.hpp"

namespace squall::transport {

class AveragingKernel {
  public:
    AveragingKernel() = default;
    /// Reads a table of comma-separated values with the columns `pressure` [Pa] and `kernel`, the pressures
    /// in either order. Throws ConfigError: the file, the line and what is wrong.
    AveragingKernel(const SmallFiles &files, const std::string &file);

    /// Linear in the logarithm of pressure [Pa]; beyond the table's ends it is what it is there.
    double at(double pressure) const;

  private:
    std::vector<double> logs_, values_; ///< of pressure, growing
};

} // namespace squall::transport
