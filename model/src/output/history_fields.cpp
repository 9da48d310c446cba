#include "output/history_fields.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "diagnostics/table.hpp"
#include "grid/scalars.hpp"
#include "output/diagnosed.hpp"
#include "output/surface_fields.hpp"
#include "physics/declared_state.hpp"
#include "physics/sunlit_ground.hpp"

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
        fields[0].points = [](Source s) -> FieldPoints {
            return s.rows.count > 0 ? s.diagnosed->theta(s.rows) : s.diagnosed->theta();
        };
        fields.push_back({"THM",
                          "either 1) pert moist pot temp=(1+Rv/Rd Qv)*(theta)-T0, or 2) pert dry pot temp=t",
                          "K", "", at::cells, integrated});
    }
    return fields;
}

/// Names of CF for what the air carries and for what an initial file holds of the ground.
std::string standard_name(const std::string &field) {
    static const std::map<std::string, std::string> names{
        {"QVAPOR", "humidity_mixing_ratio"},
        {"QCLOUD", "cloud_liquid_water_mixing_ratio"},
        {"QICE", "cloud_ice_mixing_ratio"},
        {"TKE", "specific_turbulent_kinetic_energy_of_air"},
        {"LANDMASK", "land_binary_mask"},
        {"TSK", "surface_temperature"},
        {"SST", "sea_surface_temperature"},
        {"SEAICE", "sea_ice_area_fraction"},
        {"XICE", "sea_ice_area_fraction"},
        {"SNOW", "surface_snow_amount"},
        {"SNOWH", "surface_snow_thickness"},
        {"TSLB", "soil_temperature"},
        {"SMOIS", "volume_fraction_of_condensed_water_in_soil"},
        {"CANWAT", "canopy_water_amount"},
        {"ALBEDO", "surface_albedo"},
        {"LAI", "leaf_area_index"},
        {"ZS", "depth"},
        {"CLAT", "latitude"},
        {"CLONG", "longitude"},
    };
    const auto found = names.find(field);
    return found == names.end() ? "" : found->second;
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
std::vector<HistoryField> precipitation(const ScalarSet &scalars, bool convects) {
    if (!scalars.moist()) return {};
    const auto none = [](Source) -> FieldPoints { return real(0); };
    const auto accumulated = [](std::vector<HistoryField> fields) {
        for (HistoryField &field : fields)
            if (field.units == "mm") field.cell_methods = since_the_start;
        return fields;
    };
    std::vector<HistoryField> fields{{"RAINC", "ACCUMULATED TOTAL CUMULUS PRECIPITATION", "mm",
                                      "lwe_thickness_of_convective_precipitation_amount", at::plane, none},
                                     {"RAINNC", "ACCUMULATED TOTAL GRID SCALE PRECIPITATION", "mm",
                                      "lwe_thickness_of_stratiform_precipitation_amount", at::plane, none}};
    if (convects)
        fields.front().points = [](Source s) -> FieldPoints {
            return s.physics.convection.accumulated.view();
        };
    if (scalars.rain < 0) return accumulated(fields);
    fields.back().points = [](Source s) -> FieldPoints { return s.physics.rain.view(); };
    if (scalars.snow >= 0)
        fields.push_back({"SNOWNC", "ACCUMULATED TOTAL GRID SCALE SNOW AND ICE", "mm",
                          "lwe_thickness_of_snowfall_amount", at::plane,
                          [](Source s) -> FieldPoints { return s.physics.snow.view(); }});
    if (scalars.graupel >= 0)
        fields.push_back({"GRAUPELNC", "ACCUMULATED TOTAL GRID SCALE GRAUPEL", "mm", "", at::plane,
                          [](Source s) -> FieldPoints { return s.physics.graupel.view(); }});
    fields.push_back({"H_DIABATIC", "MICROPHYSICS LATENT HEATING", "K s-1", "", at::cells,
                      [](Source s) -> FieldPoints { return s.physics.heating.view(); }, false});
    return accumulated(fields);
}

std::vector<HistoryField> radiative(const Config &config) {
    if (config.physics.radiation == "none") return {};
    const auto plane = [](const char *name, const char *description, const char *units, const char *standard,
                          Array2 RadiationState::*member) {
        return HistoryField{
            name,      description,
            units,     standard,
            at::plane, [member](Source s) -> FieldPoints { return (s.physics.radiation.*member).view(); }};
    };
    using R = RadiationState;
    std::vector<HistoryField> fields{
        plane("SWDOWN", "DOWNWARD SHORT WAVE FLUX AT GROUND SURFACE", "W m-2",
              "surface_downwelling_shortwave_flux_in_air", &R::shortwave_down),
        plane("GSW", "NET SHORT WAVE FLUX AT GROUND SURFACE", "W m-2", "surface_net_downward_shortwave_flux",
              &R::shortwave_net),
        plane("GLW", "DOWNWARD LONG WAVE FLUX AT GROUND SURFACE", "W m-2",
              "surface_downwelling_longwave_flux_in_air", &R::longwave_down),
        plane("SWDNB", "INSTANTANEOUS DOWNWELLING SHORTWAVE FLUX AT BOTTOM", "W m-2",
              "surface_downwelling_shortwave_flux_in_air", &R::shortwave_down),
        plane("OLR", "TOA OUTGOING LONG WAVE", "W m-2", "toa_outgoing_longwave_flux", &R::longwave_up_top),
        plane("SWDNT", "INSTANTANEOUS DOWNWELLING SHORTWAVE FLUX AT TOP", "W m-2",
              "toa_incoming_shortwave_flux", &R::shortwave_down_top),
        plane("SWUPT", "INSTANTANEOUS UPWELLING SHORTWAVE FLUX AT TOP", "W m-2",
              "toa_outgoing_shortwave_flux", &R::shortwave_up_top),
        plane("COSZEN", "COS of SOLAR ZENITH ANGLE", "1", "", &R::cosine),
        {"RTHRATEN", "THETA TENDENCY DUE TO RADIATION", "K s-1", "", at::cells,
         [](Source s) -> FieldPoints { return s.physics.radiation.heating.view(); }, false}};
    fields.push_back(plane("SWDDIR", "SHORTWAVE SURFACE DOWNWARD DIRECT IRRADIANCE", "W m-2",
                           "surface_direct_downwelling_shortwave_flux_in_air", &R::shortwave_direct));
    fields.back().by_default = false;
    if (SunlitGround::wanted(config.physics))
        fields.push_back(plane("SWNORM", "NORMAL SHORT WAVE FLUX AT GROUND SURFACE (SLOPE-DEPENDENT)",
                               "W m-2", "", &R::shortwave_on_relief));
    return fields;
}

/// By mountains within cells; components along the grid.
std::vector<HistoryField> gravity_waves(const Config &config) {
    if (config.physics.gravity_wave_drag == "none") return {};
    const auto volume = [](const char *name, const char *description, Array3 GravityWaveState::*member) {
        return HistoryField{
            name,      description,
            "m s-2",   "",
            at::cells, [member](Source s) -> FieldPoints {
                                return (s.physics.gravity_waves.*member).view(); },
            false};
    };
    const auto plane = [](const char *name, const char *description, Array2 GravityWaveState::*member) {
        return HistoryField{name,
                            description,
                            "N m-2",
                            "",
                            at::plane,
                            [member](Source s) -> FieldPoints {
                return (s.physics.gravity_waves.*member).view(); }};
    };
    using G = GravityWaveState;
    return {plane("DUSFCG", "VERTICALLY INTEGRATED U-STRESS DUE TO OROGRAPHIC DRAG", &G::stress_u),
            plane("DVSFCG", "VERTICALLY INTEGRATED V-STRESS DUE TO OROGRAPHIC DRAG", &G::stress_v),
            volume("DTAUX3D", "LOCAL U TENDENCY DUE TO OROGRAPHIC DRAG", &G::u),
            volume("DTAUY3D", "LOCAL V TENDENCY DUE TO OROGRAPHIC DRAG", &G::v)};
}

std::vector<HistoryField> mass() {
    const std::set<std::string> of_the_base{"PHB", "MUB", "PB", "ALB", "HGT"};
    std::vector<HistoryField> fields{
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
         [](Source s) -> FieldPoints { return s.diagnosed->psfc(); }},
        {"HGT", "Terrain Height", "m", "surface_altitude", at::plane,
         [](Source s) -> FieldPoints { return s.grid.terrain.view(); }},
    };
    for (HistoryField &field : fields) field.fixed = of_the_base.contains(field.name);
    return fields;
}

/// What boundary layers lie on, where it is not the initial file's: an ocean.
std::vector<HistoryField> surface(const Config &config) {
    const real temperature = real(config.physics.surface_temperature);
    std::vector<HistoryField> fields;
    if (temperature > 0 && config.physics.surface_layer == "none")
        fields.push_back({"TSK", "SURFACE SKIN TEMPERATURE", "K", "surface_temperature", at::plane,
                          [temperature](Source) -> FieldPoints { return temperature; }});
    if (temperature > 0 && projection_file(config).empty())
        fields.push_back({"LANDMASK", "LAND MASK (1 FOR LAND, 0 FOR WATER)", "", "land_binary_mask",
                          at::plane, [](Source) -> FieldPoints { return real(0); }});
    return fields;
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

FieldPoints points_of(const DerivedField &field, Source s) {
    if (field.layers) return s.derivation->layers(field);
    return s.derivation->columns(field);
}

/// What this run can derive.
std::vector<HistoryField> derived(const Config &config) {
    const std::set<Need> met = needs_met(config);
    std::vector<HistoryField> fields;
    const auto add = [&](const auto &row, Location where, auto points) -> HistoryField & {
        fields.push_back({row.name, row.description, row.units, row.standard_name, where, points, false});
        fields.back().cell_methods = row.cell_methods;
        return fields.back();
    };
    for (const DerivedField &row : derived_fields())
        if (lacking(row.needs, met).empty())
            add(row, row.layers ? at::cells : at::plane, [&row](Source s) {
                return points_of(row, s);
            }).derived = &row;
    for (const RunningField &row : running_fields()) // of the ground that a cell was over since then
        if (lacking(row.needs, met).empty() && !config.identity.moves)
            add(row, at::plane, [&row](Source s) -> FieldPoints {
                return s.since->of(row, s.hours_since);
            }).running = &row;
    return fields;
}

std::vector<HistoryField> fixed(std::vector<HistoryField> fields) {
    for (HistoryField &field : fields) field.fixed = true;
    return fields;
}

/// Fields of the initial file that none of these is.
std::vector<HistoryField> carried(const Config &config, const std::vector<HistoryField> &others) {
    std::vector<std::string> made;
    for (const HistoryField &field : others) made.push_back(field.name);
    std::vector<HistoryField> fields;
    const int layers = surface_state_of(config, {}).soil_layers;
    for (const CarriedField &c : carried_fields(config, made))
        if (layers == 0 || c.where.levels != Levels::soil || c.where.soil_layers == layers)
            fields.push_back({c.name, c.description, c.units, standard_name(c.name), c.where,
                              [name = c.name](Source s) -> FieldPoints { return s.carried.points(name); },
                              true, c.type, true});
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
    for (auto &group :
         {fixed(coordinates()), wind(), temperature(config), carried_by_the_air(scalars),
          precipitation(scalars, config.physics.cumulus != "none"), radiative(config), gravity_waves(config),
          mass(), fixed(surface(config)), surface_fields(config), fixed(map()), fixed(vertical())})
        append(group);
    auto of_the_air = derived(config);
    std::erase_if(of_the_air, [&](const HistoryField &field) { // what the surface layer says itself
        return std::ranges::find(fields, field.name, &HistoryField::name) != fields.end();
    });
    auto names = fields;
    std::ranges::copy(of_the_air, std::back_inserter(names));
    append(fixed(carried(config, names)));
    append(of_the_air);
    return fields;
}

} // namespace squall
