#include "config/schema.hpp"

#include <algorithm>

#include "config/assimilation_schema.hpp"
#include "config/nest_schema.hpp"
#include "config/output_schema.hpp"
#include "config/physics_schema.hpp"
#include "config/prepare_schema.hpp"
#include "config/run_schema.hpp"
#include "config/tracer_schema.hpp"
#include "initial/initial.hpp"

namespace squall {
namespace {

std::function<Slot(Config &)> side(Boundary Boundaries::*member) {
    return slot_of(&Config::domain, &DomainConfig::boundaries, member);
}

constexpr auto for_case = Presence::required_for_case;

TableSchema domain_table() {
    using D = DomainConfig;
    const auto in = [](auto member) { return slot_of(&Config::domain, member); };
    return {"domain",
            "The grid. With `initial.file` the file says nx, ny, nz, dx and dy: they may be left out, and "
            "must agree where given.",
            {
                {"nx", in(&D::nx), "cells from west to east", {.min = 1, .max = 1e6}, for_case},
                {"ny",
                 in(&D::ny),
                 "cells from south to north; 1 for a two-dimensional run",
                 {.min = 1, .max = 1e6},
                 for_case},
                {"nz", in(&D::nz), "layers", {.min = 3, .max = 1e4}, for_case},
                {"dx",
                 in(&D::dx),
                 "grid spacing from west to east",
                 {.unit = "m", .min = 0, .above = true},
                 for_case},
                {"dy",
                 in(&D::dy),
                 "grid spacing from south to north",
                 {.unit = "m", .min = 0, .above = true},
                 {},
                 "dx"},
                {"boundary_west", side(&Boundaries::west), "how the western side is closed", {}},
                {"boundary_east",
                 side(&Boundaries::east),
                 "how the eastern side is closed; periodic only with the western",
                 {}},
                {"boundary_south", side(&Boundaries::south), "how the southern side is closed", {}},
                {"boundary_north",
                 side(&Boundaries::north),
                 "how the northern side is closed; periodic only with the southern",
                 {}},
            }};
}

TableSchema vertical_table() {
    using V = VerticalConfig;
    const auto in = [](auto member) { return slot_of(&Config::vertical, member); };
    return {
        "vertical",
        "The levels of a built-in case; `initial.file` brings its own.",
        {
            {"coordinate",
             in(&V::coordinate),
             "terrain-following all the way up (sigma), or turning into pressure levels aloft (hybrid)",
             {.choices = {"sigma", "hybrid"}}},
            {"etac",
             in(&V::etac),
             "eta above which hybrid levels are pressure levels",
             {.min = 0, .max = 1, .above = true, .below = true}},
            {"top", in(&V::top), "height of the model top", {.unit = "m", .min = 0, .above = true}, for_case},
            {"stretch",
             in(&V::stretch),
             "thickness of a layer over that of the layer below",
             {.min = 1, .max = 2}},
            {"eta",
             in(&V::eta),
             "nz + 1 interfaces, from 1 at the surface strictly down to 0 at the top, in place of `stretch`",
             {.min = 0, .max = 1},
             {},
             "from top and stretch"},
        }};
}

TableSchema dynamics_table() {
    using D = DynamicsConfig;
    const auto in = [](auto member) { return slot_of(&Config::dynamics, member); };
    return {
        "dynamics",
        "The equations and how they are solved.",
        {
            {"momentum_order_horizontal",
             in(&D::momentum_order_horizontal),
             "order of horizontal momentum advection",
             {.min = 2, .max = 6}},
            {"momentum_order_vertical",
             in(&D::momentum_order_vertical),
             "order of vertical momentum advection",
             {.min = 2, .max = 6}},
            {"scalar_order_horizontal",
             in(&D::scalar_order_horizontal),
             "order of horizontal advection of scalars",
             {.min = 2, .max = 6}},
            {"scalar_order_vertical",
             in(&D::scalar_order_vertical),
             "order of vertical advection of scalars",
             {.min = 2, .max = 6}},
            {"divergence_damping",
             in(&D::divergence_damping),
             "three-dimensional divergence damping (WRF's smdiv)",
             {.min = 0, .max = 1}},
            {"external_mode_filter",
             in(&D::external_mode_filter),
             "filter of the external mode (WRF's emdiv)",
             {.min = 0, .max = 1}},
            {"off_centring",
             in(&D::off_centring),
             "forward weight of the vertically implicit acoustic step (WRF's epssm)",
             {.min = 0, .max = 1}},
            {"top_lid", in(&D::top_lid), "rigid lid in place of a top at constant pressure", {}},
            {"w_damping", in(&D::w_damping), "damp w where its Courant number exceeds 1", {}},
            {"coriolis",
             in(&D::coriolis),
             "none, one parameter `f` everywhere, or that of `initial.file`",
             {.choices = {"none", "f-plane", "file"}}},
            {"f", in(&D::f), "Coriolis parameter of the f-plane", {.unit = "s-1", .min = -0.01, .max = 0.01}},
            {"hypsometric",
             in(&D::hypsometric),
             "geopotential from pressure: 1 linear in eta, 2 in the logarithm of pressure (WRF's "
             "hypsometric_opt)",
             {.min = 1, .max = 2},
             {},
             "what PHB of `initial.file` was made with; 2 for built-in cases"},
            {"moist_theta",
             in(&D::moist_theta),
             "moist runs integrate the potential temperature of moist air (WRF's use_theta_m)",
             {}},
            {"limiter",
             in(&D::limiter),
             "how the transport of water and tracers is kept from undershoots, or from all new extremes",
             {.choices = {"none", "positive-definite", "monotonic"}}},
        }};
}

TableSchema boundary_table() {
    using B = BoundaryConfig;
    const auto in = [](auto member) { return slot_of(&Config::boundary, member); };
    return {
        "boundary",
        "What the sides of a domain with specified boundaries follow. Naming `file` makes all four sides "
        "specified, unless `domain` says how they are closed; a real `initial.file` needs one or the other.",
        {
            {"file", in(&B::file), "a wrfbdy_d01 file, from the directory of the run file", {}, {}, "none"},
            {"specified_rows",
             in(&B::specified_rows),
             "outermost rows that follow the file, or a nest's parent (WRF's spec_zone)",
             {.min = 1, .max = 10}},
            {"relaxation_rows",
             in(&B::relaxation_rows),
             "rows inside them that are drawn towards it (WRF's relax_zone)",
             {.min = 1, .max = 50}},
            {"lower_file",
             in(&B::lower_file),
             "a wrflowinp_d01 file, from the directory of the run file: temperature and ice of the sea over "
             "time, linear between its analyses (WRF's sst_update, which holds each until the next)",
             {},
             {},
             "none: the sea stays as `initial.file` has it"},
        }};
}

TableSchema diffusion_table() {
    using D = DiffusionConfig;
    const auto in = [](auto member) { return slot_of(&Config::diffusion, member); };
    const Rule viscosity{.unit = "m2/s", .min = 0};
    return {
        "diffusion",
        "Mixing by eddies too small for the grid.",
        {
            {"scheme",
             in(&D::scheme),
             "how the eddy viscosity is found",
             {.choices = {"none", "constant", "smagorinsky-2d", "smagorinsky-3d", "tke"}}},
            {"surfaces",
             in(&D::surfaces),
             "mix along coordinate surfaces (WRF's diff_opt 1) or in physical space (2)",
             {.choices = {"coordinate", "physical"}}},
            {"horizontal", in(&D::horizontal), "horizontal viscosity of the constant scheme", viscosity},
            {"vertical", in(&D::vertical),
             "vertical viscosity of the constant scheme, and of any on coordinate surfaces (WRF's kvdif)",
             viscosity},
            {"c_s", in(&D::c_s), "Smagorinsky coefficient", {.min = 0, .max = 1}},
            {"c_k", in(&D::c_k), "coefficient of the TKE scheme", {.min = 0, .max = 1}},
            {"prandtl",
             in(&D::prandtl),
             "turbulent Prandtl number: viscosity over diffusivity of heat, water and tracers; in WRF always "
             "1/3",
             {.min = 0, .max = 10, .above = true}},
            {"mix_full_fields",
             in(&D::mix_full_fields),
             "mix whole fields vertically, not their departure from the base state",
             {}},
            {"sixth_order",
             in(&D::sixth_order),
             "a filter of noise of two grid lengths along coordinate surfaces, beside the scheme, Knievel, "
             "Bryan "
             "and Hacker (2007): plain, or monotonic, which lets nothing flow up a gradient (WRF's "
             "diff_6th_opt "
             "1, 2)",
             {.choices = {"none", "plain", "monotonic"}}},
            {"sixth_order_factor",
             in(&D::sixth_order_factor),
             "part of a wave of two grid lengths that the filter takes in two time steps (WRF's "
             "diff_6th_factor)",
             {.min = 0, .max = 1, .above = true}},
        }};
}

TableSchema damping_table() {
    using D = DampingConfig;
    const auto in = [](auto member) { return slot_of(&Config::damping, member); };
    return {"damping",
            "The sponge below the model top that keeps waves from coming back.",
            {
                {"scheme",
                 in(&D::scheme),
                 "relax all fields (rayleigh), or damp w inside the implicit acoustic step (implicit-w)",
                 {.choices = {"none", "rayleigh", "implicit-w"}}},
                {"depth", in(&D::depth), "depth of the sponge below the top", {.unit = "m", .min = 0}},
                {"coefficient", in(&D::coefficient), "damping rate at the top", {.unit = "s-1", .min = 0}},
            }};
}

TableSchema initial_table() {
    const auto in = [](auto member) { return slot_of(&Config::initial, member); };
    std::vector<std::string> case_names;
    for (const auto &[name, unused] : cases()) case_names.push_back(name);
    return {
        "initial",
        "Where the run starts: exactly one of `case` and `file`. The parameters of the case are keys of this "
        "table too.",
        {
            {"case", in(&InitialConfig::case_name), "a built-in case", {.choices = case_names}, {}, "none"},
            {"file",
             in(&InitialConfig::file),
             "a wrfinput_d01 file, from the directory of the run file",
             {},
             {},
             "none"},
            {"sounding",
             in(&InitialConfig::sounding),
             "a sounding as WRF's input_sounding, from the directory of the run file, in place of that of "
             "the cases supercell, squall-line and column",
             {},
             {},
             "none"},
            {"surface",
             in(&InitialConfig::surface),
             "a table, from the directory of the run file, of what the surface does over time in the cases "
             "column, stratocumulus and radiative-convective: hours after the start and temperature [K], or "
             "sensible_heat and latent_heat [W/m2]",
             {},
             {},
             "none"},
            {"geostrophic",
             in(&InitialConfig::geostrophic),
             "a table, likewise, of the geostrophic wind by height: height [m], u and v [m/s]; with hours "
             "before them, of each time",
             {},
             {},
             "none"},
            {"vertical_wind",
             in(&InitialConfig::vertical_wind),
             "where w starts from: the flow over the terrain, as WRF has it unless told otherwise, or W of "
             "`file` (WRF's use_input_w), of nests that of their files or their parent's; a W of zeros, as "
             "real.exe writes it, counts as none",
             {.choices = {"flow", "file"}}},
        }};
}

TableSchema parallel_table() {
    using P = ParallelConfig;
    const auto in = [](auto member) { return slot_of(&Config::parallel, member); };
    const Rule count{.min = 0, .max = 1e6};
    return {"parallel",
            "How the work is divided; the answer does not depend on it. 0 leaves the choice to the model.",
            {
                {"ranks_x", in(&P::ranks_x), "patches from west to east", count},
                {"ranks_y", in(&P::ranks_y), "patches from south to north", count},
                {"threads",
                 in(&P::threads),
                 "threads of each rank",
                 count,
                 {},
                 "0: OMP_NUM_THREADS, or the rank's share of the cores"},
                {"tile_x",
                 in(&P::tile_x),
                 "cells of a tile from west to east",
                 count,
                 {},
                 "0: sized for the L2 cache"},
                {"tile_y",
                 in(&P::tile_y),
                 "cells of a tile from south to north",
                 count,
                 {},
                 "0: sized for the L2 cache"},
            }};
}

} // namespace

const std::vector<TableSchema> &schema() {
    static const std::vector<TableSchema> tables{
        run_table(),      domain_table(),   vertical_table(),       dynamics_table(),  physics_table(),
        boundary_table(), nudging_table(),  digital_filter_table(), diffusion_table(), damping_table(),
        initial_table(),  parallel_table(), output_table(),         prepare_table()};
    return tables;
}

const TableSchema &stream_schema() {
    static const TableSchema table = stream_table();
    return table;
}

const TableSchema &tracer_schema() {
    static const TableSchema table = tracer_table();
    return table;
}

const TableSchema &nest_schema() {
    static const TableSchema table = nest_table();
    return table;
}

const std::vector<std::string> &stream_names() {
    static const std::vector<std::string> names{"history", "restart"};
    return names;
}

std::vector<Key> case_keys(const std::string &case_name) {
    std::vector<Key> keys;
    for (const CaseParameter &parameter : cases().at(case_name).parameters) {
        const auto slot = [key = parameter.key](Config &c) -> Slot { return &c.initial.parameters[key]; };
        keys.push_back({parameter.key, slot, parameter.meaning, {.unit = parameter.unit}});
    }
    return keys;
}

const std::vector<std::string> &boundary_names() {
    static const std::vector<std::string> names{"periodic", "symmetric", "open", "specified"};
    return names;
}

std::vector<std::string> names_of(const std::vector<Key> &keys) {
    std::vector<std::string> names;
    std::transform(keys.begin(), keys.end(), std::back_inserter(names),
                   [](const Key &key) { return key.name; });
    return names;
}

} // namespace squall
