#include "output/physics_fields.hpp"

#include "physics/sunlit_ground.hpp"

namespace squall {
namespace {

using Source = const HistorySource &;

} // namespace

/// Moist air without rain has zeros, as in WRF.
std::vector<HistoryField> precipitation_fields(const ScalarSet &scalars, bool convects) {
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

std::vector<HistoryField> radiation_fields(const Config &config) {
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
std::vector<HistoryField> gravity_wave_fields(const Config &config) {
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

} // namespace squall
