#include "output/carried.hpp"

#include <algorithm>
#include <cstdint>

namespace squall {
namespace {

/// The file's first record of what changes with the air: carried on, it would be taken for the air of
/// a later frame.
const std::vector<std::string> of_the_air = {"Q2", "T2", "TH2", "U10", "V10", "PSFC", "SR"};

/// Of a field's dimensions after Time; false for those that are not carried.
bool locate(const io::Reader &file, std::vector<std::string> dimensions, Location &where) {
    if (!dimensions.empty() && dimensions[0] == "Time") dimensions.erase(dimensions.begin());
    const std::vector<std::string> plane{"south_north", "west_east"};
    if (dimensions == plane) {
        where = at::plane;
        return true;
    }
    if (dimensions.empty() || dimensions[0] != "soil_layers_stag") return false;
    const int layers = static_cast<int>(file.size("soil_layers_stag"));
    dimensions.erase(dimensions.begin());
    where = {!dimensions.empty(), Levels::soil, Faces::none, layers};
    return dimensions.empty() || dimensions == plane;
}

std::string text_of(const io::Field &field, const std::string &attribute) {
    const auto found = std::ranges::find(field.attributes, attribute, &io::Attribute::name);
    if (found == field.attributes.end()) return "";
    const auto *text = std::get_if<std::string>(&found->value);
    return text ? *text : "";
}

/// The relaxation weights of the boundary zone lie on soil_layers_stag where there happen to be as
/// many soil layers as rows.
bool is_of_the_boundary(const io::Field &field) { return text_of(field, "MemoryOrder").starts_with("C"); }

std::int64_t points_in(const io::Box &box) {
    std::int64_t points = 1;
    for (const auto n : box.count) points *= n;
    return points;
}

} // namespace

std::vector<CarriedField> carried_fields(const Config &config, const std::vector<std::string> &made) {
    if (config.initial.file.empty()) return {};
    const io::Reader file(config.initial.file);
    const auto listed = [](const std::vector<std::string> &names, const std::string &name) {
        return std::ranges::find(names, name) != names.end();
    };
    std::vector<CarriedField> fields;
    for (const io::Field &field : file.fields()) {
        Location where;
        const bool stored = field.type == io::Type::f32 || field.type == io::Type::i32;
        if (!stored || listed(made, field.name) || listed(of_the_air, field.name) ||
            is_of_the_boundary(field) || !locate(file, field.dimensions, where))
            continue;
        fields.push_back(
            {field.name, text_of(field, "description"), text_of(field, "units"), where, field.type});
    }
    return fields;
}

Carried::Carried(const Config &config, const Patch &patch, const std::vector<CarriedField> &fields) {
    if (fields.empty()) return;
    const io::Reader file(config.initial.file);
    for (const CarriedField &field : fields) {
        io::Box box = box_of(patch, field.where);
        const auto points = static_cast<std::size_t>(points_in(box));
        if (points == 0) continue;
        const auto &dimensions = file.field(field.name).dimensions;
        if (!dimensions.empty() && dimensions[0] == "Time") {
            box.start.insert(box.start.begin(), 0);
            box.count.insert(box.count.begin(), 1);
        }
        Values &values = values_[field.name];
        if (field.type == io::Type::i32) {
            values.integers.resize(points);
            file.read(field.name, 0, box, values.integers.data());
        } else {
            values.numbers.resize(points);
            file.read(field.name, 0, box, values.numbers.data());
        }
    }
}

Packed Carried::points(const std::string &field) const {
    const auto found = values_.find(field);
    if (found == values_.end()) return {nullptr, io::Type::f32}; // no points on this patch
    const Values &v = found->second;
    if (!v.integers.empty()) return {v.integers.data(), io::Type::i32};
    return {v.numbers.data(), io::Type::f32};
}

} // namespace squall
