#include "grid/scalars.hpp"

#include "config/config.hpp"

namespace squall {

ScalarSet scalars_of(const Config &config) {
    ScalarSet set;
    const auto add = [&](const char *name, const char *units, const char *description) {
        set.all.push_back({name, units, description});
        return set.size() - 1;
    };
    const auto water = [&](const char *name, const char *description) {
        return add(name, "kg kg-1", description);
    };
    const std::string &scheme = config.physics.microphysics;
    if (scheme != "none") {
        set.vapour = water("QVAPOR", "Water vapor mixing ratio");
        if (scheme != "vapour") {
            set.cloud = water("QCLOUD", "Cloud water mixing ratio");
            set.rain = water("QRAIN", "Rain water mixing ratio");
        }
        if (scheme == "wsm6") {
            set.ice = water("QICE", "Ice mixing ratio");
            set.snow = water("QSNOW", "Snow mixing ratio");
            set.graupel = water("QGRAUP", "Graupel mixing ratio");
        }
    }
    set.waters = set.size();
    if (config.diffusion.scheme == "tke") set.tke = add("TKE", "m2 s-2", "Turbulence kinetic energy");
    set.first_tracer = set.size();
    return set;
}

} // namespace squall
