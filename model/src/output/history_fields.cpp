#include "output/history_fields.hpp"

namespace squall {
namespace {

using Source = const HistorySource &;

std::vector<HistoryField> coordinates() {
    return {
        {"XLAT", "LATITUDE, SOUTH IS NEGATIVE", "degree_north", "latitude", at::plane,
         [](Source s) -> Points { return s.grid.lat.view(); }},
        {"XLONG", "LONGITUDE, WEST IS NEGATIVE", "degree_east", "longitude", at::plane,
         [](Source s) -> Points { return s.grid.lon.view(); }},
        {"XLAT_U", "LATITUDE, SOUTH IS NEGATIVE", "degree_north", "latitude", at::plane_x_faces,
         [](Source s) -> Points { return s.faces.lat_u.view(); }},
        {"XLONG_U", "LONGITUDE, WEST IS NEGATIVE", "degree_east", "longitude", at::plane_x_faces,
         [](Source s) -> Points { return s.faces.lon_u.view(); }},
        {"XLAT_V", "LATITUDE, SOUTH IS NEGATIVE", "degree_north", "latitude", at::plane_y_faces,
         [](Source s) -> Points { return s.faces.lat_v.view(); }},
        {"XLONG_V", "LONGITUDE, WEST IS NEGATIVE", "degree_east", "longitude", at::plane_y_faces,
         [](Source s) -> Points { return s.faces.lon_v.view(); }},
    };
}

std::vector<HistoryField> flow() {
    return {
        {"U", "x-wind component", "m s-1", "x_wind", at::x_faces,
         [](Source s) -> Points { return s.state.u.view(); }},
        {"V", "y-wind component", "m s-1", "y_wind", at::y_faces,
         [](Source s) -> Points { return s.state.v.view(); }},
        {"W", "z-wind component", "m s-1", "upward_air_velocity", at::interfaces,
         [](Source s) -> Points { return s.state.w.view(); }},
        {"T", "perturbation potential temperature theta-t0", "K", "", at::cells,
         [](Source s) -> Points { return s.state.theta.view(); }},
        // The air is dry; wrf-python's moist diagnostics (slp, rh, ...) need the field.
        {"QVAPOR", "Water vapor mixing ratio", "kg kg-1", "humidity_mixing_ratio", at::cells,
         [](Source) -> Points { return real(0); }},
        {"PH", "perturbation geopotential", "m2 s-2", "", at::interfaces,
         [](Source s) -> Points { return s.state.ph.view(); }},
        {"PHB", "base-state geopotential", "m2 s-2", "", at::interfaces,
         [](Source s) -> Points { return s.grid.phb.view(); }},
        {"MU", "perturbation dry air mass in column", "Pa", "", at::plane,
         [](Source s) -> Points { return s.state.mu.view(); }},
        {"MUB", "base state dry air mass in column", "Pa", "", at::plane,
         [](Source s) -> Points { return s.grid.mub.view(); }},
        {"P", "perturbation pressure", "Pa", "", at::cells, [](Source s) -> Points { return s.p.view(); }},
        {"PB", "BASE STATE PRESSURE", "Pa", "", at::cells,
         [](Source s) -> Points { return s.grid.pb.view(); }},
        {"PSFC", "SFC PRESSURE", "Pa", "surface_air_pressure", at::plane,
         [](Source s) -> Points { return s.psfc.view(); }},
        {"HGT", "Terrain Height", "m", "surface_altitude", at::plane,
         [](Source s) -> Points { return s.grid.terrain.view(); }},
    };
}

std::vector<HistoryField> map() {
    return {
        {"MAPFAC_M", "Map scale factor on mass grid", "", "", at::plane,
         [](Source s) -> Points { return s.grid.msftx.view(); }},
        {"MAPFAC_U", "Map scale factor on u-grid", "", "", at::plane_x_faces,
         [](Source s) -> Points { return s.grid.msfux.view(); }},
        {"MAPFAC_V", "Map scale factor on v-grid", "", "", at::plane_y_faces,
         [](Source s) -> Points { return s.grid.msfvx.view(); }},
        {"MAPFAC_MX", "Map scale factor on mass grid, x direction", "", "", at::plane,
         [](Source s) -> Points { return s.grid.msftx.view(); }},
        {"MAPFAC_MY", "Map scale factor on mass grid, y direction", "", "", at::plane,
         [](Source s) -> Points { return s.grid.msfty.view(); }},
        {"MAPFAC_UX", "Map scale factor on u-grid, x direction", "", "", at::plane_x_faces,
         [](Source s) -> Points { return s.grid.msfux.view(); }},
        {"MAPFAC_UY", "Map scale factor on u-grid, y direction", "", "", at::plane_x_faces,
         [](Source s) -> Points { return s.grid.msfuy.view(); }},
        {"MAPFAC_VX", "Map scale factor on v-grid, x direction", "", "", at::plane_y_faces,
         [](Source s) -> Points { return s.grid.msfvx.view(); }},
        {"MAPFAC_VY", "Map scale factor on v-grid, y direction", "", "", at::plane_y_faces,
         [](Source s) -> Points { return s.grid.msfvy.view(); }},
        {"F", "Coriolis sine latitude term", "s-1", "coriolis_parameter", at::plane,
         [](Source s) -> Points { return s.grid.f.view(); }},
        {"E", "Coriolis cosine latitude term", "s-1", "", at::plane,
         [](Source s) -> Points { return s.grid.e.view(); }},
        {"SINALPHA", "Local sine of map rotation", "", "", at::plane,
         [](Source s) -> Points { return s.grid.sina.view(); }},
        {"COSALPHA", "Local cosine of map rotation", "", "", at::plane,
         [](Source s) -> Points { return s.grid.cosa.view(); }},
        {"RDX", "INVERSE X GRID LENGTH", "m-1", "", at::nowhere,
         [](Source s) -> Points { return s.grid.rdx; }},
        {"RDY", "INVERSE Y GRID LENGTH", "m-1", "", at::nowhere,
         [](Source s) -> Points { return s.grid.rdy; }},
    };
}

std::vector<HistoryField> vertical() {
    return {
        {"ZNU", "eta values on half (mass) levels", "", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.znu; }},
        {"ZNW", "eta values on full (w) levels", "", "", at::column_interfaces,
         [](Source s) -> Points { return &s.grid.vertical.znw; }},
        {"DNW", "d(eta) values between full (w) levels", "", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.dnw; }},
        {"RDNW", "inverse d(eta) values between full (w) levels", "", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.rdnw; }},
        {"DN", "d(eta) values between half (mass) levels", "", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.dn; }},
        {"RDN", "inverse d(eta) values between half (mass) levels", "", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.rdn; }},
        {"FNM", "upper weight for vertical stretching", "", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.fnm; }},
        {"FNP", "lower weight for vertical stretching", "", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.fnp; }},
        {"CF1", "2nd order extrapolation constant", "", "", at::nowhere,
         [](Source s) -> Points { return s.grid.vertical.cf1; }},
        {"CF2", "2nd order extrapolation constant", "", "", at::nowhere,
         [](Source s) -> Points { return s.grid.vertical.cf2; }},
        {"CF3", "2nd order extrapolation constant", "", "", at::nowhere,
         [](Source s) -> Points { return s.grid.vertical.cf3; }},
        {"CFN", "extrapolation constant", "", "", at::nowhere,
         [](Source s) -> Points { return s.grid.vertical.cfn; }},
        {"CFN1", "extrapolation constant", "", "", at::nowhere,
         [](Source s) -> Points { return s.grid.vertical.cfn1; }},
        {"P_TOP", "PRESSURE TOP OF THE MODEL", "Pa", "", at::nowhere,
         [](Source s) -> Points { return s.grid.vertical.p_top; }},
        {"C1H", "half levels, c1h = d bf / d eta, using znw", "1", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.c1h; }},
        {"C2H", "half levels, c2h = (1-c1h)*(p0-pt)", "Pa", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.c2h; }},
        {"C3H", "half levels, c3h = bh", "1", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.c3h; }},
        {"C4H", "half levels, c4h = (eta-bh)*(p0-pt), using znu", "Pa", "", at::column,
         [](Source s) -> Points { return &s.grid.vertical.c4h; }},
        {"C1F", "full levels, c1f = d bf / d eta, using znu", "1", "", at::column_interfaces,
         [](Source s) -> Points { return &s.grid.vertical.c1f; }},
        {"C2F", "full levels, c2f = (1-c1f)*(p0-pt)", "Pa", "", at::column_interfaces,
         [](Source s) -> Points { return &s.grid.vertical.c2f; }},
        {"C3F", "full levels, c3f = bf", "1", "", at::column_interfaces,
         [](Source s) -> Points { return &s.grid.vertical.c3f; }},
        {"C4F", "full levels, c4f = (eta-bf)*(p0-pt), using znw", "Pa", "", at::column_interfaces,
         [](Source s) -> Points { return &s.grid.vertical.c4f; }},
        {"T_BASE", "BASE STATE T IN IDEALIZED CASES", "K", "", at::column,
         [](Source s) -> Points { return &s.grid.theta_base; }},
        {"Z_BASE", "BASE STATE HEIGHT IN IDEALIZED CASES", "m", "", at::column,
         [](Source s) -> Points { return &s.grid.z_base; }},
    };
}

} // namespace

const std::vector<HistoryField> &history_fields() {
    static const std::vector<HistoryField> all = [] {
        std::vector<HistoryField> fields;
        for (auto group : {coordinates(), flow(), map(), vertical()})
            for (auto &field : group) fields.push_back(std::move(field));
        return fields;
    }();
    return all;
}

} // namespace squall
