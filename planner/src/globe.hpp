/// A run of squall-transport in the planner's terms: its patches, the messages of a step, its frames.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frame_plan.hpp"
#include "reports.hpp"
#include "runfile/settings.hpp"

namespace squall::planner {

/// Reads a run file of squall-transport. Throws ConfigError. Needs MPI initialised, as what follows does.
transport::Settings read_globe(const std::string &file, const std::vector<std::string> &overrides);

/// The settings that both models have, with a domain that has the globe's cells and is cut as the globe is.
Config domain_of(const transport::Settings &settings);

/// A step, of which a tracer in a cell takes `seconds` of the calibration's core. The transport is asked how
/// far the wind reaches: it takes a step of the air alone, on one rank. Throws as it does.
StepPlan plan_globe_step(const World &world, const transport::Settings &settings, double seconds);

/// A stream's frames. `made`: the means or the stations that it has in place of the fields, of those with
/// layers; they are there before the frame is written.
struct GlobeStream {
    StreamConfig settings;
    FramePlan frame;
    std::optional<ReportPlan> made;
};
std::vector<GlobeStream> plan_globe_streams(const World &world, const transport::Settings &settings, Way way,
                                            int aggregators_per_node);

/// Bytes of air, tracers and winds of the rank with most.
double globe_memory(const World &world, const transport::Settings &settings);

} // namespace squall::planner
