// What has no kernels for graphics processors.
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "solver/solver.hpp"

namespace squall {
namespace {

std::string schemes_with_kernels() {
    std::string names;
    for (const auto &[name, scheme] : microphysics_schemes())
        if (scheme.launch) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    return names;
}

} // namespace

void Solver::refuse_what_has_no_kernels(bool has_nests) const {
    const std::pair<bool, std::string> all[] = {
        {microphysics_ && !microphysics_->has_kernel(),
         "a microphysics scheme other than " + schemes_with_kernels()},
        {tracers_.has_value(), "tracers with sources, sinks or physics"},
        {has_nests, "nests"},
        {nudging_.has_value(), "[nudging]"},
        {boundary_layer_.has_value(), "physics.boundary_layer or physics.surface_layer"},
        {radiation_.has_value(), "physics.radiation"},
        {convection_.has_value(), "physics.cumulus"},
        {gravity_waves_.has_value(), "physics.gravity_wave_drag"},
        {fire_.has_value(), "[fire]"},
        {initial_.forcing.on, "large-scale forcing"},
        {sea_.has_value(), "a sea surface that changes"},
        {grid_.nz > device::most_layers, "more than 128 layers"},
    };
    std::string found;
    for (const auto &[is_there, what] : all)
        if (is_there) found += fmt::format("{}{}", found.empty() ? "" : ", ", what);
    if (!found.empty())
        throw std::runtime_error(fmt::format("parallel.device = \"gpu\": this run has what runs on "
                                             "processors only: {}. Leave it out, or run on "
                                             "processors with --device cpu",
                                             found));
}

} // namespace squall
