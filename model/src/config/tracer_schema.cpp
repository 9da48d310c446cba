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
        "A passive tracer, with any name that is valid in files: it is transported and mixed like water "
        "vapour, and written to histories and restarts.",
        {
            {"initial",
             of_tracer(&T::initial),
             "uniform mixing ratio at the start [kg per kg of dry air]",
             {.min = 0, .max = 1e6},
             {},
             "the variable of this name in `initial.file`, otherwise `0`"},
            {"source",
             of_tracer(&T::source),
             "position of a point source: distance from the western and from the southern side, and height "
             "above ground; with `initial.file` of a real case also latitude, longitude and height",
             {.example = R"(["41 km", "41 km", "100 m"])"},
             {},
             "none"},
            {"rate",
             of_tracer(&T::rate),
             "emission rate of the source",
             {.unit = "kg/s", .min = 0, .above = true},
             {},
             "none; a source needs it"},
            {"start",
             of_tracer(&T::start),
             "start of the emission, after `run.start`",
             {.unit = "s", .min = 0}},
            {"end",
             of_tracer(&T::end),
             "end of the emission, after `run.start`",
             {.unit = "s", .min = 0, .above = true},
             {},
             "the end of the run"},
            {"smoke",
             of_tracer(&T::smoke),
             "mass given off by the fire into the lowest layer, per dry mass of fuel that burns",
             {.min = 0, .max = 1},
             {},
             "none"},
            {"half_life",
             of_tracer(&T::half_life),
             "half-life of the tracer",
             {.unit = "s", .min = 0, .above = true},
             {},
             "no decay"},
            {"convective_mixing",
             of_tracer(&T::convective_mixing),
             "let subgrid updraughts mix the tracer; `false` where the grid resolves updraughts",
             {}},
        }};
}

} // namespace squall
