/// How a stream that makes something of fields is declared.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "output/cell_mask.hpp"
#include "output/made.hpp"
#include "output/made_attributes.hpp"
#include "output/made_axes.hpp"
#include "output/made_levels.hpp"
#include "output/made_names.hpp"
#include "output/made_weights.hpp"
#include "output/place_declaration.hpp"
#include "settings/quantiles.hpp"

namespace squall {
namespace {

using Fields = std::vector<io::Field>;

[[noreturn]] void refuse(const Config &config, const StreamConfig &stream, const std::string &key,
                         const std::string &what) {
    throw ConfigError(
        fmt::format("{}:{}: output.{}.{}: {}", config.file, stream.line, stream.name, key, what));
}

bool has(const io::Field &field, const std::string &dimension) {
    return std::ranges::any_of(
        field.dimensions, [&](const std::string &d) { return d == dimension || d == dimension + "_stag"; });
}
bool horizontal(const io::Field &field) { return has(field, "west_east") && has(field, "south_north"); }
bool of_the_air(const io::Field &field) { return has(field, "bottom_top"); }
bool on_interfaces(const io::Field &field) {
    return std::ranges::find(field.dimensions, std::string("bottom_top_stag")) != field.dimensions.end();
}
bool whole_numbers(const io::Field &field) {
    return field.type != io::Type::f32 && field.type != io::Type::f64;
}

Location where(const io::Field &field) {
    for (const Location l : {at::x_faces, at::y_faces, at::interfaces})
        if (field.dimensions == dimensions_of(l)) return l;
    return at::cells;
}

Faces faces_of(const io::Field &field) {
    const auto has = [&](const char *d) {
        return std::ranges::find(field.dimensions, std::string(d)) != field.dimensions.end();
    };
    return has("west_east_stag") ? Faces::x : has("south_north_stag") ? Faces::y : Faces::none;
}

/// Of what a field's points count by: not every field's are on the layers of the air.
Location cells_of(const io::Field &field) {
    return {true,
            on_interfaces(field) ? Levels::interfaces
            : of_the_air(field)  ? Levels::layers
                                 : Levels::none,
            faces_of(field)};
}

constexpr auto height = "height"; // a derived field

/// Declares what one stream makes, field by field.
class Declaration {
  public:
    Declaration(io::StreamSpec &spec, const StreamConfig &stream, const Config &config,
                const std::optional<PlaceSet> &places)
        : spec_(spec), stream_(stream), config_(config), levels_(levels_of(stream)), places_(places),
          at_altitudes_(places && places->between_layers) {}

    void make() {
        const Fields plain = std::exchange(spec_.fields, {});
        for (const auto &[name, methods] : stream_.over_time) check_known(plain, "over_time", name);
        for (const auto &[name, words] : stream_.quantiles) check_known(plain, "quantiles", name);
        heights_ = stream_.at_places() && !at_altitudes_ && !levels_ && !stream_.over_time.contains(height) &&
                   std::ranges::find(plain, height, &io::Field::name) != plain.end();
        for (const auto &field : plain) {
            if (!field.per_frame && stream_.leaves_grid()) continue;
            if (!horizontal(field) || !field.per_frame)
                spec_.fields.push_back(field);
            else
                make(field);
        }
        if (std::ranges::none_of(spec_.fields, [](const io::Field &f) { return f.reduction.has_value(); }))
            refuse(config_, stream_, "fields",
                   "none of them changes in time and place, so there is nothing to compute");
        if (levels_) declare_levels();
    }

    /// Along which dimension places have several values of a field at a time; "": one of another.
    const std::set<std::string> &columns() const { return columns_; }

  private:
    void check_known(const Fields &plain, const char *key, const std::string &name) const {
        if (std::ranges::find(plain, name, &io::Field::name) == plain.end())
            refuse(config_, stream_, key,
                   fmt::format("the stream has no field {}; add it to `fields`", name));
    }

    void make(const io::Field &field) {
        io::Field source{source_name(field.name), field.type, field.dimensions, {}};
        if (const auto cell_methods =
                std::ranges::find(field.attributes, std::string("cell_methods"), &io::Attribute::name);
            cell_methods != field.attributes.end())
            source.attributes.push_back(*cell_methods);
        source.fill = field.fill;
        spec_.sources.push_back(source);
        std::string of = source.name;
        if (levels_ && of_the_air(field)) of = onto_levels(field);
        const auto over_time = stream_.over_time.find(field.name);
        if (over_time == stream_.over_time.end()) return finish(field, field.name, of);
        for (const auto &method : words_in(over_time->second)) {
            const auto name = field.name + suffix_of(method);
            const io::Reduction r{.of = of, .method = method, .over = {spec_.record_dimension}};
            if (!stream_.leaves_grid() && !averages(field)) {
                add(field, name, r);
                continue;
            }
            spec_.sources.push_back(step(name + "_everywhere", r));
            finish(field, name, name + "_everywhere");
        }
    }

    static io::Field step(const std::string &name, const io::Reduction &r) {
        io::Field field{name, io::Type::f64, {}, {}};
        field.reduction = r;
        return field;
    }

    std::string onto_levels(const io::Field &field) {
        if (on_interfaces(field) && levels_->kind == LevelKind::theta)
            refuse(config_, stream_, "theta_levels",
                   fmt::format("{} is defined between the layers, where there is no potential temperature",
                               field.name));
        const auto name = field.name + " on levels";
        spec_.sources.push_back(step(name, onto(field)));
        return name;
    }

    io::Reduction onto(const io::Field &field) const {
        return {.of = source_name(field.name),
                .method = "interpolate",
                .over = {on_interfaces(field) ? "bottom_top_stag" : "bottom_top"},
                .onto = levels_->dimension,
                .coordinate = coordinate_name(where(field)),
                .levels = levels_->values,
                .scale = levels_->kind == LevelKind::pressure ? "log" : "linear",
                .outside = stream_.outside_levels};
    }

    /// Between layers there is nothing but what layers have.
    void refuse_at_altitudes(const io::Field &field) const {
        const char *why = !of_the_air(field)     ? "has no height"
                          : on_interfaces(field) ? "is defined between the layers"
                                                 : nullptr;
        if (at_altitudes_ && why)
            refuse(config_, stream_, "trajectories",
                   fmt::format(
                       "{} {}, but the table has altitudes, at which only fields on layers can be sampled; "
                       "name such fields in `fields`, or leave out the altitudes to write whole columns",
                       field.name, why));
    }

    std::string column_of(const io::Field &field) const {
        if (at_altitudes_ || field.dimensions.size() < 3) return "";
        return levels_ && of_the_air(field) ? levels_->dimension : field.dimensions.front();
    }

    /// The last step: at places, an average, or none.
    void finish(const io::Field &field, const std::string &name, const std::string &of) {
        if (stream_.at_places()) {
            refuse_at_altitudes(field);
            columns_.insert(column_of(field));
            const bool nearest = stream_.interpolation != "linear" || whole_numbers(field);
            return add(field, name,
                       {.of = of, .method = nearest ? "nearest" : "linear", .at = places_->dimension()});
        }
        if (averages(field) || stream_.coarsen > 1) return statistics(field, name, of);
        if (of == source_name(field.name)) { // nothing was made of it after all
            std::erase_if(spec_.sources, [&](const io::Field &f) { return f.name == of; });
            spec_.fields.push_back(field);
            return;
        }
        const auto last = std::ranges::find(spec_.sources, of, &io::Field::name);
        const auto r = *last->reduction;
        spec_.sources.erase(last);
        add(field, name, r);
    }

    /// Whether there is something of a field to average over: fields on the ground have no layers.
    bool averages(const io::Field &field) const {
        return !stream_.average.empty() && (stream_.average != "column" || of_the_air(field));
    }

    /// Over the cells of an average or of a coarser one: the quantiles that are asked for, or the statistic.
    void statistics(const io::Field &field, const std::string &name, const std::string &of) {
        auto r = stream_.average.empty() ? coarse(field, of) : average(field, of);
        if (stream_.averages_a_part() || stream_.mask != "none") {
            refuse_faces(field, stream_.mask != "none"   ? "mask"
                                : stream_.region.empty() ? "lonlatbox"
                                                         : "region");
            r.mask = counting_name;
        }
        r = weigh(field, r);
        const auto wanted = stream_.quantiles.find(field.name);
        if (wanted == stream_.quantiles.end()) return add(field, name, r);
        const auto q = quantiles_in(wanted->second).value();
        r.method = "quantile";
        r.bins = q.bins, r.low = q.low, r.high = q.high;
        for (const double which : q.which) {
            r.quantile = which;
            add(field, name + suffix_of_quantile(which), r);
        }
    }

    io::Reduction average(const io::Field &field, const std::string &of) const {
        io::Reduction r{.of = of, .method = stream_.statistic};
        const std::string &kind = stream_.average;
        const bool all = kind == "domain" || kind == "volume";
        for (const auto &d : field.dimensions)
            if ((d.starts_with("west_east") && (all || kind == "zonal")) ||
                (d.starts_with("south_north") && (all || kind == "meridional")) ||
                (d.starts_with("bottom_top") && stream_.averages_layers()))
                r.over.push_back(d);
        return r;
    }

    io::Reduction coarse(const io::Field &field, const std::string &of) const {
        refuse_faces(field, "coarsen");
        return {.of = of,
                .method = stream_.statistic,
                .coarsen = {{"south_north", stream_.coarsen, "south_north_coarse"},
                            {"west_east", stream_.coarsen, "west_east_coarse"}}};
    }

    void refuse_faces(const io::Field &field, const std::string &key) const {
        if (faces_of(field) != Faces::none)
            refuse(config_, stream_, key,
                   fmt::format("{} is defined on faces, not on cells; use wind_east, wind_north or "
                               "wind_speed in `fields` in place of U and V",
                               field.name));
    }

    io::Reduction weigh(const io::Field &field, io::Reduction r) const {
        if (stream_.weight == "none") return r;
        r.weight = weight_name(weight_kind(stream_), cells_of(field));
        if (stream_.weight == "mass" && faces_of(field) != Faces::none)
            refuse(config_, stream_, "weight",
                   fmt::format("{} is defined on faces, whose mass is not known; use \"area\", or wind_east, "
                               "wind_north or wind_speed in `fields` in place of U and V",
                               field.name));
        return r;
    }

    void add(const io::Field &plain, const std::string &name, const io::Reduction &r) {
        auto field = plain;
        drop_attributes(field, {"MemoryOrder", "stagger", "FieldType", "cell_methods"});
        if (stream_.leaves_grid()) drop_attributes(field, {"coordinates", "grid_mapping"});
        change_unit(field, r);
        if (stream_.at_places()) at_places(field, plain);
        if (averages(plain) && !axis_of(r).empty()) add_coordinate(field, axis_of(r));
        if (r.method == "quantile")
            say_which_quantile(field, name, r);
        else if (averages(plain))
            say_over_what(field, plain, over_time_of(r.of), r, axis_of(r));
        if (stream_.coarsen > 1) field.attributes.emplace_back("coordinates", "XLONG XLAT");
        field.name = name;
        field.dimensions.clear();
        field.reduction = r;
        spec_.fields.push_back(std::move(field));
    }

    /// Sums and squares are other quantities than CF's standard names are of.
    void change_unit(io::Field &field, const io::Reduction &r) const {
        const auto units = std::ranges::find(field.attributes, std::string("units"), &io::Attribute::name);
        if (units == field.attributes.end()) return;
        const auto before = std::get<std::string>(units->value);
        const auto of_samples = unit_of(before, {.of = "", .method = over_time_of(r.of)}, "");
        const auto after = unit_of(of_samples, r, unit_of(weight_kind(stream_)));
        if (after == before) return;
        units->value = after;
        drop_attributes(field, {"standard_name"});
    }

    /// The axis of which an average is over a part, or "".
    std::string axis_of(const io::Reduction &r) const {
        const auto axis = averaged_axis(stream_);
        const auto vertical = [](const std::string &d) { return d.starts_with("bottom_top"); };
        return stream_.averages_layers() && std::ranges::none_of(r.over, vertical) ? "" : axis;
    }

    /// By which method a source is made over time, or "".
    std::string over_time_of(const std::string &source) const {
        const auto of = std::ranges::find(spec_.sources, source, &io::Field::name);
        const bool made = of != spec_.sources.end() && of->reduction &&
                          of->reduction->over == std::vector{spec_.record_dimension};
        return made ? of->reduction->method : "";
    }

    /// Where the values are: with heights of the layers in the stream, also how high.
    void at_places(io::Field &field, const io::Field &plain) const {
        const bool on_layers = of_the_air(plain) && !on_interfaces(plain);
        auto where = coordinates_of(*places_);
        if (heights_ && plain.name == height)
            field.attributes.insert(field.attributes.end(), {{"positive", "up"}, {"axis", "Z"}});
        else if (heights_ && on_layers)
            where += std::string(" ") + height;
        field.attributes.emplace_back("coordinates", where);
    }

    static void add_coordinate(io::Field &field, const std::string &name) {
        const auto is = std::ranges::find(field.attributes, std::string("coordinates"), &io::Attribute::name);
        if (is == field.attributes.end())
            field.attributes.emplace_back("coordinates", name);
        else
            is->value = std::get<std::string>(is->value) + " " + name;
    }

    void declare_levels() {
        spec_.dimensions.push_back({levels_->dimension, std::ssize(levels_->values)});
        spec_.fields.push_back(
            {levels_->dimension, io::Type::f64, {levels_->dimension}, levels_->attributes, false});
        for (const Location where : {at::cells, at::x_faces, at::y_faces, at::interfaces}) {
            const auto wanted = [&](const io::Field &f) {
                return f.reduction && f.reduction->coordinate == coordinate_name(where);
            };
            if (std::ranges::any_of(spec_.fields, wanted) || std::ranges::any_of(spec_.sources, wanted))
                spec_.sources.push_back(
                    {coordinate_name(where), io::type_of<real>, dimensions_of(where), {}});
        }
    }

    io::StreamSpec &spec_;
    const StreamConfig &stream_;
    const Config &config_;
    std::optional<LevelSet> levels_;
    const std::optional<PlaceSet> &places_;
    bool at_altitudes_; ///< whether places lie between layers
    std::set<std::string> columns_;
    bool heights_ = false; ///< whether the stream has those of the layers, as a coordinate of the rest
};

} // namespace

void declare_made(io::StreamSpec &spec, const StreamConfig &stream, const Config &config,
                  const std::optional<PlaceSet> &places) {
    if (!stream.makes()) return;
    check_cell_mask(stream, config);
    Declaration declaration(spec, stream, config, places);
    declaration.make();
    if (places) declare_places(spec, *places, declaration.columns());
    if (stream.coarsen > 1) declare_coarse_coordinates(spec, config.domain, stream.coarsen);
    if (stream.averages_a_part() || stream.mask != "none")
        spec.sources.push_back({counting_name, io::Type::i8, dimensions_of(at::plane), {}, false});
    if (stream.weight != "none") declare_weights(spec, weight_kind(stream));
    declare_axes(spec, stream);
    try { // what others of its dimensions it has is known to io
        for (const auto &made : io::made_fields(spec))
            std::ranges::find(spec.fields, made.name, &io::Field::name)->dimensions = made.dimensions;
        declare_faces(spec, stream);
        declare_layers(spec, stream);
    } catch (const io::Error &e) {
        throw ConfigError(
            fmt::format("{}:{}: output.{}: {}", config.file, stream.line, stream.name, e.what()));
    }
}

} // namespace squall
