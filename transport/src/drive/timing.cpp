#include "drive/timing.hpp"

#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

namespace squall::transport {

namespace {

std::string in_json(const WindCosts &winds) {
    return fmt::format(R"(, "winds": {{"records": {}, "reading": {:.6f}, "waiting": {:.6f}, )"
                       R"("scattering": {:.6f}, "messages": {}, "bytes": {}}})",
                       winds.records, winds.reading, winds.waiting, winds.scattering, winds.sent.messages,
                       winds.sent.bytes);
}

} // namespace

void write_timing(const std::string &file, const Timing &timing, const Settings &settings, int ranks) {
    const double cells = static_cast<double>(settings.grid.nlon) * settings.grid.nlat * settings.levels.nz;
    std::ofstream out(file);
    out << fmt::format(
        "{{\"cells\": {:.0f}, \"tracers\": {}, \"ranks\": {}, \"threads\": {}, \"starting\": {:.6f}, "
        "\"finishing\": {:.6f}, \"each_step\": [{:.6f}], \"each_step_processor\": [{:.6f}]{}}}\n",
        cells, settings.tracers.size(), ranks, omp_get_max_threads(), timing.starting, timing.finishing,
        fmt::join(timing.steps, ", "), fmt::join(timing.processor, ", "),
        timing.winds ? in_json(*timing.winds) : "");
    if (!out.flush()) throw std::runtime_error("cannot write the timing to " + file);
}

} // namespace squall::transport
