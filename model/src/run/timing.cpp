#include "run/timing.hpp"

#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include "run/patch_memory.hpp"

namespace squall {
namespace {

std::string domains_as_json(const StepCosts &costs) {
    std::vector<std::string> domains;
    for (const DomainCost &d : costs.domains)
        domains.push_back(
            fmt::format("{{\"name\": \"{}\", \"steps\": {}, \"own\": {:.6f}, \"nesting\": {:.6f}}}", d.name,
                        d.steps, d.own, d.nesting));
    return fmt::format("[{}]", fmt::join(domains, ", "));
}

} // namespace

void write_timing(const std::string &file, const Timing &timing, const Domain &root, const StepCosts &costs,
                  int ranks) {
    std::ofstream out(file);
    out << fmt::format(
        "{{\"steps\": {}, \"seconds\": {:.6f}, \"cells\": {}, \"ranks\": {}, \"threads\": {}, "
        "\"array_bytes\": {}, \"stages\": {{\"dynamics\": {:.6f}, \"output\": {:.6f}}}, \"domains\": {}, "
        "\"each_step\": [{:.6f}], \"each_step_processor\": [{:.6f}]}}\n",
        timing.steps.size(), timing.computing, root.cells(), ranks, omp_get_max_threads(), allocated_bytes(),
        timing.computing, timing.writing + timing.finishing, domains_as_json(costs),
        fmt::join(timing.steps, ", "), fmt::join(timing.processor, ", "));
    if (!out.flush()) throw std::runtime_error("cannot write the timing to " + file);
}

} // namespace squall
