// wrfinput files, as WRF's real.exe and ideal.exe write them. What WRF does with them before its
// first step (dyn_em/start_em) is done here too, in the same order and precision.

#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "initial/aerosol_file.hpp"
#include "initial/blank.hpp"
#include "initial/initial.hpp"
#include "initial/input_file.hpp"
#include "initial/levels_in_file.hpp"
#include "initial/wrf_base_state.hpp"
#include "initial/wrfinput_checks.hpp"
#include "initial/wrfinput_ground.hpp"
#include "initial/wrfinput_orography.hpp"
#include "initial/wrfinput_scalars.hpp"
#include "settings/calendar.hpp"

namespace squall {
namespace {

constexpr const char *remedy = "a wrfinput file has it: write one with real.exe or ideal.exe of WRF (ARW)";

void check_kind(const InputFile &file) {
    if (file.has_dimension("num_metgrid_levels"))
        file.fail("is metgrid output, not yet on model levels; run real.exe on it and use its wrfinput file");
    if (!file.has_dimension("west_east") || !file.has_dimension("bottom_top"))
        file.fail(fmt::format("is not an ARW file: no dimensions west_east and bottom_top; {}", remedy));
    if (file.has_attribute("GRIDTYPE") && file.text("GRIDTYPE") != "C")
        file.fail(fmt::format("is on grid {}, not on ARW's C grid; {}", file.text("GRIDTYPE"), remedy));
}

int hybrid_option(const InputFile &file) {
    return file.has_attribute("HYBRID_OPT") ? int(file.number("HYBRID_OPT")) : 0;
}

bool is_ideal(const InputFile &file) {
    if (file.has("THIS_IS_AN_IDEAL_RUN")) return file.scalar("THIS_IS_AN_IDEAL_RUN") != 0;
    return file.has_attribute("TITLE") && file.text("TITLE").find("IDEAL") != std::string::npos;
}

/// Replaces what make() computed by what the file holds: WRF integrates with the latter, and its
/// last bits differ.
void read_coefficients(const InputFile &file, VerticalGrid &v) {
    const auto replace = [&](const char *name, std::vector<real> &profile) {
        if (file.has(name)) profile = file.profile(name, int(profile.size()));
    };
    const auto replace_scalar = [&](const char *name, real &value) {
        if (file.has(name)) value = file.scalar(name);
    };
    replace("ZNU", v.znu);
    replace("DNW", v.dnw);
    replace("RDNW", v.rdnw);
    replace("DN", v.dn);
    replace("RDN", v.rdn);
    replace("FNM", v.fnm);
    replace("FNP", v.fnp);
    replace_scalar("CF1", v.cf1);
    replace_scalar("CF2", v.cf2);
    replace_scalar("CF3", v.cf3);
    replace_scalar("CFN", v.cfn);
    replace_scalar("CFN1", v.cfn1);
}

/// Files from before WRF 3.9 have no hybrid coefficients, or zeros: they are pure sigma.
void read_hybrid(const InputFile &file, VerticalGrid &v) {
    const bool present = file.has("C1F") && file.profile("C1F", v.nz + 1)[0] == real(1);
    if (!present) {
        if (hybrid_option(file) != 0)
            file.fail(fmt::format("says HYBRID_OPT = {} but has no coefficients C1F, C1H, ...; {}",
                                  hybrid_option(file), remedy));
        return;
    }
    v.c1h = file.profile("C1H", v.nz);
    v.c2h = file.profile("C2H", v.nz);
    v.c3h = file.profile("C3H", v.nz);
    v.c4h = file.profile("C4H", v.nz);
    v.c1f = file.profile("C1F", v.nz + 1);
    v.c2f = file.profile("C2F", v.nz + 1);
    v.c3f = file.profile("C3F", v.nz + 1);
    v.c4f = file.profile("C4F", v.nz + 1);
}

void check_date(const InputFile &file, const std::string &date) {
    const auto refuse = [&](const std::string &why) {
        file.fail(fmt::format("Times is \"{}\", not YYYY-MM-DD_hh:mm:ss{}", date, why));
    };
    if (date.size() != 19 || date[10] != '_') refuse("");
    try {
        parse_time(date);
    } catch (const std::invalid_argument &e) {
        refuse(fmt::format(": {}", e.what()));
    }
}

VerticalGrid read_vertical(const InputFile &file, int nz) {
    const auto znw = file.profile("ZNW", nz + 1);
    const real p_top = file.scalar("P_TOP");
    if (!(p_top > 0 && p_top < constants::p0))
        file.fail(fmt::format("P_TOP is {} Pa; it must be positive and below the surface's", p_top));
    VerticalGrid v;
    try {
        v = VerticalGrid::make({znw.begin(), znw.end()}, p_top, 0);
    } catch (const std::invalid_argument &e) {
        file.fail(fmt::format("ZNW: {}", e.what()));
    }
    const VerticalGrid computed = v;
    read_coefficients(file, v);
    read_hybrid(file, v);
    check_coefficients(file, v, computed);
    return v;
}

/// WRF 2 wrote one map factor per point, the same in x and y.
void read_map_factors(const InputFile &file, const Patch &patch, Grid &grid) {
    const auto read = [&](const char *name, const char *isotropic, Points points, Array2 &into) {
        file.plane(file.has(name) || !file.has(isotropic) ? name : isotropic, points, patch, into, {0, 1e4});
    };
    read("MAPFAC_MX", "MAPFAC_M", Points::cells, grid.msftx);
    read("MAPFAC_MY", "MAPFAC_M", Points::cells, grid.msfty);
    read("MAPFAC_UX", "MAPFAC_U", Points::x_faces, grid.msfux);
    read("MAPFAC_UY", "MAPFAC_U", Points::x_faces, grid.msfuy);
    read("MAPFAC_VX", "MAPFAC_V", Points::y_faces, grid.msfvx);
    read("MAPFAC_VY", "MAPFAC_V", Points::y_faces, grid.msfvy);
}

void read_plane_fields(const InputFile &file, const Config &config, const Patch &patch, Grid &grid) {
    read_map_factors(file, patch, grid);
    constexpr real one = real(1.001), fastest = real(0.01);
    file.plane("SINALPHA", Points::cells, patch, grid.sina, {-one, one});
    file.plane("COSALPHA", Points::cells, patch, grid.cosa, {-one, one});
    const Limits metres{real(-1e6), real(1e6)}; // of an idealised file: em_fire of WRF has them there
    const bool ideal = is_ideal(file);
    file.plane("XLAT", Points::cells, patch, grid.lat, ideal ? metres : Limits{-91, 91});
    file.plane("XLONG", Points::cells, patch, grid.lon, ideal ? metres : Limits{-721, 721});
    file.plane("HGT", Points::cells, patch, grid.terrain, {-2000, 12000});
    if (config.dynamics.coriolis.starts_with("file")) {
        file.plane("F", Points::cells, patch, grid.f, {-fastest, fastest});
        file.plane("E", Points::cells, patch, grid.e, {-fastest, fastest});
    } else if (config.dynamics.coriolis == "f-plane") {
        grid.f.fill(real(config.dynamics.f));
    }
}

/// Whether the file says what its base state is made of; those of before WRF 3 do not.
bool has_base_atmosphere(const InputFile &file) {
    return file.has("T00") && file.has("P00") && file.has("TLP") && file.scalar("T00") != 0;
}

WrfBaseAtmosphere read_base_atmosphere(const InputFile &file) {
    const auto optional = [&](const char *name, Limits limits) {
        return file.has(name) ? file.scalar(name, limits) : real(0);
    };
    return {file.scalar("P00", {1e4, 2e5}),     file.scalar("T00", {100, 400}),
            file.scalar("TLP", {1, 300}),       optional("TISO", {0, 400}),
            optional("TLP_STRAT", {-300, 300}), optional("P_STRAT", {0, 1e5})};
}

/// An idealised run keeps the file's mub and phb, and finds the rest from phb where that is linear in eta, as
/// WRF always has it; else from the file's initial theta. A real-data run recomputes the whole base state
/// from the terrain.
BaseRule read_base_state(const InputFile &file, const Config &config, const Patch &patch, Grid &grid) {
    BaseRule rule;
    rule.balanced = false;
    const int nz = patch.shape.nz, hypsometric = config.dynamics.hypsometric;
    file.plane("MUB", Points::cells, patch, grid.mub, {real(-2e5), real(2e5)});
    file.volume("PHB", Points::cells, nz + 1, patch, grid.phb, {real(-1e5), real(3e6)});
    check_surface(file, patch, grid);
    if (!is_ideal(file) && has_base_atmosphere(file)) {
        rule.from = BaseRule::From::atmosphere, rule.atmosphere = read_base_atmosphere(file);
        set_base_state_from_terrain(grid, rule.atmosphere, hypsometric);
    } else {
        file.volume("T_INIT", Points::cells, nz, patch, grid.theta_init, {real(-300), real(2e4)});
        set_base_state_from_theta(grid);
        if (is_ideal(file) && hypsometric == 1) {
            rule.from = BaseRule::From::geopotential;
            set_base_state_from_geopotential(grid);
        }
    }
    set_phb_residual(grid, hypsometric);
    return rule;
}

constexpr Limits fastest_wind{-1000, 1000}; // [m s-1]

/// `departure`: rotation needs them.
void read_base_profiles(const InputFile &file, bool departure, Grid &grid) {
    const int nz = grid.vertical.nz;
    const auto optional = [&](const char *name, Limits limits) {
        return file.has(name) ? file.profile(name, nz, limits) : std::vector<real>(std::size_t(nz));
    };
    grid.u_base = optional("U_BASE", fastest_wind);
    grid.v_base = optional("V_BASE", fastest_wind);
    grid.theta_base = optional("T_BASE", {real(-300), real(2e4)});
    grid.z_base = optional("Z_BASE", {real(-2e3), real(2e5)});
    grid.qv_base = optional("QV_BASE", {0, 1});
    if (departure && !std::ranges::is_sorted(grid.z_base, std::ranges::less_equal()))
        file.fail(
            "holds no Z_BASE that grows from layer to layer; dynamics.coriolis = \"file-departure\" needs "
            "the base profiles U_BASE, V_BASE and Z_BASE of an idealised case: set it to \"file\"");
}

/// w only where the run asks for it: like WRF, the model else starts from that of the flow over the terrain
/// (set_initial_w).
void read_state(const InputFile &file, const Config &config, const Patch &patch, InitialState &s) {
    const int nz = patch.shape.nz;
    file.volume("U", Points::x_faces, nz, patch, s.state.u, fastest_wind);
    file.volume("V", Points::y_faces, nz, patch, s.state.v, fastest_wind);
    if (config.initial.vertical_wind == "file")
        file.volume("W", Points::cells, nz + 1, patch, s.state.w, fastest_wind);
    file.volume("PH", Points::cells, nz + 1, patch, s.state.ph, {real(-1e6), real(1e6)});
    file.plane("MU", Points::cells, patch, s.state.mu, {real(-2e5), real(2e5)});
    read_scalars(file, config, patch, s.scalars, s.state);
    read_theta(file, config, patch, s.scalars, s.state);
}

/// The hypsometric option that PHB was made with, by the column in the south-west; 0 where it does not tell.
/// What is wrong with the file is said when it is read.
int hypsometric_of(const InputFile &file, const WrfInputInfo &info) try {
    Patch column;
    column.shape = {1, 1, info.nz};
    column.nx_domain = info.nx, column.ny_domain = info.ny;
    Grid grid = blank_state({}, column.shape, info.dx, info.dy).grid;
    grid.vertical = read_vertical(file, info.nz);
    file.plane("MUB", Points::cells, column, grid.mub);
    if (!info.ideal && has_base_atmosphere(file)) {
        file.plane("HGT", Points::cells, column, grid.terrain);
        set_base_state_from_terrain(grid, read_base_atmosphere(file), 1);
    } else {
        file.volume("T_INIT", Points::cells, info.nz, column, grid.theta_init);
        set_base_state_from_theta(grid);
    }
    file.volume("PHB", Points::cells, info.nz + 1, column, grid.phb);
    return hypsometric_of_geopotential(grid, 0, 0);
} catch (const std::runtime_error &) {
    return 0;
}

} // namespace

VerticalGrid levels_in_file(const std::string &path, int nz) {
    return read_vertical(InputFile(path, remedy), nz);
}

WrfInputInfo inspect_wrfinput(const std::string &path) {
    const InputFile file(path, remedy);
    check_kind(file);
    WrfInputInfo info;
    info.nx = file.dimension("west_east");
    info.ny = file.dimension("south_north");
    info.nz = file.dimension("bottom_top");
    info.dx = file.number("DX");
    info.dy = file.number("DY");
    const auto possible = [](double spacing) { return spacing >= 0.1 && spacing <= 1e7; };
    if (!(possible(info.dx) && possible(info.dy)))
        file.fail(fmt::format("DX = {} m, DY = {} m: both must be from 0.1 m to 10000 km", info.dx, info.dy));
    info.start = file.string("Times");
    check_date(file, info.start);
    info.start[10] = 'T';
    info.hybrid = hybrid_option(file) >= 2;
    info.ideal = is_ideal(file);
    info.has_w = file.has("W");
    info.hypsometric = hypsometric_of(file, info);
    return info;
}

InitialState read_wrfinput(const Config &config, const Patch &patch) {
    const InputFile file(config.initial.file, remedy);
    check_kind(file);
    const std::array size{file.dimension("west_east"), file.dimension("south_north"),
                          file.dimension("bottom_top")};
    if (size != std::array{patch.nx_domain, patch.ny_domain, patch.shape.nz})
        file.fail(fmt::format("has {} x {} x {} cells, but the run file's domain has {} x {} x {}", size[0],
                              size[1], size[2], patch.nx_domain, patch.ny_domain, patch.shape.nz));
    InitialState s = blank_state(config, patch.shape, file.number("DX"), file.number("DY"));
    s.grid.vertical = read_vertical(file, patch.shape.nz);
    read_plane_fields(file, config, patch, s.grid);
    if (config.physics.boundary_layer != "none" || config.physics.radiation != "none")
        read_ground(file, config, patch, s.ground);
    if (config.physics.surface_layer != "none") read_surface(file, config, patch, s);
    if (config.physics.gravity_wave_drag != "none") read_orography(file, patch, s.grid, s.ground.orography);
    if (config.physics.terrain_wind != "none")
        read_hills(file, config.physics.terrain_wind, patch, s.ground.terrain_wind.hills);
    if (s.ground.aerosol_source.bytes() > 0 && file.has("QNWFA2D"))
        file.plane("QNWFA2D", Points::cells, patch, s.ground.aerosol_source, {0, real(1e9)});
    if (s.ground.aerosol.bytes() > 0 && config.identity.id == 1) // nests have their parent's
        s.ground.aerosol = read_aerosol(config, patch);
    s.base_rule = read_base_state(file, config, patch, s.grid);
    read_base_profiles(file, config.dynamics.coriolis == "file-departure", s.grid);
    read_state(file, config, patch, s);
    check_atmosphere(file, config, patch, s);
    return s;
}

} // namespace squall
