#include "output/history_fields.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "diagnostics/table.hpp"
#include "grid/scalars.hpp"
#include "output/diagnosed.hpp"
#include "output/fire_fields.hpp"
#include "output/grid_fields.hpp"
#include "output/physics_fields.hpp"
#include "output/surface_fields.hpp"
#include "physics/declared_state.hpp"

namespace squall {
namespace {

using Source = const HistorySource &;

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
         {fixed(coordinate_fields()), wind(), temperature(config), carried_by_the_air(scalars),
          precipitation_fields(scalars, config.physics.cumulus != "none"), radiation_fields(config),
          gravity_wave_fields(config), mass(), fixed(surface(config)), surface_fields(config),
          fire_fields(config), fixed(map_fields()), fixed(level_fields())})
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
