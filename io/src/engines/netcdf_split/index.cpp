#include "engines/netcdf_split/index.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/box.hpp"
#include "common/confine.hpp"
#include "common/crc32c.hpp"
#include "common/document.hpp"
#include "publish/publish.hpp"
#include "read/source_check.hpp"

namespace squall::io::split {
namespace {

using nlohmann::json;
using Json = nlohmann::json;
using Item = io::Item<Json>;
namespace fs = std::filesystem;

/// JSON has no word for what is not finite.
template <class T> json number(T x) {
    if (std::isfinite(static_cast<double>(x))) return x;
    return std::isnan(static_cast<double>(x)) ? "nan" : x > 0 ? "inf" : "-inf";
}

template <class T> T number_in(const Item &item) {
    if constexpr (std::is_integral_v<T>) {
        using Limits = std::numeric_limits<T>;
        return static_cast<T>(item.integer(Limits::min(), Limits::max()));
    } else {
        if (item.json().is_number()) return item.json().template get<T>();
        const auto text = item.text();
        if (text == "nan") return std::numeric_limits<T>::quiet_NaN();
        if (text != "inf" && text != "-inf") item.fail("it must be a number");
        return text == "inf" ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
    }
}

json attributes_to(const std::vector<Attribute> &attributes) {
    json all = json::array();
    for (const auto &a : attributes)
        std::visit(
            [&](const auto &value) {
                using T = std::decay_t<decltype(value[0])>;
                json j{{"name", a.name}, {"type", name_of(type_of<T>)}};
                if constexpr (std::is_same_v<T, char>)
                    j["value"] = value;
                else {
                    j["value"] = json::array();
                    for (const auto x : value) j["value"].push_back(number(x));
                }
                all.push_back(std::move(j));
            },
            a.value);
    return all;
}

template <class T> Attribute numbers_in(const Item &item) {
    std::vector<T> values;
    for (const auto &x : item["value"].items()) values.push_back(number_in<T>(x));
    return {item["name"].text(), Value(std::move(values))};
}

std::vector<Attribute> attributes_in(const Item &list) {
    std::vector<Attribute> all;
    for (const auto &item : list.items()) {
        const auto type = item["type"].text();
        if (type == "char")
            all.emplace_back(item["name"].text(), item["value"].text());
        else if (type == "i32")
            all.push_back(numbers_in<std::int32_t>(item));
        else if (type == "i64")
            all.push_back(numbers_in<std::int64_t>(item));
        else
            all.push_back(type == "f32" ? numbers_in<float>(item) : numbers_in<double>(item));
    }
    return all;
}

Type type_named(const std::string &name) {
    if (const auto type = stored_type_named(name)) return *type;
    throw Error(fmt::format("{}: there is no type \"{}\"", index_name, name));
}

json fields_to(const Layout &layout) {
    json all = json::array();
    for (const auto &f : layout.fields)
        all.push_back({{"name", f.field.name},
                       {"type", name_of(f.field.type)},
                       {"dimensions", f.field.dimensions},
                       {"per_frame", f.field.per_frame},
                       {"attributes", attributes_to(f.field.attributes)}});
    return all;
}

PartFile file_in(const Item &item) {
    PartFile file{item["name"].text(), static_cast<std::uint64_t>(item["bytes"].integer())};
    if (const auto fault = name_fault(file.name); !fault.empty()) item.fail(fault);
    return file;
}

constexpr std::string_view magic = "SQSPLIT2";

template <class T> void put(std::string &to, T value) {
    const auto u = static_cast<std::make_unsigned_t<T>>(value);
    for (std::size_t byte = 0; byte < sizeof(T); ++byte)
        to.push_back(static_cast<char>(u >> 8 * byte & 0xff));
}

/// The numbers of a part's index, one after the other.
class Numbers {
  public:
    Numbers(std::string_view bytes, std::string what) : rest_(bytes), what_(std::move(what)) {}

    template <class T> T take() {
        if (rest_.size() < sizeof(T)) fail("it ends too early");
        std::make_unsigned_t<T> u = 0;
        for (std::size_t byte = 0; byte < sizeof(T); ++byte)
            u |= std::make_unsigned_t<T>(static_cast<unsigned char>(rest_[byte])) << 8 * byte;
        rest_.remove_prefix(sizeof(T));
        return static_cast<T>(u);
    }
    void require_end() const {
        if (!rest_.empty()) fail("it goes on behind its end");
    }
    [[noreturn]] void fail(const std::string &why) const {
        throw Error(fmt::format("{} is damaged, restore it: {}", what_, why));
    }

  private:
    std::string_view rest_;
    std::string what_;
};

/// What its bytes must be before any number is believed.
std::string_view body_of(std::string_view bytes, const Numbers &here) {
    constexpr std::size_t sum = 4;
    if (!bytes.starts_with(magic) || bytes.size() < magic.size() + sum) here.fail("it is no index of a part");
    const auto body = bytes.substr(0, bytes.size() - sum);
    if (Numbers(bytes.substr(body.size()), "").take<std::uint32_t>() != crc32c(body.data(), body.size()))
        here.fail("its checksum does not match");
    return body.substr(magic.size());
}

Stretch stretch_in(Numbers &from, const Source &whole, const std::vector<std::vector<std::int64_t>> &shapes) {
    const auto field = from.take<std::uint32_t>();
    Stretch s{static_cast<int>(field), from.take<std::uint32_t>(), {}, 0, 0};
    if (field >= shapes.size()) from.fail(fmt::format("there is no field {}", field));
    const auto &f = whole.fields[field];
    s.first = from.take<std::int64_t>();
    s.end = from.take<std::int64_t>();
    const auto frames = f.per_frame ? whole.frames : 1;
    if (s.first < 0 || (s.end != open_end && s.end < s.first))
        from.fail(fmt::format("field {}: it names frames that do not exist", f.name));
    s.end = s.end == open_end ? frames : std::min(s.end, frames);
    for (auto *numbers : {&s.box.start, &s.box.count})
        for (std::size_t d = 0; d < shapes[field].size(); ++d) numbers->push_back(from.take<std::int64_t>());
    if (const auto fault = misfit(s.box, shapes[field]); !fault.empty())
        from.fail(fmt::format("field {}: {}", f.name, fault));
    return s;
}

} // namespace

std::string index_of(const std::string &file) { return file + ".index"; }

std::string variable_name(const std::string &field, std::uint32_t number) {
    return number == 0 ? field : fmt::format("{}.{}", field, number);
}

std::string part_index(const std::vector<Stretch> &stretches) {
    std::string all(magic);
    put(all, static_cast<std::int64_t>(stretches.size()));
    for (const auto &s : stretches) {
        put(all, static_cast<std::uint32_t>(s.field));
        put(all, s.number);
        put(all, s.first);
        put(all, s.end);
        for (const auto *numbers : {&s.box.start, &s.box.count})
            for (const auto n : *numbers) put(all, n);
    }
    put(all, crc32c(all.data(), all.size()));
    return all;
}

std::vector<Stretch> parse_part_index(std::string_view bytes, const Source &whole, const std::string &what) {
    std::vector<std::vector<std::int64_t>> shapes;
    for (const auto &f : whole.fields) shapes.push_back(shape_of(whole, f));
    Numbers numbers(body_of(bytes, Numbers({}, what)), what);
    const auto boxes = numbers.take<std::int64_t>();
    std::vector<Stretch> stretches;
    for (std::int64_t n = 0; n < boxes; ++n) { // which ends with the bytes, whatever their number claims
        auto stretch = stretch_in(numbers, whole, shapes);
        if (stretch.first < stretch.end) stretches.push_back(std::move(stretch));
    }
    numbers.require_end();
    return stretches;
}

std::string to_text(const std::vector<PartFile> &files) {
    json all = json::array();
    for (const auto &f : files) all.push_back({{"name", f.name}, {"bytes", f.bytes}});
    return all.dump();
}

KeptOpen write_file(const std::string &directory, const std::string &file, const std::string &bytes) {
    const auto name = (fs::path(directory) / file).string();
    auto kept = write_new(part_name(name), bytes);
    fs::rename(part_name(name), name);
    return kept;
}

KeptOpen write_index(const std::string &directory, const Layout &layout, std::int64_t frames,
                     const std::vector<std::string> &texts, std::size_t largest) {
    json index{{"squall_split", 2},
               {"frames", frames},
               {"record_dimension", layout.spec.record_dimension},
               {"dimensions", json::array()},
               {"attributes", attributes_to(layout.spec.attributes)},
               {"fields", fields_to(layout)},
               {"files", json::array()}};
    for (const auto &d : layout.spec.dimensions)
        index["dimensions"].push_back({{"name", d.name}, {"size", d.size}});
    for (const auto &text : texts)
        for (auto &file : json::parse(text)) index["files"].push_back(std::move(file));
    const auto text = index.dump(1) + '\n';
    if (text.size() > largest)
        throw Error(
            fmt::format("index.json would have {} bytes, and readers take {}; let fewer ranks write: with "
                        "placement servers",
                        text.size(), largest));
    return write_file(directory, index_name, text);
}

std::string read_text(const std::string &directory) {
    return text_of(confined(directory, index_name), largest_index);
}

std::vector<PartFile> parse_index(std::string_view text, Source &whole) {
    const auto document = parse_document<Json>(text, index_name);
    const Item index(document, index_name);
    const auto form = index["squall_split"].integer();
    if (form < 2)
        throw Error("index.json was made by an older Squall; read the directory with that, or convert it to "
                    "another engine's file with that");
    if (form > 2) throw Error("a later version of Squall wrote index.json; read it with that version");
    whole.frames = index["frames"].integer();
    whole.record_dimension = index["record_dimension"].text();
    for (const auto &d : index["dimensions"].items())
        whole.dimensions.push_back({d["name"].text(), d["size"].integer(1)});
    whole.attributes = attributes_in(index["attributes"]);
    for (const auto &f : index["fields"].items())
        whole.fields.push_back({f["name"].text(), type_named(f["type"].text()), f["dimensions"].texts(),
                                attributes_in(f["attributes"]), f["per_frame"].truth()});
    check_source(whole);
    std::vector<PartFile> files;
    for (const auto &f : index["files"].items()) files.push_back(file_in(f));
    return files;
}

} // namespace squall::io::split
