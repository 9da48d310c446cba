#include "output/restart_checks.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/see.hpp"
#include "output/history_fields.hpp"
#include "output/location.hpp"
#include "output/restart_variables.hpp"
#include "physics/cumulus_scheme.hpp"
#include "physics/declared_state.hpp"
#include "physics/land_scheme.hpp"
#include "physics/sunlit_ground.hpp"
#include "physics/surface_layer_scheme.hpp"

namespace squall {

std::string names_of(const ScalarSet &scalars) {
    std::vector<std::string> names;
    for (const Scalar &s : scalars.all) names.push_back(s.name);
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, " "));
}

std::string suffix_of(const Config &config) {
    return config.identity.id == 1 ? "" : fmt::format("_d{:02}", config.identity.id);
}

std::string start_of(const Config &config) {
    return io::format_time({0, config.run.start}, "%Y-%m-%dT%H:%M:%S");
}

std::array<Identity, 3> identity(const Grid &grid) {
    return {{{"DX", "grid spacing west-east [m]", grid.dx},
             {"DY", "grid spacing south-north [m]", grid.dy},
             {"P_TOP", "pressure at the model top [Pa]", grid.vertical.p_top}}};
}

[[noreturn]] void refuse(const io::Reader &file, const std::string &what) {
    throw io::Error(
        see(fmt::format("{}: cannot continue from this restart file: {}", file.path(), what), "restart"));
}

namespace {

constexpr const char *soil = "TSLB";

bool convects(const Config &config) { return config.physics.cumulus != "none"; }
bool has_surface(const Config &config) { return config.physics.surface_layer != "none"; }
bool keeps_land_water(const Config &config) {
    return config.physics.land != "none" && land_scheme(config.physics.land).water;
}

void check_levels(const io::Reader &file, const std::string &suffix, const Grid &grid) {
    const std::string name = "ZNW" + suffix;
    if (!suffix.empty() && !file.has(name)) return; // of a version whose nests had their parents'
    std::vector<real> znw(grid.vertical.znw.size());
    file.read(name, file.frames() - 1, {{0}, {static_cast<std::int64_t>(znw.size())}}, znw.data());
    if (znw != grid.vertical.znw)
        refuse(file, fmt::format("its eta levels{} differ from those of the run file",
                                 suffix.empty() ? "" : " of domain " + suffix.substr(2)));
}

void check_domain(const io::Reader &file, const Config &config, const Patch &patch, const Grid &grid) {
    const std::string suffix = suffix_of(config);
    if (!file.has("MU" + suffix))
        refuse(file, fmt::format("it has no nest number {}, the run file's nest \"{}\"", config.identity.id,
                                 config.identity.name));
    for (const auto &d : domain_dimensions(patch.nx_domain, patch.ny_domain, patch.shape.nz))
        if (const auto size = file.size(d.name + suffix); size != d.size)
            refuse(file, fmt::format("it has {}{} = {}, but the run file asks for {}", d.name, suffix, size,
                                     d.size));
    check_levels(file, suffix, grid);
    if (!suffix.empty()) return; // all else is of the run
    for (const auto &id : identity(grid))
        if (const auto value = file.number(id.name); value != id.value)
            refuse(file, fmt::format("its {} is {}, but the run file's is {}", id.meaning, value, id.value));
    if (const auto start = file.text("START_DATE"); start != start_of(config))
        refuse(file, fmt::format("its run started at {}, but the run file says {}", start, start_of(config)));
}

void check_scalars(const io::Reader &file, const Config &config) {
    if (config.identity.id != 1) { // whose scheme of mixing may be its own
        for (const Scalar &scalar : scalars_of(config).all)
            if (!file.has(scalar.name + suffix_of(config)))
                refuse(file, fmt::format("it has no {} of domain {:02}, which the nest \"{}\" carries",
                                         scalar.name, config.identity.id, config.identity.name));
        return;
    }
    const std::string wanted = names_of(scalars_of(config));
    const std::string found = file.attribute("SCALARS") ? file.text("SCALARS") : "none";
    if (found != wanted)
        refuse(file, fmt::format("its transported variables are {}, but those of the run file are {}", found,
                                 wanted));
    const bool moist = integrates_moist_theta(config);
    if (!file.has(moist ? "THM" : "T"))
        refuse(file, fmt::format("it holds the potential temperature of {} air, but the run file has "
                                 "dynamics.moist_theta = {}",
                                 moist ? "dry" : "moist", config.dynamics.moist_theta));
}

void check_surface(const io::Reader &file, const Config &config) {
    if (has_surface(config) && !file.has("UST"))
        refuse(file, "the run that wrote it had no physics.surface_layer, but the run file has one");
    const int wanted = surface_state_of(config, {}).soil_layers;
    const auto found = file.has(soil) ? file.size("soil_layers_stag") : 0;
    if (found != wanted)
        refuse(file, fmt::format("it holds {} soil layers, but physics.land = \"{}\" has {}", found,
                                 config.physics.land, wanted));
    if (has_sea(config) && !file.has("DTW" + suffix_of(config)))
        refuse(file, "it holds no sea surface, which boundary.lower_file and physics.sea_skin need");
    if (config.physics.ocean != "none" && !file.has("HML" + suffix_of(config)))
        refuse(file,
               fmt::format("it holds no mixed layer of the ocean (HML), which physics.ocean = \"{}\" needs",
                           config.physics.ocean));
    if (config.physics.fractional_sea_ice && !file.has("TSK_SAVE" + suffix_of(config)))
        refuse(file, "it holds no ice of its own in cells partly under it, which physics.fractional_sea_ice "
                     "needs");
    if (has_surface(config) && surface_layer_scheme(config.physics.surface_layer).sublayer &&
        !file.has("AKHS" + suffix_of(config)))
        refuse(file,
               fmt::format("the physics.surface_layer of the run that wrote it carries no conductances, but "
                           "the run file's \"{}\" does",
                           config.physics.surface_layer));
    if (has_surface(config) && keeps_turbulence(config) && !file.has("QKE" + suffix_of(config)))
        refuse(file, fmt::format("it holds no turbulence (QKE), which physics.boundary_layer = \"{}\" needs",
                                 config.physics.boundary_layer));
    if (has_surface(config) && keeps_eddies(config) && !file.has("QSQ" + suffix_of(config)))
        refuse(file, fmt::format("it holds no variance of water (QSQ), which physics.boundary_layer = \"{}\" "
                                 "needs",
                                 config.physics.boundary_layer));
    if (config.physics.land != "none" && land_scheme(config.physics.land).canopy &&
        !file.has("TV" + suffix_of(config)))
        refuse(file,
               fmt::format("it holds no leaves and layers of snow (TV), which physics.land = \"{}\" needs",
                           config.physics.land));
    if (config.land.reads_leaf_area() && !file.has("LAI" + suffix_of(config)))
        refuse(file, "it holds no area of leaves (LAI), which land.leaf_area = \"file\" needs");
    if (config.land.has_groundwater() && !file.has("ZWT" + suffix_of(config)))
        refuse(file, "it holds no water table (ZWT), which land.runoff = \"groundwater\" needs");
    if (keeps_land_water(config) && !file.has("SH2O"))
        refuse(file, fmt::format("it holds no soil moisture, which physics.land = \"{}\" needs",
                                 config.physics.land));
}

void check_precision(const io::Reader &file) {
    if (file.field("MU").type == io::type_of<real>) return;
    refuse(file, sizeof(real) == 4 ? "it is in double precision, but this build computes in single"
                                   : "it is in single precision, but this build computes in double");
}

/// What columns' physics leaves from one step to the next.
void check_columns(const io::Reader &file, const Config &config) {
    const std::string suffix = suffix_of(config);
    if (convects(config) && !file.has("NCA" + suffix))
        refuse(file, fmt::format("the run that wrote it had no physics.cumulus, but the run file has \"{}\"",
                                 config.physics.cumulus));
    if (convects(config) && cumulus_scheme(config.physics.cumulus).moves_wind &&
        !file.has("RUCUTEN" + suffix))
        refuse(file, fmt::format("the physics.cumulus of the run that wrote it does not transport momentum, "
                                 "but the run file's \"{}\" does",
                                 config.physics.cumulus));
    if (config.physics.radiation != "none" && !file.has("RTHRATEN"))
        refuse(file, fmt::format("it has no radiation, but the run file has physics.radiation = {}",
                                 config.physics.radiation));
    if (SunlitGround::wanted(config.physics) && !file.has("SWNORM" + suffix))
        refuse(file, "the run that wrote it had level ground for sunlight, but the run file has "
                     "physics.slope_radiation or topographic_shading");
}

} // namespace

void check_restart(const io::Reader &file, const Config &config, const Patch &patch, const Grid &grid) {
    check_domain(file, config, patch, grid);
    check_scalars(file, config);
    check_surface(file, config);
    check_columns(file, config);
    check_precision(file);
}

} // namespace squall
