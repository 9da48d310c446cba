// Parcels in the table of derived fields.
#include <cmath>

#include "diagnostics/derived_field.hpp"
#include "diagnostics/parcel.hpp"

namespace squall {
namespace {

void load(const SeenAir &air, int i, int j, ParcelColumn &c) {
    for (int k = 0; k < c.layers(); ++k) {
        c.pressure[k] = air.pressure(i, k, j);
        c.ln_p[k] = std::log(c.pressure[k]);
        c.temperature[k] = air.temperature(i, k, j);
        c.vapour[k] = std::max<double>(air.mixing_ratio(i, k, j), 1e-8);
        c.virtual_temperature[k] = virtual_temperature(c.temperature[k], c.vapour[k]);
        c.height[k] = air.height(i, k, j);
    }
}

OfColumns ascents(ParcelStart start) {
    return [start](const SeenAir &air, const Range &tile, const Planes &out) {
        ParcelColumn column(air.grid.nz);
        for (int j = tile.j0; j < tile.j1; ++j)
            for (int i = tile.i0; i < tile.i1; ++i) {
                load(air, i, j, column);
                const Ascent found = rise(column, start);
                out[0](i, j) = static_cast<real>(found.cape);
                out[1](i, j) = found.free ? static_cast<real>(found.cin) : missing;
                out[2](i, j) = static_cast<real>(found.condensation);
                out[3](i, j) = found.free ? static_cast<real>(found.free_convection) : missing;
            }
    };
}

/// Which air rises: the end of names, and how that is said.
struct Whose {
    ParcelStart start;
    std::string suffix, whose, which;
};

/// CF has a name for the air at the surface, and one for any other: the most unstable has it.
std::string standard(const Whose &w, const std::string &name) {
    if (w.start == ParcelStart::surface) return name + "_wrt_surface";
    return w.start == ParcelStart::most_unstable ? name : "";
}

std::vector<DerivedField> fields_of(const Whose &w) {
    const std::string buoyancy =
        "pseudoadiabatic, buoyancy of virtual temperature (Doswell and Rasmussen 1994)" + w.which;
    const auto row = [&](const char *name, const char *what, const char *units, const char *of_cf,
                         const std::string &source, std::size_t result, bool may_miss) {
        return DerivedField{name + w.suffix,
                            what + w.whose,
                            units,
                            standard(w, of_cf),
                            source,
                            {Need::vapour},
                            {},
                            ascents(w.start),
                            "ascent" + w.suffix,
                            result,
                            may_miss};
    };
    return {row("cape", "CAPE ", "J kg-1", "atmosphere_convective_available_potential_energy",
                "buoyancy integrated above the level of free convection; " + buoyancy, 0, false),
            row("cin", "CIN ", "J kg-1", "atmosphere_convective_inhibition",
                "negative buoyancy integrated below the level of free convection, as a positive number; " +
                    buoyancy,
                1, true),
            row("lcl", "condensation level ", "m", "atmosphere_lifting_condensation_level",
                "Bolton (1980), equation 15" + w.which, 2, false),
            row("lfc", "level of free convection ", "m", "atmosphere_level_of_free_convection",
                "the lowest level above condensation from which buoyancy is positive; " + buoyancy, 3, true)};
}

} // namespace

std::vector<DerivedField> parcel_fields() {
    std::vector<DerivedField> fields;
    for (const Whose &w :
         {Whose{ParcelStart::surface, "", "of the lowest layer", ""},
          Whose{ParcelStart::mixed_layer, "_mixed_layer", "of mixed air", "; the lowest 100 hPa, mixed"},
          Whose{ParcelStart::most_unstable, "_most_unstable", "of the most unstable air",
                "; the layer of highest theta_e (Bolton 1980, equation 39) in the lowest 300 hPa"}})
        for (DerivedField &field : fields_of(w)) fields.push_back(std::move(field));
    return fields;
}

} // namespace squall
