// wrfinput files, as WRF's real.exe and ideal.exe write them. What WRF does with them before its
// first step (dyn_em/start_em) is done here too, in the same order and precision.

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "initial/blank.hpp"
#include "initial/initial.hpp"
#include "initial/input_file.hpp"
#include "initial/wrf_base_state.hpp"

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

VerticalGrid read_vertical(const InputFile &file, int nz) {
    const auto znw = file.profile("ZNW", nz + 1);
    const real p_top = file.scalar("P_TOP");
    if (!(p_top > 0)) file.fail(fmt::format("P_TOP is {} Pa; it must be positive", p_top));
    VerticalGrid v;
    try {
        v = VerticalGrid::make({znw.begin(), znw.end()}, p_top, 0);
    } catch (const std::invalid_argument &e) {
        file.fail(fmt::format("ZNW: {}", e.what()));
    }
    read_coefficients(file, v);
    read_hybrid(file, v);
    return v;
}

/// WRF 2 wrote one map factor per point, the same in x and y.
void read_map_factors(const InputFile &file, const Patch &patch, Grid &grid) {
    const auto read = [&](const char *name, const char *isotropic, Points points, Array2 &into) {
        file.plane(file.has(name) || !file.has(isotropic) ? name : isotropic, points, patch, into);
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
    file.plane("SINALPHA", Points::cells, patch, grid.sina);
    file.plane("COSALPHA", Points::cells, patch, grid.cosa);
    file.plane("XLAT", Points::cells, patch, grid.lat);
    file.plane("XLONG", Points::cells, patch, grid.lon);
    file.plane("HGT", Points::cells, patch, grid.terrain);
    if (config.dynamics.coriolis == "file") {
        file.plane("F", Points::cells, patch, grid.f);
        file.plane("E", Points::cells, patch, grid.e);
    } else if (config.dynamics.coriolis == "f-plane") {
        grid.f.fill(real(config.dynamics.f));
    }
}

WrfBaseAtmosphere read_base_atmosphere(const InputFile &file) {
    const auto optional = [&](const char *name) { return file.has(name) ? file.scalar(name) : real(0); };
    WrfBaseAtmosphere b{file.scalar("P00"), file.scalar("T00"),    file.scalar("TLP"),
                        optional("TISO"),   optional("TLP_STRAT"), optional("P_STRAT")};
    if (b.t00 < 100 || b.p00 < 10000)
        file.fail(fmt::format("base state T00 = {} K, P00 = {} Pa is not an atmosphere's; {}", b.t00, b.p00,
                              remedy));
    return b;
}

/// An idealised run keeps the file's mub and phb and recomputes pressure and density from its
/// initial theta; a real-data run recomputes the whole base state from the terrain.
void read_base_state(const InputFile &file, const Config &config, const Patch &patch, Grid &grid) {
    if (is_ideal(file)) {
        file.plane("MUB", Points::cells, patch, grid.mub);
        file.volume("PHB", Points::cells, patch.shape.nz + 1, patch, grid.phb);
        file.volume("T_INIT", Points::cells, patch.shape.nz, patch, grid.theta_init);
        set_base_state_from_theta(grid);
    } else {
        set_base_state_from_terrain(grid, read_base_atmosphere(file), config.dynamics.hypsometric);
    }
    set_phb_residual(grid, config.dynamics.hypsometric);
}

void read_base_profiles(const InputFile &file, Grid &grid) {
    const auto optional = [&](const char *name) {
        const int nz = grid.vertical.nz;
        return file.has(name) ? file.profile(name, nz) : std::vector<real>(std::size_t(nz));
    };
    grid.u_base = optional("U_BASE");
    grid.v_base = optional("V_BASE");
    grid.theta_base = optional("T_BASE");
    grid.z_base = optional("Z_BASE");
}

/// The variable that holds WRF's prognostic theta: THM from WRF 4 on (moist theta if the file was
/// made so); T before, when THM is absent or zero.
std::string theta_variable(const InputFile &file, const Patch &patch) {
    if (!file.has("THM")) return "T";
    Patch corner;
    corner.shape = {1, 1, patch.shape.nz};
    corner.nx_domain = patch.nx_domain;
    corner.ny_domain = patch.ny_domain;
    Array3 column(corner.shape);
    file.volume("THM", Points::cells, corner.shape.nz, corner, column);
    return column(0, corner.shape.nz - 1, 0) == 0 ? "T" : "THM";
}

/// w is not read: like WRF, the model starts from the w that follows from the flow over the
/// terrain (set_initial_w).
void read_state(const InputFile &file, const Patch &patch, State &state) {
    const int nz = patch.shape.nz;
    file.volume("U", Points::x_faces, nz, patch, state.u);
    file.volume("V", Points::y_faces, nz, patch, state.v);
    file.volume(theta_variable(file, patch), Points::cells, nz, patch, state.theta);
    file.volume("PH", Points::cells, nz + 1, patch, state.ph);
    file.plane("MU", Points::cells, patch, state.mu);
}

/// Catches files that were cut short (their tail reads as zeros) or never filled.
void check_atmosphere(const InputFile &file, const Patch &patch, const InitialState &s) {
    const auto at = [&](int i, int j) {
        return fmt::format("at 0-based south_north {}, west_east {}", patch.y0 + j, patch.x0 + i);
    };
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            if (!(s.grid.mub(i, j) > 0 && s.grid.mub(i, j) + s.state.mu(i, j) > 0))
                file.fail(fmt::format("column mass MUB + MU = {} + {} Pa is not positive {}",
                                      s.grid.mub(i, j), s.state.mu(i, j), at(i, j)));
            if (!(s.grid.msftx(i, j) > 0 && s.grid.msfty(i, j) > 0))
                file.fail(fmt::format("map factor MAPFAC_M is not positive {}", at(i, j)));
            for (int k = 0; k < patch.shape.nz; ++k) {
                const auto phi = [&](int n) { return s.grid.phb(i, n, j) + s.state.ph(i, n, j); };
                if (!(phi(k + 1) > phi(k)))
                    file.fail(
                        fmt::format("geopotential PHB + PH does not rise above level {} {}", k, at(i, j)));
                if (!(s.state.theta(i, k, j) + constants::theta0 > 0))
                    file.fail(fmt::format("potential temperature T + 300 K is not positive at level {} {}", k,
                                          at(i, j)));
            }
        }
}

} // namespace

WrfInputInfo inspect_wrfinput(const std::string &path) {
    const InputFile file(path, remedy);
    check_kind(file);
    WrfInputInfo info;
    info.nx = file.dimension("west_east");
    info.ny = file.dimension("south_north");
    info.nz = file.dimension("bottom_top");
    info.dx = file.number("DX");
    info.dy = file.number("DY");
    if (!(info.dx > 0 && info.dy > 0))
        file.fail(fmt::format("DX = {} m, DY = {} m must be positive", info.dx, info.dy));
    info.start = file.string("Times");
    if (info.start.size() != 19 || info.start[10] != '_')
        file.fail(fmt::format("Times is \"{}\", not YYYY-MM-DD_hh:mm:ss", info.start));
    info.start[10] = 'T';
    info.hybrid = hybrid_option(file) >= 2;
    return info;
}

InitialState read_wrfinput(const Config &config, const Patch &patch) {
    const InputFile file(config.initial.file, remedy);
    check_kind(file);
    const std::array size{file.dimension("west_east"), file.dimension("south_north"),
                          file.dimension("bottom_top")};
    if (size != std::array{patch.nx_domain, patch.ny_domain, patch.shape.nz})
        file.fail(fmt::format("is {} x {} x {} cells, the run file's domain {} x {} x {}", size[0], size[1],
                              size[2], patch.nx_domain, patch.ny_domain, patch.shape.nz));
    InitialState s = blank_state(config, patch.shape, file.number("DX"), file.number("DY"));
    s.grid.vertical = read_vertical(file, patch.shape.nz);
    read_plane_fields(file, config, patch, s.grid);
    read_base_state(file, config, patch, s.grid);
    read_base_profiles(file, s.grid);
    read_state(file, patch, s.state);
    check_atmosphere(file, patch, s);
    return s;
}

} // namespace squall
