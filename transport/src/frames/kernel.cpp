#include "frames/kernel.hpp"

#include <algorithm>
#include <cmath>

#include "settings/text_table.hpp"

namespace squall::transport {

AveragingKernel::AveragingKernel(const SmallFiles &files, const std::string &file) {
    TextTable table(files, file, "averaging kernels");
    table.require({"pressure", "kernel"});
    while (table.next()) {
        const double pressure = table.number("pressure");
        if (!(pressure > 0)) table.refuse("a pressure must be above 0 Pa");
        logs_.push_back(std::log(pressure)), values_.push_back(table.number("kernel"));
        const std::size_t n = logs_.size();
        if (n > 1 && (logs_[n - 1] == logs_[n - 2] ||
                      (n > 2 && (logs_[n - 1] > logs_[n - 2]) != (logs_[1] > logs_[0]))))
            table.refuse("pressures must all grow or all fall");
    }
    if (logs_.empty()) table.refuse("the table has no kernel");
    if (logs_.back() < logs_.front()) std::ranges::reverse(logs_), std::ranges::reverse(values_);
}

double AveragingKernel::at(double pressure) const {
    const double where = std::log(pressure);
    const auto above = static_cast<std::size_t>(std::ranges::upper_bound(logs_, where) - logs_.begin());
    if (above == 0) return values_.front();
    if (above == logs_.size()) return values_.back();
    const double share = (where - logs_[above - 1]) / (logs_[above] - logs_[above - 1]);
    return (1 - share) * values_[above - 1] + share * values_[above];
}

} // namespace squall::transport
