#include "config/tracer_schema.hpp"

namespace squall {
namespace {

/// The slot of a member of the tracer that is being read.
template <class T> std::function<Slot(Config &)> of_tracer(T TracerConfig::*member) {
    return [=](Config &config) -> Slot { return &(config.tracers.back().*member); };
}

} // namespace

TableSchema tracer_table() {
    using T = TracerConfig;
    return {
        "tracer.<name>",
        "Something that the air carries, of any name that files can use: it is transported and mixed like "
        "water, and is part of histories and restarts.",
        {
            {"initial",
             of_tracer(&T::initial),
             "mixing ratio at the start, everywhere [kg per kg of dry air]",
             {.min = 0, .max = 1e6},
             {},
             "the variable of this name in `initial.file`, else `0`"},
            {"source",
             of_tracer(&T::source),
             "a point that gives off the tracer: distance from the western and from the southern side, and "
             "height above ground; with `initial.file` of a real case also latitude, longitude and height",
             {.example = R"(["41 km", "41 km", "100 m"])"},
             {},
             "none"},
            {"rate",
             of_tracer(&T::rate),
             "what the source gives off",
             {.unit = "kg/s", .min = 0, .above = true},
             {},
             "none; a source needs it"},
            {"start", of_tracer(&T::start), "of the source, from `run.start`", {.unit = "s", .min = 0}},
            {"end",
             of_tracer(&T::end),
             "of the source, from `run.start`",
             {.unit = "s", .min = 0, .above = true},
             {},
             "that of the run"},
            {"half_life",
             of_tracer(&T::half_life),
             "time in which half of the tracer decays",
             {.unit = "s", .min = 0, .above = true},
             {},
             "no decay"},
            {"convective_mixing",
             of_tracer(&T::convective_mixing),
             "mixed by updraughts too small for the grid; leave it out where the grid resolves them",
             {}},
        }};
}

} // namespace squall
