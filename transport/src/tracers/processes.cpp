#include "tracers/processes.hpp"

#include <algorithm>
#include <optional>

#include "globe/rows.hpp"
#include "tracers/emissions.hpp"
#include "tracers/linoz.hpp"
#include "tracers/releases.hpp"
#include "tracers/settling.hpp"
#include "tracers/sinks.hpp"

namespace squall::transport {
namespace {

EmissionFile emission_file(const SourceSettings &s, const RunSpan &span) {
    return {s.emission_file, s.emission_variable, span.start, span.duration};
}

} // namespace

void check_source_files(const SourceSettings &s, const RunSpan &span, MPI_Comm comm) {
    if (!s.emission_file.empty()) check_emissions(emission_file(s, span), comm);
    if (!s.linoz.empty()) LinozTable(s.linoz, comm);
}

void ColumnProcesses::add_tracer(const SourceSettings &s, const PatchOfGlobe &where, const RunSpan &span,
                                 MPI_Comm comm) {
    List &in = sources_.emplace_back(), &out = sinks_.emplace_back();
    emits_ |= s.emission > 0 || !s.emission_file.empty();
    if (s.emission > 0) in.push_back(std::make_unique<GroundEmission>(s));
    if (!s.emission_file.empty())
        in.push_back(std::make_unique<MappedEmission>(read_emissions(emission_file(s, span), where, comm)));
    if (s.eruption_mass > 0) in.push_back(std::make_unique<Release>(eruption_of(s), where));
    for (const ReleaseSettings &release : s.releases) in.push_back(std::make_unique<Release>(release, where));
    if (s.particle_diameter > 0) out.push_back(std::make_unique<Settling>(s, positive_));
    if (std::max({s.deposition_velocity, s.deposition_velocity_land, s.deposition_velocity_sea}) > 0)
        out.push_back(std::make_unique<DryDeposition>(s));
    if (s.any_rain()) out.push_back(std::make_unique<Washout>(s));
    if (s.lifetime > 0) out.push_back(std::make_unique<Decay>(s));
    if (!s.linoz.empty()) out.push_back(std::make_unique<Linoz>(LinozTable(s.linoz, comm), span.start));
    if (s.clock) out.push_back(std::make_unique<AgeOfAir>());
}

void ColumnProcesses::apply(Block &block, const PatchOfGlobe &where, const Weather &weather, double begin,
                            double step) const {
    const auto any = [](const List &list) { return !list.empty(); };
    if (!mixes_ && std::ranges::none_of(sources_, any) && std::ranges::none_of(sinks_, any)) return;
    for_each_row(block.shape().ny, [&](int j) {
        const ColumnAir air(block, weather, where, j);
        std::optional<BoundaryLayer> boundary_layer;
        if (boundary_layer_) boundary_layer.emplace(air, weather, j, emits_);
        const BoundaryLayer *eddies = boundary_layer ? &*boundary_layer : nullptr;
        const auto apply_all = [&](const std::vector<List> &of_tracers) {
            for (int t = 0; t < static_cast<int>(of_tracers.size()); ++t)
                for (const auto &process : of_tracers[static_cast<std::size_t>(t)])
                    process->apply({block, where, weather, air, scheme_, t, j, eddies}, begin, step);
        };
        apply_all(sources_);
        if (mixes_) mixing_.apply(block, air, weather, eddies, j, step);
        apply_all(sinks_);
    });
}

} // namespace squall::transport
