#include "output/history_attributes.hpp"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "settings/calendar.hpp"

namespace squall {
namespace {

using Attributes = std::vector<io::Attribute>;

void append(Attributes &to, const Attributes &more) { to.insert(to.end(), more.begin(), more.end()); }

Attributes domain_attributes(const Subset &subset, const Grid &grid, const DomainIdentity &id) {
    const auto &[x, y, z] = subset;
    const int nx = x.count, ny = y.count, nz = z.count;
    Attributes a = {
        {"WEST-EAST_GRID_DIMENSION", x.faces()},        {"SOUTH-NORTH_GRID_DIMENSION", y.faces()},
        {"BOTTOM-TOP_GRID_DIMENSION", z.faces()},       {"DX", static_cast<float>(grid.dx * x.stride)},
        {"DY", static_cast<float>(grid.dy * y.stride)}, {"GRIDTYPE", "C"}};
    const std::pair<const char *, int> extents[] = {
        {"WEST-EAST", nx}, {"SOUTH-NORTH", ny}, {"BOTTOM-TOP", nz}};
    for (const auto &[axis, n] : extents) // as one patch; 1-based
        append(a, {{fmt::format("{}_PATCH_START_UNSTAG", axis), 1},
                   {fmt::format("{}_PATCH_END_UNSTAG", axis), n},
                   {fmt::format("{}_PATCH_START_STAG", axis), 1},
                   {fmt::format("{}_PATCH_END_STAG", axis), n + 1}});
    append(a, {{"GRID_ID", id.id},
               {"PARENT_ID", id.parent_id},
               {"I_PARENT_START", id.i_parent_start},
               {"J_PARENT_START", id.j_parent_start},
               {"PARENT_GRID_RATIO", id.parent_grid_ratio}});
    if (!id.name.empty()) a.push_back({"SQUALL_DOMAIN_NAME", id.name});
    return a;
}

/// Where in the domain the file's part of it lies: west-east, south-north, bottom-top, from 0.
Attributes subset_attributes(const Config &config, const Subset &s) {
    if (s.everything(config.domain.nx, config.domain.ny, config.domain.nz)) return {};
    return {{"SQUALL_SUBSET_START", std::vector<std::int32_t>{s.x.first, s.y.first, s.z.first}},
            {"SQUALL_SUBSET_STRIDE", std::vector<std::int32_t>{s.x.stride, s.y.stride, s.z.stride}}};
}

/// Whether the last points are beside the first: west-east, south-north. Of a part of the domain they are
/// not.
Attributes periodic_attributes(const Config &config, const Subset &s) {
    const Boundaries &b = config.domain.boundaries;
    const bool x =
        b.west == Boundary::periodic && s.x.first == 0 && s.x.count * s.x.stride == config.domain.nx;
    const bool y =
        b.south == Boundary::periodic && s.y.first == 0 && s.y.count * s.y.stride == config.domain.ny;
    if (!x && !y) return {};
    return {{"SQUALL_PERIODIC", std::vector<std::int32_t>{x, y}}};
}

Attributes time_attributes(const RunConfig &run) {
    const auto start = parse_time(run.start);
    const auto day = std::chrono::floor<std::chrono::days>(start);
    const std::chrono::year_month_day date{day};
    const auto new_year = std::chrono::sys_days{date.year() / std::chrono::January / 1};
    const auto text = format_time(start, "%Y-%m-%d_%H:%M:%S");
    return {{"START_DATE", text},
            {"SIMULATION_START_DATE", text},
            {"DT", static_cast<float>(run.time_step)},
            {"GMT", std::chrono::duration<float, std::ratio<3600>>(start - day).count()},
            {"JULYR", static_cast<int>(date.year())},
            {"JULDAY", static_cast<int>((day - new_year).count()) + 1}};
}

struct Numbered {
    std::string_view name;
    int number;
};

/// WRF's number for a name of ours; 0: none, or a scheme that WRF does not have.
int number(std::initializer_list<Numbered> table, const std::string &name) {
    const auto row = std::ranges::find(table, name, &Numbered::name);
    return row == table.end() ? 0 : row->number;
}

/// RRTMGP is WRF's RRTMG (4) with newer coefficients; broadband has Dudhia's shortwave (1), with which WRF's
/// users take RRTM's longwave (1). rrtmgp-dudhia is the closest to both 1: RRTMGP stands for RRTM.
Attributes physics_attributes(const PhysicsConfig &p) {
    const int radiation =
        number({{"broadband", 1}, {"rrtmgp", 4}, {"rrtmgp-dudhia", 1}, {"rrtmgp-fine", 4}}, p.radiation);
    return {
        {"MP_PHYSICS", number({{"kessler", 1},
                               {"lin", 2},
                               {"wsm3", 3},
                               {"wsm5", 4},
                               {"wsm6", 6},
                               {"thompson", 8},
                               {"thompson-aerosol", 28},
                               {"morrison", 10},
                               {"morrison-graupel", 10},
                               {"wdm5", 14},
                               {"wdm6", 16}},
                              p.microphysics)},
        {"RA_LW_PHYSICS", radiation},
        {"RA_SW_PHYSICS", radiation},
        {"SF_SFCLAY_PHYSICS", number({{"revised-mm5", 1},
                                      {"revised-mm5-donelan", 1},
                                      {"revised-mm5-garratt", 1},
                                      {"eta", 2},
                                      {"mynn", 5},
                                      {"mm5", 91}},
                                     p.surface_layer)},
        {"SF_SURFACE_PHYSICS", number({{"slab", 1}, {"noah", 2}, {"noah-mp", 4}}, p.land)},
        {"BL_PBL_PHYSICS", number({{"ysu", 1},
                                   {"myj", 2},
                                   {"mynn", 5},
                                   {"mynn-edmf", 5},
                                   {"mynn-edmf-advected", 5},
                                   {"mynn-edmf-blended", 5}},
                                  p.boundary_layer)},
        {"GWD_OPT", number({{"kim-arakawa", 1}}, p.gravity_wave_drag)},
        {"SF_OCEAN_PHYSICS", number({{"mixed-layer", 1}}, p.ocean)},
        {"CU_PHYSICS", number({{"kain-fritsch", 1},
                               {"grell-freitas", 3},
                               {"grell-freitas-shallow", 3},
                               {"tiedtke-1989", 6},
                               {"tiedtke", 16}},
                              p.cumulus)},
    };
}

/// WRF's numbers for our settings.
Attributes scheme_attributes(const Config &c) {
    const int diff_opt = c.diffusion.scheme == "none" ? 0 : c.diffusion.surfaces == "coordinate" ? 1 : 2;
    const int km_opt = number({{"tke", 2}, {"smagorinsky-3d", 3}, {"smagorinsky-2d", 4}}, c.diffusion.scheme);
    Attributes a = {
        {"DIFF_OPT", diff_opt},
        {"KM_OPT", std::max(km_opt, 1)}, // constant coefficients, which may be none
        {"KHDIF", static_cast<float>(c.diffusion.horizontal)},
        {"KVDIF", static_cast<float>(c.diffusion.vertical)},
        {"DAMP_OPT", number({{"diffusion", 1}, {"rayleigh", 2}, {"implicit-w", 3}}, c.damping.scheme)},
        {"DAMPCOEF", static_cast<float>(c.damping.coefficient + c.damping.diffusion_number)}, // one is 0
        {"W_DAMPING", static_cast<int>(c.dynamics.w_damping)},
        {"HYPSOMETRIC_OPT", c.dynamics.hypsometric},
        {"USE_THETA_M", integrates_moist_theta(c) ? 1 : 0}};
    append(a, physics_attributes(c.physics));
    return a;
}

/// Hybrid levels are those where c2 is not zero everywhere; of the file's, only the file knows etac.
Attributes vertical_attributes(const Config &c, const Grid &grid) {
    const bool hybrid = std::ranges::any_of(grid.vertical.c2h, [](real x) { return x != 0; });
    io::Value etac = std::vector{hybrid ? static_cast<float>(c.vertical.etac) : 0.0f};
    if (hybrid && !projection_file(c).empty())
        etac = io::Reader(projection_file(c)).attribute("ETAC").value_or(etac);
    return {{"HYBRID_OPT", hybrid ? 2 : 0}, {"ETAC", etac}};
}

std::string memory_order(Location where) {
    if (!where.horizontal) return where.levels == Levels::none ? "0  " : "Z  ";
    return where.levels == Levels::none ? "XY " : "XYZ";
}

std::string stagger(Location where) {
    if (where.faces == Faces::x) return "X";
    if (where.faces == Faces::y) return "Y";
    const bool between = where.levels != Levels::none && where.levels != Levels::layers;
    return between ? "Z" : "";
}

/// Latitudes and longitudes are not coordinates of themselves, whatever WRF's files say: cdo minds.
std::string coordinates(const HistoryField &field, bool once) {
    if (!field.where.horizontal || field.name.starts_with("XL") || field.name.starts_with("FXL")) return "";
    if (field.where.on_fire_cells()) return once && field.fixed ? "FXLONG FXLAT" : "FXLONG FXLAT XTIME";
    const char *points = field.where.faces == Faces::x ? "_U" : field.where.faces == Faces::y ? "_V" : "";
    return fmt::format("XLONG{0} XLAT{0}{1}", points, once && field.fixed ? "" : " XTIME");
}

/// Units of initial files may be missing, blanks or zeros.
bool has_units(const HistoryField &field) {
    return field.units.find_first_not_of(std::string(" \0", 2)) != std::string::npos;
}

/// Whether CF's quantity is a number.
bool is_number(const std::string &standard_name) {
    static const std::set<std::string> numbers{"land_binary_mask", "sea_ice_area_fraction", "leaf_area_index",
                                               "surface_albedo",
                                               "volume_fraction_of_condensed_water_in_soil"};
    return numbers.contains(standard_name);
}

constexpr int wrf_real = 104, wrf_double = 105, wrf_integer = 106; // WRF's codes of types

} // namespace

std::vector<io::Attribute> history_attributes(const Config &config, const Subset &subset, const Grid &grid) {
    Attributes a = {{"TITLE", " OUTPUT FROM SQUALL V" SQUALL_VERSION " MODEL"},
                    {"Conventions", "CF-1.8"},
                    {"title", "Output of Squall, a limited-area weather model"},
                    {"history", "written by squall-model " SQUALL_VERSION}};
    append(a, domain_attributes(subset, grid, config.identity));
    append(a, subset_attributes(config, subset));
    append(a, periodic_attributes(config, subset));
    append(a, time_attributes(config.run));
    append(a, scheme_attributes(config));
    append(a, vertical_attributes(config, grid));
    append(a, projection_attributes(config));
    return a;
}

io::Field declare(const HistoryField &f, bool once, const std::string &grid_mapping) {
    io::Field field{f.name,
                    f.type,
                    dimensions_of(f.where),
                    {{"FieldType", f.type == io::Type::i32 ? wrf_integer : wrf_real},
                     {"MemoryOrder", memory_order(f.where)},
                     {"description", f.description},
                     {"long_name", f.description},
                     {"units", !has_units(f) && is_number(f.standard_name) ? "1" : f.units},
                     {"stagger", stagger(f.where)}}};
    if (!f.standard_name.empty() && (has_units(f) || is_number(f.standard_name)))
        field.attributes.emplace_back("standard_name", f.standard_name);
    if (f.standard_name == "altitude") field.attributes.emplace_back("positive", "up");
    if (f.standard_name == "depth") field.attributes.emplace_back("positive", "down");
    field.per_frame = !(once && f.fixed);
    if (const auto names = coordinates(f, once); !names.empty())
        field.attributes.emplace_back("coordinates", names);
    if (f.where.horizontal && !f.name.starts_with("XL") && !grid_mapping.empty())
        field.attributes.emplace_back("grid_mapping", grid_mapping);
    if (!f.cell_methods.empty()) field.attributes.emplace_back("cell_methods", f.cell_methods);
    if (f.running || (f.derived && f.derived->may_miss)) field.fill = missing;
    return field;
}

std::string time_units(const std::string &start) {
    auto since = "minutes since " + format_iso(parse_time(start));
    std::ranges::replace(since, 'T', ' ');
    return since;
}

std::vector<io::Field> declare_place() {
    const auto start = [](const char *name, const char *along) {
        const auto what =
            fmt::format("cell of the parent, {}, counted from 1, in which the domain begins", along);
        return io::Field{name,
                         io::Type::i32,
                         {},
                         {{"FieldType", wrf_integer},
                          {"MemoryOrder", "0  "},
                          {"description", what},
                          {"long_name", what},
                          {"units", ""},
                          {"stagger", ""}}};
    };
    return {start("I_PARENT_START", "west-east"), start("J_PARENT_START", "south-north")};
}

std::vector<io::Field> declare_time(const std::string &start) {
    const std::string since = time_units(start);
    return {{"Times", io::Type::character, {"DateStrLen"}, {}},
            {"XTIME",
             io::Type::f64,
             {},
             {{"FieldType", wrf_double},
              {"MemoryOrder", "0  "},
              {"description", since},
              {"units", since},
              {"stagger", ""},
              {"standard_name", "time"},
              {"long_name", "time"},
              {"calendar", "proleptic_gregorian"}}},
            {"ITIMESTEP",
             io::Type::i32,
             {},
             {{"FieldType", wrf_integer},
              {"MemoryOrder", "0  "},
              {"description", "time step"},
              {"long_name", "time step"},
              {"units", ""},
              {"stagger", ""}}}};
}

} // namespace squall
