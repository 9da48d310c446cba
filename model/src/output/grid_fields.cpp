#include "output/grid_fields.hpp"

namespace squall {
namespace {

using Source = const HistorySource &;

} // namespace

std::vector<HistoryField> coordinate_fields() {
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

std::vector<HistoryField> map_fields() {
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

std::vector<HistoryField> level_fields() {
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
        {"P_TOP", "PRESSURE TOP OF THE MODEL", "Pa", "air_pressure_at_top_of_atmosphere_model", at::nowhere,
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

} // namespace squall
