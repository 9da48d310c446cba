#include "output/history_fields.hpp"

#include <algorithm>
#include <iterator>

#include "grid/scalars.hpp"

namespace squall {
namespace {

using Source = const HistorySource &;

std::vector<HistoryField> coordinates() {
    return {
        {"XLAT", "LATITUDE, SOUTH IS NEGATIVE", "degree_north", "latitude", at::plane,
         [](Source s) -> FieldPoints { return s.grid.lat.view(); }},
        {"XLONG", "LONGITUDE, WEST IS NEGATIVE", "degree_east", "longitude", at::plane,
         [](Source s) -> FieldPoints { return s.grid.lon.view(); }},
        {"XLAT_U", "LATITUDE, SOUTH IS NEGATIVE", "degree_north", "latitude", at::plane_x_faces,
         [](Source s) -> FieldPoints { return s.faces.lat_u.view(); }},
        {"XLONG_U", "LONGITUDE, WEST IS NEGATIVE", "degree_east", "longitude", at::plane_x_faces,
         [](Source s) -> FieldPoints { return s.faces.lon_u.view(); }},
        {"XLAT_V", "LATITUDE, SOUTH IS NEGATIVE", "degree_north", "latitude", at::plane_y_faces,
         [](Source s) -> FieldPoints { return s.faces.lat_v.view(); }},
        {"XLONG_V", "LONGITUDE, WEST IS NEGATIVE", "degree_east", "longitude", at::plane_y_faces,
         [](Source s) -> FieldPoints { return s.faces.lon_v.view(); }},
    };
}

std::vector<HistoryField> wind() {
    return {
        {"U", "x-wind component", "m s-1", "x_wind", at::x_faces,
         [](Source s) -> FieldPoints { return s.state.u.view(); }},
        {"V", "y-wind component", "m s-1", "y_wind", at::y_faces,
         [](Source s) -> FieldPoints { return s.state.v.view(); }},
        {"W", "z-wind component", "m s-1", "upward_air_velocity", at::interfaces,
         [](Source s) -> FieldPoints { return s.state.w.view(); }},
    };
}

std::vector<HistoryField> temperature(const Config &config) {
    const auto integrated = [](Source s) -> FieldPoints { return s.state.theta.view(); };
    std::vector<HistoryField> fields{
        {"T", "perturbation potential temperature theta-t0", "K", "", at::cells, integrated}};
    if (integrates_moist_theta(config)) {
        fields[0].points = [](Source s) -> FieldPoints { return s.theta.view(); };
        fields.push_back({"THM",
                          "either 1) pert moist pot temp=(1+Rv/Rd Qv)*(theta)-T0, or 2) pert dry pot temp=t",
                          "K", "", at::cells, integrated});
    }
    return fields;
}

/// Names of CF for what the air carries.
std::string standard_name(const std::string &scalar) {
    if (scalar == "QVAPOR") return "humidity_mixing_ratio";
    if (scalar == "QCLOUD") return "cloud_liquid_water_mixing_ratio";
    return "";
}

std::vector<HistoryField> carried_by_the_air(const ScalarSet &scalars) {
    std::vector<HistoryField> fields;
    for (int n = 0; n < scalars.size(); ++n) {
        const Scalar &scalar = scalars.all[static_cast<std::size_t>(n)];
        fields.push_back(
            {scalar.name, scalar.description, scalar.units, standard_name(scalar.name), at::cells,
             [n](Source s) -> FieldPoints { return s.state.scalars[static_cast<std::size_t>(n)].view(); }});
    }
    if (!scalars.moist()) // wrf-python's moist diagnostics (slp, rh, ...) need the field in dry air too
        fields.push_back({"QVAPOR", "Water vapor mixing ratio", "kg kg-1", "humidity_mixing_ratio", at::cells,
                          [](Source) -> FieldPoints { return real(0); }});
    return fields;
}

/// Moist air without rain has zeros, as in WRF.
std::vector<HistoryField> precipitation(const ScalarSet &scalars) {
    if (!scalars.moist()) return {};
    const auto none = [](Source) -> FieldPoints { return real(0); };
    std::vector<HistoryField> fields{
        {"RAINC", "ACCUMULATED TOTAL CUMULUS PRECIPITATION", "mm", "", at::plane, none},
        {"RAINNC", "ACCUMULATED TOTAL GRID SCALE PRECIPITATION", "mm", "", at::plane, none}};
    if (scalars.rain < 0) return fields;
    fields.back().points = [](Source s) -> FieldPoints { return s.physics.rain.view(); };
    if (scalars.snow >= 0)
        fields.push_back({"SNOWNC", "ACCUMULATED TOTAL GRID SCALE SNOW AND ICE", "mm", "", at::plane,
                          [](Source s) -> FieldPoints { return s.physics.snow.view(); }});
    if (scalars.graupel >= 0)
        fields.push_back({"GRAUPELNC", "ACCUMULATED TOTAL GRID SCALE GRAUPEL", "mm", "", at::plane,
                          [](Source s) -> FieldPoints { return s.physics.graupel.view(); }});
    fields.push_back({"H_DIABATIC", "MICROPHYSICS LATENT HEATING", "K s-1", "", at::cells,
                      [](Source s) -> FieldPoints { return s.physics.heating.view(); }, false});
    return fields;
}

std::vector<HistoryField> mass() {
    return {
        {"PH", "perturbation geopotential", "m2 s-2", "", at::interfaces,
         [](Source s) -> FieldPoints { return s.state.ph.view(); }},
        {"PHB", "base-state geopotential", "m2 s-2", "", at::interfaces,
         [](Source s) -> FieldPoints { return s.grid.phb.view(); }},
        {"MU", "perturbation dry air mass in column", "Pa", "", at::plane,
         [](Source s) -> FieldPoints { return s.state.mu.view(); }},
        {"MUB", "base state dry air mass in column", "Pa", "", at::plane,
         [](Source s) -> FieldPoints { return s.grid.mub.view(); }},
        {"P", "perturbation pressure", "Pa", "", at::cells,
         [](Source s) -> FieldPoints { return s.p.view(); }},
        {"PB", "BASE STATE PRESSURE", "Pa", "", at::cells,
         [](Source s) -> FieldPoints { return s.grid.pb.view(); }},
        {"AL", "inverse perturbation density", "m3 kg-1", "", at::cells,
         [](Source s) -> FieldPoints { return s.al.view(); }, false},
        {"ALB", "inverse base density", "m3 kg-1", "", at::cells,
         [](Source s) -> FieldPoints { return s.grid.alb.view(); }, false},
        {"PSFC", "SFC PRESSURE", "Pa", "surface_air_pressure", at::plane,
         [](Source s) -> FieldPoints { return s.psfc.view(); }},
        {"HGT", "Terrain Height", "m", "surface_altitude", at::plane,
         [](Source s) -> FieldPoints { return s.grid.terrain.view(); }},
    };
}

std::vector<HistoryField> map() {
    return {
        {"MAPFAC_M", "Map scale factor on mass grid", "", "", at::plane,
         [](Source s) -> FieldPoints { return s.grid.msftx.view(); }},
        {"MAPFAC_U", "Map scale factor on u-grid", "", "", at::plane_x_faces,
         [](Source s) -> FieldPoints { return s.grid.msfux.view(); }},
        {"MAPFAC_V", "Map scale factor on v-grid", "", "", at::plane_y_faces,
         [](Source s) -> FieldPoints { return s.grid.msfvx.view(); }},
        {"MAPFAC_MX", "Map scale factor on mass grid, x direction", "", "", at::plane,
         [](Source s) -> FieldPoints { return s.grid.msftx.view(); }},
        {"MAPFAC_MY", "Map scale factor on mass grid, y direction", "", "", at::plane,
         [](Source s) -> FieldPoints { return s.grid.msfty.view(); }},
        {"MAPFAC_UX", "Map scale factor on u-grid, x direction", "", "", at::plane_x_faces,
         [](Source s) -> FieldPoints { return s.grid.msfux.view(); }},
        {"MAPFAC_UY", "Map scale factor on u-grid, y direction", "", "", at::plane_x_faces,
         [](Source s) -> FieldPoints { return s.grid.msfuy.view(); }},
        {"MAPFAC_VX", "Map scale factor on v-grid, x direction", "", "", at::plane_y_faces,
         [](Source s) -> FieldPoints { return s.grid.msfvx.view(); }},
        {"MAPFAC_VY", "Map scale factor on v-grid, y direction", "", "", at::plane_y_faces,
         [](Source s) -> FieldPoints { return s.grid.msfvy.view(); }},
        {"F", "Coriolis sine latitude term", "s-1", "coriolis_parameter", at::plane,
         [](Source s) -> FieldPoints { return s.grid.f.view(); }},
        {"E", "Coriolis cosine latitude term", "s-1", "", at::plane,
         [](Source s) -> FieldPoints { return s.grid.e.view(); }},
        {"SINALPHA", "Local sine of map rotation", "", "", at::plane,
         [](Source s) -> FieldPoints { return s.grid.sina.view(); }},
        {"COSALPHA", "Local cosine of map rotation", "", "", at::plane,
         [](Source s) -> FieldPoints { return s.grid.cosa.view(); }},
        {"RDX", "INVERSE X GRID LENGTH", "m-1", "", at::nowhere,
         [](Source s) -> FieldPoints { return s.grid.rdx; }},
        {"RDY", "INVERSE Y GRID LENGTH", "m-1", "", at::nowhere,
         [](Source s) -> FieldPoints { return s.grid.rdy; }},
    };
}

std::vector<HistoryField> vertical() {
    return {
        {"ZNU", "eta values on half (mass) levels", "", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.znu; }},
        {"ZNW", "eta values on full (w) levels", "", "", at::column_interfaces,
         [](Source s) -> FieldPoints { return &s.grid.vertical.znw; }},
        {"DNW", "d(eta) values between full (w) levels", "", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.dnw; }},
        {"RDNW", "inverse d(eta) values between full (w) levels", "", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.rdnw; }},
        {"DN", "d(eta) values between half (mass) levels", "", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.dn; }},
        {"RDN", "inverse d(eta) values between half (mass) levels", "", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.rdn; }},
        {"FNM", "upper weight for vertical stretching", "", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.fnm; }},
        {"FNP", "lower weight for vertical stretching", "", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.fnp; }},
        {"CF1", "2nd order extrapolation constant", "", "", at::nowhere,
         [](Source s) -> FieldPoints { return s.grid.vertical.cf1; }},
        {"CF2", "2nd order extrapolation constant", "", "", at::nowhere,
         [](Source s) -> FieldPoints { return s.grid.vertical.cf2; }},
        {"CF3", "2nd order extrapolation constant", "", "", at::nowhere,
         [](Source s) -> FieldPoints { return s.grid.vertical.cf3; }},
        {"CFN", "extrapolation constant", "", "", at::nowhere,
         [](Source s) -> FieldPoints { return s.grid.vertical.cfn; }},
        {"CFN1", "extrapolation constant", "", "", at::nowhere,
         [](Source s) -> FieldPoints { return s.grid.vertical.cfn1; }},
        {"P_TOP", "PRESSURE TOP OF THE MODEL", "Pa", "", at::nowhere,
         [](Source s) -> FieldPoints { return s.grid.vertical.p_top; }},
        {"C1H", "half levels, c1h = d bf / d eta, using znw", "1", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.c1h; }},
        {"C2H", "half levels, c2h = (1-c1h)*(p0-pt)", "Pa", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.c2h; }},
        {"C3H", "half levels, c3h = bh", "1", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.c3h; }},
        {"C4H", "half levels, c4h = (eta-bh)*(p0-pt), using znu", "Pa", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.vertical.c4h; }},
        {"C1F", "full levels, c1f = d bf / d eta, using znu", "1", "", at::column_interfaces,
         [](Source s) -> FieldPoints { return &s.grid.vertical.c1f; }},
        {"C2F", "full levels, c2f = (1-c1f)*(p0-pt)", "Pa", "", at::column_interfaces,
         [](Source s) -> FieldPoints { return &s.grid.vertical.c2f; }},
        {"C3F", "full levels, c3f = bf", "1", "", at::column_interfaces,
         [](Source s) -> FieldPoints { return &s.grid.vertical.c3f; }},
        {"C4F", "full levels, c4f = (eta-bf)*(p0-pt), using znw", "Pa", "", at::column_interfaces,
         [](Source s) -> FieldPoints { return &s.grid.vertical.c4f; }},
        {"T_BASE", "BASE STATE T IN IDEALIZED CASES", "K", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.theta_base; }},
        {"Z_BASE", "BASE STATE HEIGHT IN IDEALIZED CASES", "m", "", at::column,
         [](Source s) -> FieldPoints { return &s.grid.z_base; }},
    };
}

/// Fields of the initial file that none of these is.
std::vector<HistoryField> carried(const Config &config, const std::vector<HistoryField> &others) {
    std::vector<std::string> made;
    for (const HistoryField &field : others) made.push_back(field.name);
    std::vector<HistoryField> fields;
    for (const CarriedField &c : carried_fields(config, made))
        fields.push_back({c.name, c.description, c.units, "", c.where,
                          [name = c.name](Source s) -> FieldPoints { return s.carried.points(name); }, true,
                          c.type, true});
    return fields;
}

} // namespace

bool integrates_moist_theta(const Config &config) {
    return config.dynamics.moist_theta && scalars_of(config).moist();
}

std::vector<HistoryField> history_fields(const Config &config) {
    const ScalarSet scalars = scalars_of(config);
    std::vector<HistoryField> fields;
    const auto append = [&](std::vector<HistoryField> group) {
        std::ranges::move(group, std::back_inserter(fields));
    };
    for (auto &group : {coordinates(), wind(), temperature(config), carried_by_the_air(scalars),
                        precipitation(scalars), mass(), map(), vertical()})
        append(group);
    append(carried(config, fields));
    return fields;
}

} // namespace squall
