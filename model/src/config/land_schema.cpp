#include "config/land_schema.hpp"

#include <fmt/format.h>

#include "physics/land_scheme.hpp"

namespace squall {

TableSchema land_table() {
    using L = LandConfig;
    const auto in = [](auto member) { return slot_of(&Config::land, member); };
    return {
        "land",
        "How the land surface computes its processes, with `physics.land = \"noah-mp\"`.",
        {
            {"leaf_area",
             in(&L::leaf_area),
             "area of leaves: by class and month as in MPTABLE.TBL (table), or LAI of `initial.file` by "
             "WRF's real.exe and, where it has that too, of `boundary.lower_file`, with a tenth of it for "
             "stems (file)",
             {.choices = {"table", "file"}}},
            {"leaf_cover",
             in(&L::leaf_cover),
             "fraction of the ground under leaves: the year's maximum SHDMAX (most), VEGFRA (season), or "
             "what leaves and stems of their area cover, Niu et al. (2011) (leaf-area)",
             {.choices = {"most", "season", "leaf-area"}}},
            {"water_stress",
             in(&L::water_stress),
             "what closes stomata in dry soil: its moisture between wilting point and reference, as in "
             "Noah (moisture), or the potential of its water, Oleson et al. (2004) (potential) or Xue et al. "
             "(1991) (ssib) (WRF's opt_btr 1, 2, 3)",
             {.choices = {"moisture", "potential", "ssib"}}},
            {"runoff",
             in(&L::runoff),
             "runoff: infiltration by Schaake et al. (1996) over soil that drains freely (free-drainage), "
             "or by the saturated fraction of the ground over an aquifer with a water table, Niu et al. "
             "(2007) (groundwater) (WRF's opt_run 3, 1)",
             {.choices = {"free-drainage", "groundwater"}}},
            {"frozen_soil",
             in(&L::frozen_soil),
             "how water moves in frozen soil: in the fraction that ice leaves open, Niu and Yang (2006) "
             "(niu-yang), or the liquid part everywhere, Koren et al. (1999) (koren) (WRF's opt_inf 1, 2)",
             {.choices = {"niu-yang", "koren"}}},
            {"snowfall",
             in(&L::snowfall),
             "precipitation that reaches the land as snow: a share that grows from 2.5 to 0.5 degrees "
             "Celsius, Jordan (1991) (jordan), all below 2.2 degrees (bats), or all below 0 degrees "
             "(freezing) (WRF's opt_snf 1, 2, 3)",
             {.choices = {"jordan", "bats", "freezing"}}},
        }};
}

void check_land(Reading &r) {
    const std::string &land = r.config.physics.land;
    if (!r.has("land") || (land != "none" && land_scheme(land).canopy)) return;
    r.problems.add(
        r.place("land"),
        fmt::format("[land] has no effect with physics.land = \"{}\"; set land = \"noah-mp\"", land));
}

} // namespace squall
