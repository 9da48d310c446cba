#include "config/schema.hpp"

#include <algorithm>

#include "config/assimilation_schema.hpp"
#include "config/fire_schema.hpp"
#include "config/land_schema.hpp"
#include "config/nest_schema.hpp"
#include "config/output_schema.hpp"
#include "config/physics_schema.hpp"
#include "config/prepare_schema.hpp"
#include "config/run_schema.hpp"
#include "config/tracer_schema.hpp"
#include "config/wind_farm_schema.hpp"
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
            "The grid. `initial.file` sets nx, ny, nz, dx and dy: they can be left out, and must agree where "
            "given.",
            {
                {"nx", in(&D::nx), "cells from west to east", {.min = 1, .max = 1e6}, for_case},
                {"ny",
                 in(&D::ny),
                 "cells from south to north; 1 for a two-dimensional run",
                 {.min = 1, .max = 1e6},
                 for_case},
                {"nz", in(&D::nz), "layers", {.min = 3, .max = 1e4}, for_case},
                {"dx", in(&D::dx), "grid spacing in x", {.unit = "m", .min = 0, .above = true}, for_case},
                {"dy", in(&D::dy), "grid spacing in y", {.unit = "m", .min = 0, .above = true}, {}, "dx"},
                {"boundary_west", side(&Boundaries::west), "boundary condition on the western side", {}},
                {"boundary_east",
                 side(&Boundaries::east),
                 "boundary condition on the eastern side; periodic only if the western is",
                 {}},
                {"boundary_south", side(&Boundaries::south), "boundary condition on the southern side", {}},
                {"boundary_north",
                 side(&Boundaries::north),
                 "boundary condition on the northern side; periodic only if the southern is",
                 {}},
            }};
}

TableSchema vertical_table() {
    using V = VerticalConfig;
    const auto in = [](auto member) { return slot_of(&Config::vertical, member); };
    return {
        "vertical",
        "The levels of a built-in case; `initial.file` has its own.",
        {
            {"coordinate",
             in(&V::coordinate),
             "vertical coordinate: terrain-following throughout (sigma), or with pressure levels aloft "
             "(hybrid)",
             {.choices = {"sigma", "hybrid"}}},
            {"etac",
             in(&V::etac),
             "eta above which hybrid levels are pressure levels",
             {.min = 0, .max = 1, .above = true, .below = true}},
            {"top", in(&V::top), "height of the model top", {.unit = "m", .min = 0, .above = true}, for_case},
            {"stretch",
             in(&V::stretch),
             "ratio of the thickness of a layer to that of the layer below",
             {.min = 1, .max = 2}},
            {"eta",
             in(&V::eta),
             "nz + 1 interfaces, strictly decreasing from 1 at the surface to 0 at the top, in place of "
             "`stretch`",
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
        "The equations and their numerical solution.",
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
             "coefficient of three-dimensional divergence damping (WRF's smdiv)",
             {.min = 0, .max = 1}},
            {"external_mode_filter",
             in(&D::external_mode_filter),
             "coefficient of external-mode damping (WRF's emdiv)",
             {.min = 0, .max = 1}},
            {"off_centring",
             in(&D::off_centring),
             "forward weighting of the vertically implicit acoustic step (WRF's epssm)",
             {.min = 0, .max = 1}},
            {"top_lid", in(&D::top_lid), "rigid lid in place of a top at constant pressure", {}},
            {"w_damping", in(&D::w_damping), "damp w where its Courant number exceeds 1", {}},
            {"coriolis",
             in(&D::coriolis),
             "Coriolis parameter: none, the constant `f`, or that of `initial.file`, for the whole wind or "
             "(WRF's "
             "pert_coriolis) its departure from that file's base profile",
             {.choices = {"none", "f-plane", "file", "file-departure"}}},
            {"f", in(&D::f), "Coriolis parameter of the f-plane", {.unit = "s-1", .min = -0.01, .max = 0.01}},
            {"hypsometric",
             in(&D::hypsometric),
             "hydrostatic integration for geopotential: 1 linear in eta, 2 in the logarithm of pressure "
             "(WRF's hypsometric_opt)",
             {.min = 1, .max = 2},
             {},
             "that of PHB in `initial.file`; 2 for built-in cases"},
            {"moist_theta",
             in(&D::moist_theta),
             "use the potential temperature of moist air as prognostic variable in moist runs (WRF's "
             "use_theta_m)",
             {}},
            {"limiter",
             in(&D::limiter),
             "limiter of the transport of water and tracers: positive-definite, or monotonic",
             {.choices = {"none", "positive-definite", "monotonic"}}},
        }};
}

TableSchema boundary_table() {
    using B = BoundaryConfig;
    const auto in = [](auto member) { return slot_of(&Config::boundary, member); };
    return {
        "boundary",
        "Specified boundaries. Setting `file` makes all four sides specified, unless `domain` sets their "
        "boundary conditions; a real `initial.file` needs one or the other.",
        {
            {"file", in(&B::file), "wrfbdy_d01 file, relative to the run file", {}, {}, "none"},
            {"specified_rows",
             in(&B::specified_rows),
             "outermost rows that take the values of the file, or of a nest's parent (WRF's spec_zone)",
             {.min = 1, .max = 10}},
            {"relaxation_rows",
             in(&B::relaxation_rows),
             "rows inside the specified rows that are relaxed to these values (WRF's relax_zone)",
             {.min = 1, .max = 50}},
            {"relaxation_decay",
             in(&B::relaxation_decay),
             "how the relaxation falls inwards beside its linear decrease: by a factor of e to the power of "
             "this from row to row (WRF's spec_exp)",
             {.min = 0, .max = 10}},
            {"lower_file",
             in(&B::lower_file),
             "wrflowinp_d01 file, relative to the run file: sea-surface temperature, sea ice and, where it "
             "has them, VEGFRA and LAI of land over time, interpolated linearly between its times (WRF's "
             "sst_update holds each until the next)",
             {},
             {},
             "none: the sea stays as in `initial.file`"},
        }};
}

TableSchema diffusion_table() {
    using D = DiffusionConfig;
    const auto in = [](auto member) { return slot_of(&Config::diffusion, member); };
    const Rule viscosity{.unit = "m2/s", .min = 0};
    return {"diffusion",
            "Mixing by eddies too small for the grid.",
            {
                {"scheme",
                 in(&D::scheme),
                 "scheme for the eddy viscosity; beside a boundary layer scheme that mixes columns, "
                 "`smagorinsky-3d` and `tke` mix "
                 "horizontally only",
                 {.choices = {"none", "constant", "smagorinsky-2d", "smagorinsky-3d", "tke"}}},
                {"surfaces",
                 in(&D::surfaces),
                 "mix along coordinate surfaces (WRF's diff_opt 1) or in physical space (2)",
                 {.choices = {"coordinate", "physical"}}},
                {"horizontal", in(&D::horizontal), "horizontal viscosity of the constant scheme", viscosity},
                {"vertical", in(&D::vertical),
                 "vertical viscosity of the constant scheme, and of any scheme on coordinate surfaces (WRF's "
                 "kvdif)",
                 viscosity},
                {"c_s", in(&D::c_s), "Smagorinsky coefficient", {.min = 0, .max = 1}},
                {"c_k", in(&D::c_k), "coefficient of the TKE scheme", {.min = 0, .max = 1}},
                {"prandtl",
                 in(&D::prandtl),
                 "turbulent Prandtl number, the ratio of viscosity to the diffusivity of heat, water and "
                 "tracers; always 1/3 in WRF",
                 {.min = 0, .max = 10, .above = true}},
                {"mix_full_fields",
                 in(&D::mix_full_fields),
                 "mix full fields vertically, instead of departures from the base state",
                 {}},
                {"sixth_order",
                 in(&D::sixth_order),
                 "sixth-order filter of two-grid-length noise along coordinate surfaces, in addition to the "
                 "scheme, Knievel, Bryan and Hacker (2007): plain, or monotonic, which allows no up-gradient "
                 "flux (WRF's diff_6th_opt 1, 2)",
                 {.choices = {"none", "plain", "monotonic"}}},
                {"sixth_order_factor",
                 in(&D::sixth_order_factor),
                 "fraction of a two-grid-length wave that the filter removes in two time steps (WRF's "
                 "diff_6th_factor)",
                 {.min = 0, .max = 1, .above = true}},
            }};
}

TableSchema damping_table() {
    using D = DampingConfig;
    const auto in = [](auto member) { return slot_of(&Config::damping, member); };
    return {"damping",
            "The sponge layer below the model top, which keeps waves from reflecting.",
            {
                {"scheme",
                 in(&D::scheme),
                 "damping scheme: Rayleigh relaxation of all fields (rayleigh), damping of w in the "
                 "implicit acoustic step (implicit-w), or more mixing by [diffusion] (diffusion)",
                 {.choices = {"none", "rayleigh", "implicit-w", "diffusion"}}},
                {"depth", in(&D::depth), "depth of the sponge below the top", {.unit = "m", .min = 0}},
                {"coefficient", in(&D::coefficient), "damping rate at the top", {.unit = "s-1", .min = 0}},
                {"diffusion_number",
                 in(&D::diffusion_number),
                 "of the scheme diffusion: viscosity at the top, times the time step, over the square of the "
                 "grid spacing (WRF's dampcoef)",
                 {.min = 0, .max = 0.25}},
            }};
}

TableSchema initial_table() {
    const auto in = [](auto member) { return slot_of(&Config::initial, member); };
    std::vector<std::string> case_names;
    for (const auto &[name, unused] : cases()) case_names.push_back(name);
    return {
        "initial",
        "The initial state: exactly one of `case` and `file`. The parameters of the case are keys of this "
        "table too.",
        {
            {"case", in(&InitialConfig::case_name), "built-in case", {.choices = case_names}, {}, "none"},
            {"file", in(&InitialConfig::file), "wrfinput_d01 file, relative to the run file", {}, {}, "none"},
            {"sounding",
             in(&InitialConfig::sounding),
             "sounding in the format of WRF's input_sounding, relative to the run file, in place of the one "
             "built into the cases supercell, squall-line and column",
             {},
             {},
             "none"},
            {"surface",
             in(&InitialConfig::surface),
             "table of the surface over time for the cases column, stratocumulus and radiative-convective, "
             "relative to the run file: hours after the start and temperature [K], or sensible_heat and "
             "latent_heat [W/m2]",
             {},
             {},
             "none"},
            {"geostrophic",
             in(&InitialConfig::geostrophic),
             "table of the geostrophic wind by height for the cases column, stratocumulus and "
             "radiative-convective, relative to the run file: height "
             "[m], u and v [m/s]; with hours in front, a profile for each time",
             {},
             {},
             "none"},
            {"vertical_wind",
             in(&InitialConfig::vertical_wind),
             "initial w: from the flow over the terrain, WRF's default, or W of `file` (WRF's use_input_w), "
             "for nests W of their files or their parent's w; a W of zeros, as real.exe writes it, counts as "
             "missing",
             {.choices = {"flow", "file"}}},
        }};
}

TableSchema parallel_table() {
    using P = ParallelConfig;
    const auto in = [](auto member) { return slot_of(&Config::parallel, member); };
    const Rule count{.min = 0, .max = 1e6};
    return {
        "parallel",
        "Decomposition of the work; the answer does not depend on it. 0 leaves the choice to the model.",
        {
            {"ranks_x", in(&P::ranks_x), "patches from west to east", count},
            {"ranks_y", in(&P::ranks_y), "patches from south to north", count},
            {"threads",
             in(&P::threads),
             "threads per rank",
             count,
             {},
             "0: OMP_NUM_THREADS, or the rank's share of the cores"},
            {"tile_x",
             in(&P::tile_x),
             "cells per tile from west to east",
             count,
             {},
             "0: sized for the L2 cache"},
            {"tile_y",
             in(&P::tile_y),
             "cells per tile from south to north",
             count,
             {},
             "0: sized for the L2 cache"},
            {"device",
             in(&P::device),
             "where the kernels run: `gpu` takes a graphics processor for each rank and refuses what has no "
             "kernels there",
             {.choices = {"cpu", "gpu"}}},
        }};
}

} // namespace

const std::vector<TableSchema> &schema() {
    static const std::vector<TableSchema> tables{
        run_table(),       domain_table(),  vertical_table(), dynamics_table(),  physics_table(),
        land_table(),      fire_table(),    boundary_table(), nudging_table(),   digital_filter_table(),
        diffusion_table(), damping_table(), initial_table(),  wind_farm_table(), parallel_table(),
        output_table(),    prepare_table()};
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

const TableSchema &ignition_schema() {
    static const TableSchema table = ignition_table();
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
