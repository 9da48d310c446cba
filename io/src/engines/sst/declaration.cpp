#include "engines/sst/declaration.hpp"

#include <random>

#include <fmt/format.h>

#include "engines/adios/description.hpp"

namespace squall::io::sst {
namespace {

using Json = nlohmann::json;

constexpr std::size_t alignment = 64;

template <class T> bool keep(Json &all, adios2::IO &io, const std::string &name, const std::string &type) {
    if (type != adios2::GetType<T>()) return false;
    all.push_back({{"name", name}, {"type", type}, {"value", io.InquireAttribute<T>(name).Data()}});
    return true;
}

/// The attributes that the engine `adios` would write, and the codec.
Json attributes_of(const Layout &layout) {
    adios2::ADIOS adios;
    auto io = adios.DeclareIO("squall");
    adios::define_attributes(layout, io);
    io.DefineAttribute(codec_attribute, layout.codec.name);
    auto all = Json::array();
    for (const auto &[name, info] : io.AvailableAttributes()) {
        const auto type = io.AttributeType(name);
        if (!(keep<std::string>(all, io, name, type) || keep<float>(all, io, name, type) ||
              keep<double>(all, io, name, type) || keep<std::int32_t>(all, io, name, type)))
            throw Error(fmt::format("attribute {} has a type that cannot be sent: {}", name, type));
    }
    return all;
}

template <class T> bool define(adios2::IO &io, const Json &attribute) {
    if (attribute["type"] != adios2::GetType<T>()) return false;
    const auto values = attribute["value"].get<std::vector<T>>();
    const auto name = attribute["name"].get<std::string>();
    if (values.size() == 1)
        io.DefineAttribute(name, values.front());
    else
        io.DefineAttribute(name, values.data(), values.size());
    return true;
}

adios2::Params parameters_of(const Layout &layout) {
    adios2::Params all{{"MarshalMethod", "BP5"},
                       {"RegistrationMethod", "File"},
                       {"DataTransport", layout.option("data_plane", "evpath")},
                       {"QueueFullPolicy", "Block"}};
    if (const auto interface = layout.option("interface", ""); !interface.empty())
        all["NetworkInterface"] = interface;
    return all;
}

} // namespace

Declaration declare(const Layout &layout) {
    Declaration d;
    d.path = layout.spec.path;
    std::random_device random;
    d.run = static_cast<std::int64_t>(random()) << 31 | random();
    d.parameters = parameters_of(layout);
    if (layout.codec.name != "none") d.codec = adios::blosc(layout.codec);
    adios::guard("declaring", [&] { d.attributes = attributes_of(layout); });
    for (const auto &f : layout.fields) {
        auto &size = f.field.per_frame ? d.frame : d.fixed;
        d.fields.push_back({f.field.name, f.field.type, f.shape, f.field.per_frame, size});
        size += (static_cast<std::size_t>(f.bytes()) + alignment - 1) / alignment * alignment;
    }
    return d;
}

std::vector<std::uint8_t> to_bytes(const Declaration &d) {
    Json json{{"path", d.path},
              {"run", d.run},
              {"parameters", d.parameters},
              {"codec", d.codec},
              {"attributes", d.attributes},
              {"fields", Json::array()}};
    for (const auto &f : d.fields)
        json["fields"].push_back({{"name", f.name},
                                  {"type", static_cast<int>(f.type)},
                                  {"shape", f.shape},
                                  {"per_frame", f.per_frame},
                                  {"offset", f.offset}});
    return Json::to_cbor(json);
}

Declaration from_bytes(const std::uint8_t *bytes, std::size_t size) {
    const auto json = Json::from_cbor(bytes, bytes + size);
    Declaration d;
    d.path = json["path"];
    d.run = json["run"];
    d.parameters = json["parameters"].get<adios2::Params>();
    d.codec = json["codec"].get<adios2::Params>();
    d.attributes = json["attributes"];
    for (const auto &f : json["fields"])
        d.fields.push_back({f["name"], static_cast<Type>(f["type"].get<int>()),
                            f["shape"].get<std::vector<std::int64_t>>(), f["per_frame"], f["offset"]});
    return d;
}

void define(const Declaration &declaration, adios2::IO &io) {
    for (const auto &a : declaration.attributes)
        static_cast<void>(define<std::string>(io, a) || define<float>(io, a) || define<double>(io, a) ||
                          define<std::int32_t>(io, a));
}

} // namespace squall::io::sst
