#include "output/cell_mask.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "output/location.hpp"
#include "settings/cell_choice.hpp"
#include "squall/io.hpp"
#include "squall/io_words.hpp"

namespace squall {
namespace {

[[noreturn]] void refuse(const StreamConfig &stream, const Config &config, const std::string &why) {
    throw ConfigError(fmt::format("{}:{}: output.{}.mask = \"{}\": {}", config.file, stream.line, stream.name,
                                  stream.mask, why));
}

std::string near_or_all_of(const io::Reader &file, const std::string &name) {
    std::vector<std::string> names;
    for (const auto &field : file.fields()) names.push_back(field.name);
    return io::near_or_all(name, names);
}

/// The file, in which the mask's field is a plane of the domain's cells.
io::Reader open(const StreamConfig &stream, const Config &config, const CellChoice &choice) try {
    io::Reader file(file_of(choice, config.file, config.initial.file));
    if (!file.has(choice.field))
        refuse(
            stream, config,
            fmt::format("{} has no {}; {}", file.path(), choice.field, near_or_all_of(file, choice.field)));
    const auto shape = file.shape(choice.field);
    const std::vector<std::int64_t> wanted{config.domain.ny, config.domain.nx};
    if (shape != wanted)
        refuse(stream, config,
               fmt::format("{} of {} is {}, but the domain has {} x {} cells, south-north by west-east",
                           choice.field, file.path(),
                           shape.empty() ? "one number" : fmt::format("{}", fmt::join(shape, " x ")),
                           wanted[0], wanted[1]));
    return file;
} catch (const io::Error &error) {
    refuse(stream, config, error.what());
}

/// The value that stands for none, or not a number.
double missing_value(const io::Field &field) {
    const auto found = std::ranges::find(field.attributes, std::string("_FillValue"), &io::Attribute::name);
    double missing = std::numeric_limits<double>::quiet_NaN();
    if (found == field.attributes.end()) return missing;
    std::visit(
        [&](const auto &values) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::string>)
                if (!values.empty()) missing = static_cast<double>(values[0]);
        },
        found->value);
    return missing;
}

} // namespace

void check_cell_mask(const StreamConfig &stream, const Config &config) {
    if (stream.mask != "none") open(stream, config, cell_choice(stream.mask).value());
}

std::vector<std::int8_t> read_cell_mask(const StreamConfig &stream, const Config &config, const Patch &patch,
                                        MPI_Comm comm) {
    const auto choice = cell_choice(stream.mask).value();
    const auto file = open(stream, config, choice);
    const auto box = box_of(patch, at::plane);
    std::vector<double> values(static_cast<std::size_t>(box.count[0] * box.count[1]));
    file.read(choice.field, 0, box, values.data());
    const double missing = missing_value(file.field(choice.field));
    std::vector<std::int8_t> counting(values.size());
    std::ranges::transform(values, counting.begin(),
                           [&](double x) { return x != missing && choice.counts(x) ? 1 : 0; });
    int any = std::ranges::find(counting, 1) != counting.end();
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);
    if (!any) refuse(stream, config, fmt::format("no cell of {} is selected", file.path()));
    return counting;
}

} // namespace squall
