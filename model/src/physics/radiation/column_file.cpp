#include "physics/radiation/column_file.hpp"

#include <utility>

#include "physics/radiation/standard_air.hpp"
#include "physics/radiation/table_file.hpp"

namespace squall::radiation {
namespace {

/// Variables of a file, column by column.
class Columns {
  public:
    explicit Columns(const std::string &path)
        : file_(path, "squall-radiation --help describes the file of columns"),
          columns_(file_.size("column")), levels_(file_.size("level")) {
        if (levels_ < 3 || file_.size("layer") != levels_ - 1)
            file_.fail("dimension layer must be one less than level");
    }

    bool has(const std::string &name) const { return file_.has(name); }
    int columns() const { return columns_; }
    int layers() const { return levels_ - 1; }
    std::vector<real> surface(const std::string &name) const { return file_.reals(name, {columns_}); }
    /// f(column, value) for all columns of a variable with one value for each.
    template <class F> void each(const std::string &name, F f) const {
        const auto values = surface(name);
        for (std::size_t n = 0; n < values.size(); ++n) f(n, double(values[n]));
    }
    /// f(column, level or layer, value) for all of a variable with so many for each column.
    template <class F> void each(const std::string &name, int points, F f) const {
        const auto values = file_.reals(name, {columns_, points});
        const auto row = static_cast<std::size_t>(points);
        for (std::size_t n = 0; n < values.size(); ++n) f(n / row, n % row, double(values[n]));
    }

  private:
    TableFile file_;
    int columns_, levels_;
};

void read_air(const Columns &file, std::vector<Column> &all) {
    const int layers = file.layers();
    file.each("pressure", layers + 1, [&](auto c, auto k, double x) { all[c].pressure[k] = x; });
    file.each("temperature", layers + 1, [&](auto c, auto k, double x) { all[c].temperature[k] = x; });
    file.each("layer_pressure", layers, [&](auto c, auto k, double x) { all[c].layers[k].pressure = x; });
    file.each("layer_temperature", layers,
              [&](auto c, auto k, double x) { all[c].layers[k].temperature = x; });
    for (std::size_t gas = h2o; gas < gas_count; ++gas)
        if (file.has(gas_names[gas]))
            file.each(gas_names[gas], layers,
                      [&](auto c, auto k, double x) { all[c].layers[k].ratios[gas] = real(x); });
}

void read_clouds(const Columns &file, std::vector<Column> &all) {
    if (!file.has("cover")) return;
    const int layers = file.layers();
    file.each("cover", layers, [&](auto c, auto k, double x) { all[c].layers[k].cover = x; });
    const std::string names[cloud_kinds] = {"liquid", "ice", "snow"};
    for (std::size_t kind = 0; kind < cloud_kinds; ++kind) {
        if (!file.has(names[kind] + "_path")) continue;
        file.each(names[kind] + "_path", layers,
                  [&](auto c, auto k, double x) { all[c].layers[k].cloud[kind].path = x; });
        file.each(names[kind] + "_radius", layers,
                  [&](auto c, auto k, double x) { all[c].layers[k].cloud[kind].radius = x; });
    }
    for (const auto &[name, path] : {std::pair("rain_path", &Layer::rain), {"graupel_path", &Layer::graupel}})
        if (file.has(name))
            file.each(name, layers,
                      [&, path = path](auto c, auto k, double x) { all[c].layers[k].*path = x; });
}

void read_surface(const Columns &file, std::vector<Column> &all) {
    file.each("surface_temperature", [&](auto c, double x) { all[c].ground.temperature = x; });
    file.each("emissivity", [&](auto c, double x) { all[c].ground.emissivity = x; });
    file.each("albedo", [&](auto c, double x) { all[c].ground.albedo = x; });
    file.each("cosine", [&](auto c, double x) { all[c].sun.cosine = x; });
    file.each("irradiance", [&](auto c, double x) { all[c].sun.irradiance = x; });
}

/// What the file leaves to the climatology.
void complete(const Columns &file, std::vector<Column> &all) {
    std::vector<Season> seasons(all.size());
    file.each("latitude", [&](auto c, double x) { seasons[c].latitude = x; });
    file.each("longitude", [&](auto c, double x) { seasons[c].longitude = x; });
    file.each("day", [&](auto c, double x) { seasons[c].day = x; });
    file.each("year", [&](auto c, double year) {
        Column &column = all[c];
        for (Layer &layer : column.layers) {
            const real water = layer.ratios[h2o];
            layer.ratios = well_mixed(year);
            layer.ratios[h2o] = water;
        }
        const int layers = column.size();
        column.resize(layers + layers_above(column.pressure.back()));
        add_air_above(column, layers);
        set_ozone(column, seasons[c], 0);
    });
}

} // namespace

std::vector<Column> read_columns(const std::string &path) {
    const Columns file(path);
    std::vector<Column> all(static_cast<std::size_t>(file.columns()));
    for (Column &column : all) {
        column.resize(file.layers());
        for (Layer &layer : column.layers) layer.ratios[dry_air] = 1;
    }
    read_air(file, all);
    read_clouds(file, all);
    read_surface(file, all);
    if (file.has("latitude")) complete(file, all);
    return all;
}

} // namespace squall::radiation
