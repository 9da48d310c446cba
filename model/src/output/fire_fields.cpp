#include "output/fire_fields.hpp"

namespace squall {
namespace {

using Source = const HistorySource &;

HistoryField of_state(const char *name, const char *description, const char *units, Location where,
                      Array2 FireState::*member, bool by_default = true) {
    return {name,      description,
            units,     "",
            where,     [member](Source s) -> FieldPoints { return (s.physics.fire.*member).view(); },
            by_default};
}

HistoryField of_grid(const char *name, const char *description, const char *units, const char *standard_name,
                     Location where, Array2 FireGrid::*member) {
    return {name,  description,
            units, standard_name,
            where, [member](Source s) -> FieldPoints {
                return (s.grid.fire.*member).view(); }};
}

/// Of the ground; they never change.
std::vector<HistoryField> ground(const Config &config, Location cells) {
    using G = FireGrid;
    const bool plane = projection_file(config).empty();
    std::vector<HistoryField> fields{
        of_grid("FXLONG", "longitude of midpoints of fire cells", plane ? "m" : "degree_east",
                plane ? "" : "longitude", cells, &G::x),
        of_grid("FXLAT", "latitude of midpoints of fire cells", plane ? "m" : "degree_north",
                plane ? "" : "latitude", cells, &G::y),
        of_grid("NFUEL_CAT", "fuel data", "", "", cells, &G::category),
        of_grid("ZSF", "height of surface above sea level", "m", "surface_altitude", cells, &G::height)};
    for (HistoryField &field : fields) field.fixed = true;
    return fields;
}

} // namespace

std::vector<HistoryField> fire_fields(const Config &config) {
    if (!burns(config)) return {};
    using F = FireState;
    const Location cells = at::fire(config.fire.refinement_x, config.fire.ry());
    std::vector<HistoryField> fields = ground(config, cells);
    for (HistoryField &field : std::vector<HistoryField>{
             of_state("LFN", "level function", "m", cells, &F::level_set),
             of_state("TIGN_G", "ignition time on ground", "s", cells, &F::ignition_time),
             of_state("FUEL_FRAC", "fuel remaining", "1", cells, &F::fuel_left),
             of_state("FIRE_AREA", "fraction of cell area on fire", "1", cells, &F::area),
             of_state("ROS", "rate of spread", "m s-1", cells, &F::rate),
             of_state("FGRNHFX", "heat flux from ground fire", "W m-2", cells, &F::heat_flux),
             of_state("FGRNQFX", "moisture flux from ground fire", "W m-2", cells, &F::vapour_flux),
             of_state("FLAME_LENGTH", "fire flame length", "m", cells, &F::flame_length),
             of_state("ROS_FRONT", "rate of spread at fire front", "m s-1", cells, &F::front_rate),
             of_state("FMC_G", "ground fuel moisture contents", "1", cells, &F::moisture),
             of_state("UF", "fire wind, x-component", "m s-1", cells, &F::u),
             of_state("VF", "fire wind, y-component", "m s-1", cells, &F::v),
             of_state("BURNT_AREA_DT", "fraction of the fuel burnt in the time step", "1", cells, &F::burnt,
                      false),
             of_state("AVG_FUEL_FRAC", "fuel remaining averaged to atmospheric grid", "1", at::plane,
                      &F::mean_fuel_left),
             of_state("GRNHFX", "heat flux from ground fire", "W m-2", at::plane, &F::mean_heat_flux),
             of_state("GRNQFX", "moisture flux from ground fire", "W m-2", at::plane, &F::mean_vapour_flux)})
        fields.push_back(std::move(field));
    return fields;
}

bool has_fire_cells(const StreamConfig &s) {
    return !s.makes() && s.region.empty() && s.lonlatbox.empty() && s.stride == 1;
}

} // namespace squall
