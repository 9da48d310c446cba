#include "physics/radiation/cloud_tables.hpp"

#include <algorithm>

#include "physics/radiation/table_file.hpp"

namespace squall::radiation {
namespace {

/// Of the three roughnesses of ice in the tables, the middle one.
constexpr int roughness = 1, roughnesses = 3;

} // namespace

CloudTables CloudTables::read(const std::string &path) {
    const TableFile file(path, TableFile::fetch_anew);
    CloudTables t;
    t.bands_ = file.size("nband");
    const auto kind = [&](const std::string &name, const std::string &dimension) {
        const int sizes = file.size(dimension);
        const double first = file.number("rad" + name + "_lwr"), last = file.number("rad" + name + "_upr");
        const auto table = [&](const std::string &what) {
            const bool rough = name == "ice";
            auto all = file.reals("lut_" + what + name, rough ? std::vector<int>{roughnesses, t.bands_, sizes}
                                                              : std::vector<int>{t.bands_, sizes});
            const std::ptrdiff_t one = std::ptrdiff_t(t.bands_) * sizes;
            return rough
                       ? std::vector<real>(all.begin() + roughness * one, all.begin() + (roughness + 1) * one)
                       : all;
        };
        // The tables of ice go by diameter.
        const double half = name == "ice" ? 0.5 : 1;
        return Kind{half * first, half * (last - first) / (sizes - 1), sizes, table("ext"), table("ssa"),
                    table("asy")};
    };
    t.drops_ = kind("liq", "nsize_liq");
    t.crystals_ = kind("ice", "nsize_ice");
    return t;
}

void CloudTables::set(const Layer &layer, bool narrowed, CloudOptics *bands) const {
    std::fill_n(bands, bands_, CloudOptics{});
    add(drops_, layer.cloud[liquid], narrowed, bands);
    add(crystals_, layer.cloud[ice], narrowed, bands);
    add(crystals_, layer.cloud[snow], narrowed, bands);
}

/// Particles larger than the tables know are seen as their cross-section is, which is as mass over radius.
void CloudTables::add(const Kind &kind, const Cloud &cloud, bool narrowed, CloudOptics *bands) const {
    if (!(cloud.path > 0)) return;
    const double largest = kind.first + kind.step * (kind.sizes - 1);
    const double path = cloud.path * std::min(1.0, largest / cloud.radius);
    const double position = std::clamp((cloud.radius - kind.first) / kind.step, 0.0, kind.sizes - 1.0);
    const int index = std::min(static_cast<int>(position), kind.sizes - 2);
    const double fraction = position - index;
    for (int b = 0; b < bands_; ++b) {
        const auto in = [&](const std::vector<real> &table) {
            const real *row = table.data() + std::ptrdiff_t(b) * kind.sizes + index;
            return (1 - fraction) * double(row[0]) + fraction * double(row[1]);
        };
        const double albedo = in(kind.albedo), asymmetry = in(kind.asymmetry);
        const double depth = path * in(kind.extinction);
        double scattered = depth * albedo;
        double forward = scattered * asymmetry;
        if (narrowed) { // what is scattered within the forward peak g^2 goes on unscattered
            const double peak = asymmetry * asymmetry;
            forward -= scattered * peak;
            bands[b].peak += real(scattered * peak);
            scattered -= scattered * peak;
        }
        bands[b].absorbed += real(depth * (1 - albedo));
        bands[b].scattered += real(scattered);
        bands[b].forward += real(forward);
    }
}

} // namespace squall::radiation
