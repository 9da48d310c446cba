#include "run/step_costs.hpp"

#include <fmt/format.h>

namespace squall {

double StepCosts::own() const {
    double sum = 0;
    for (const DomainCost &d : domains) sum += d.own;
    return sum;
}

double StepCosts::nesting() const {
    double sum = 0;
    for (const DomainCost &d : domains) sum += d.nesting;
    return sum;
}

std::string format_step_costs(const StepCosts &costs) {
    if (costs.domains.size() < 2) return "";
    std::string text = "steps:";
    for (const DomainCost &d : costs.domains)
        text += fmt::format(" {} {:.3g} s,", d.name.empty() ? "outermost domain" : d.name, d.own);
    return text + fmt::format(" between domains {:.3g} s ({:.1f} % of these)\n", costs.nesting(),
                              100 * (costs.ratio() - 1));
}

} // namespace squall
