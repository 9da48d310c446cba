#include "run/timing.hpp"

#include <algorithm>
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

std::string ranks_as_json(const std::vector<RankSteps> &ranks) {
    std::vector<std::string> all;
    for (const auto &r : ranks)
        all.push_back(fmt::format("{{\"stepping\": [{:.6f}], \"output\": [{:.6f}], \"others\": [{:.6f}]}}",
                                  fmt::join(r.stepping, ", "), fmt::join(r.output, ", "),
                                  fmt::join(r.others, ", ")));
    return fmt::format("[{}]", fmt::join(all, ", "));
}

} // namespace

std::vector<RankSteps> steps_of_ranks(const Timing &timing, MPI_Comm comm) {
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    std::vector<double> others;
    for (std::size_t n = 0; n < timing.processor.size(); ++n)
        others.push_back(std::max(timing.processor[n] - timing.stepping[n], 0.0));
    std::vector<RankSteps> all(rank == 0 ? static_cast<std::size_t>(size) : 0);
    const auto gather = [&](const std::vector<double> &mine, std::vector<double> RankSteps::*which) {
        std::vector<double> gathered(mine.size() * all.size());
        const int n = static_cast<int>(mine.size());
        MPI_Gather(mine.data(), n, MPI_DOUBLE, gathered.data(), n, MPI_DOUBLE, 0, comm);
        for (std::size_t r = 0; r < all.size(); ++r)
            (all[r].*which).assign(&gathered[r * mine.size()], &gathered[r * mine.size()] + n);
    };
    gather(timing.stepping, &RankSteps::stepping);
    gather(timing.output, &RankSteps::output);
    gather(others, &RankSteps::others);
    return all;
}

void write_timing(const std::string &file, const Timing &timing, const std::vector<RankSteps> &ranks,
                  const Domain &root, const StepCosts &costs) {
    std::ofstream out(file);
    out << fmt::format(
        "{{\"steps\": {}, \"seconds\": {:.6f}, \"cells\": {}, \"ranks\": {}, \"threads\": {}, "
        "\"array_bytes\": {}, \"stages\": {{\"dynamics\": {:.6f}, \"output\": {:.6f}}}, \"domains\": {}, "
        "\"each_step\": [{:.6f}], \"each_step_processor\": [{:.6f}], \"each_rank\": {}}}\n",
        timing.steps.size(), timing.computing, root.cells(), ranks.size(), omp_get_max_threads(),
        allocated_bytes(), timing.computing, timing.writing + timing.finishing, domains_as_json(costs),
        fmt::join(timing.steps, ", "), fmt::join(timing.processor, ", "), ranks_as_json(ranks));
    if (!out.flush()) throw std::runtime_error("cannot write the timing to " + file);
}

} // namespace squall
