#include "memory.hpp"

#include <fstream>
#include <string>

namespace squall::bench {
namespace {

/// A line of /proc/self/status [bytes].
std::int64_t status(const std::string &name) {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(name + ":")) return std::stoll(line.substr(name.size() + 1)) * 1024;
    return 0;
}

} // namespace

MemoryGrowth::MemoryGrowth() : start_(status("VmRSS")) {
    std::ofstream("/proc/self/clear_refs") << 5; // forgets the peak of the time before
}

std::int64_t MemoryGrowth::most() const { return status("VmHWM") - start_; }

} // namespace squall::bench
