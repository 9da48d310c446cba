#include "physics/boundary_layer_scheme.hpp"
#include "physics/gravity_wave_drag_scheme.hpp"
#include "physics/land_scheme.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/surface_layer_scheme.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "grid/scalars.hpp"
#include "physics/bulk/bulk.hpp"
#include "physics/condensation/condensation.hpp"
#include "physics/eta/eta.hpp"
#include "physics/gravity_wave_drag/kim_arakawa.hpp"
#include "physics/grell_freitas/grell_freitas.hpp"
#include "physics/kain_fritsch/kain_fritsch.hpp"
#include "physics/kessler/kessler.hpp"
#include "physics/lin/lin.hpp"
#include "physics/morrison/morrison.hpp"
#include "physics/myj/myj.hpp"
#include "physics/mynn/mynn.hpp"
#include "physics/mynn_edmf/mynn_edmf.hpp"
#include "physics/mynn_surface/mynn_surface.hpp"
#include "physics/noah/noah.hpp"
#include "physics/noah_mp/noah_mp.hpp"
#include "physics/prescribed_fluxes/prescribed_fluxes.hpp"
#include "physics/resolved/resolved.hpp"
#include "physics/revised_mm5/mm5.hpp"
#include "physics/revised_mm5/revised_mm5.hpp"
#include "physics/slab/slab.hpp"
#include "physics/thompson/thompson.hpp"
#include "physics/tiedtke/tiedtke.hpp"
#include "physics/tiedtke_1989/tiedtke_1989.hpp"
#include "physics/wdm/wdm.hpp"
#include "physics/wsm3/wsm3.hpp"
#include "physics/wsm5/wsm5.hpp"
#include "physics/wsm6/wsm6.hpp"
#include "physics/ysu/ysu.hpp"

namespace squall {
namespace {

template <class Entry>
const Entry &named(const std::map<std::string, Entry> &all, const std::string &kind,
                   const std::string &name) {
    const auto found = all.find(name);
    if (found == all.end()) throw std::runtime_error(fmt::format("there is no {} scheme \"{}\"", kind, name));
    return found->second;
}

} // namespace

const std::map<std::string, MicrophysicsEntry> &microphysics_schemes() {
    static const std::map<std::string, MicrophysicsEntry> all{
        {"condensation", condensation_scheme()},
        {"kessler", kessler_scheme()},
        {"lin", lin_scheme()},
        {"morrison", morrison_scheme()},
        {"morrison-graupel", morrison_graupel_scheme()},
        {"thompson", thompson_scheme()},
        {"wdm5", wdm5_scheme()},
        {"wdm6", wdm6_scheme()},
        {"thompson-aerosol", thompson_aerosol_scheme()},
        {"wsm3", wsm3_scheme()},
        {"wsm5", wsm5_scheme()},
        {"wsm6", wsm6_scheme()},
    };
    return all;
}

const std::map<std::string, BoundaryLayerEntry> &boundary_layer_schemes() {
    static const std::map<std::string, BoundaryLayerEntry> all{
        {"bulk", bulk_scheme()},
        {"myj", myj_scheme()},
        {"mynn", mynn_scheme()},
        {"mynn-edmf", mynn_edmf_scheme()},
        {"mynn-edmf-advected", mynn_edmf_advected_scheme()},
        {"mynn-edmf-blended", mynn_edmf_blended_scheme()},
        {"resolved", resolved_scheme()},
        {"ysu", ysu_scheme()},
    };
    return all;
}

const std::map<std::string, SurfaceLayerEntry> &surface_layer_schemes() {
    static const std::map<std::string, SurfaceLayerEntry> all{
        {"eta", eta_scheme()},
        {"mm5", mm5_scheme()},
        {"mynn", mynn_surface_scheme()},
        {"prescribed-fluxes", prescribed_fluxes_scheme()},
        {"revised-mm5", revised_mm5_scheme()},
        {"revised-mm5-donelan", revised_mm5_donelan_scheme()},
        {"revised-mm5-garratt", revised_mm5_garratt_scheme()},
    };
    return all;
}

const std::map<std::string, LandEntry> &land_schemes() {
    static const std::map<std::string, LandEntry> all{
        {"noah", noah_scheme()},
        {"noah-mp", noah_mp_scheme()},
        {"slab", slab_scheme()},
    };
    return all;
}

const std::map<std::string, CumulusEntry> &cumulus_schemes() {
    static const std::map<std::string, CumulusEntry> all{
        {"grell-freitas", grell_freitas_scheme()}, {"grell-freitas-shallow", grell_freitas_shallow_scheme()},
        {"kain-fritsch", kain_fritsch_scheme()},   {"tiedtke", tiedtke_scheme()},
        {"tiedtke-1989", tiedtke_1989_scheme()},
    };
    return all;
}

const std::map<std::string, GravityWaveDragEntry> &gravity_wave_drag_schemes() {
    static const std::map<std::string, GravityWaveDragEntry> all{{"kim-arakawa", kim_arakawa_scheme()}};
    return all;
}

const CumulusEntry &cumulus_scheme(const std::string &name) {
    return named(cumulus_schemes(), "cumulus", name);
}

int index_of(Number number, const MicrophysicsEntry &scheme, const ScalarSet &scalars) {
    const auto found = std::ranges::find(scheme.numbers, number);
    return found == scheme.numbers.end() ? -1
                                         : scalars.waters + static_cast<int>(found - scheme.numbers.begin());
}

bool has_simple_ice(const PhysicsConfig &config) {
    const auto found = microphysics_schemes().find(config.microphysics);
    return found != microphysics_schemes().end() && found->second.simple_ice;
}

bool carries_aerosol(const PhysicsConfig &config) {
    const auto found = microphysics_schemes().find(config.microphysics);
    return found != microphysics_schemes().end() &&
           std::ranges::find(found->second.numbers, Number::water_friendly) != found->second.numbers.end();
}

const MicrophysicsEntry &microphysics_scheme(const std::string &name) {
    return named(microphysics_schemes(), "microphysics", name);
}

const BoundaryLayerEntry &boundary_layer_scheme(const std::string &name) {
    return named(boundary_layer_schemes(), "boundary layer", name);
}

const SurfaceLayerEntry &surface_layer_scheme(const std::string &name) {
    return named(surface_layer_schemes(), "surface layer", name);
}

const GravityWaveDragEntry &gravity_wave_drag_scheme(const std::string &name) {
    return named(gravity_wave_drag_schemes(), "gravity-wave drag", name);
}

const LandEntry &land_scheme(const std::string &name) { return named(land_schemes(), "land", name); }

} // namespace squall
