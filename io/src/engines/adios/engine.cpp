#include <filesystem>

#include <fmt/format.h>

#include "engines/adios/adios.hpp"

namespace squall::io {
namespace adios {

std::string words(const std::exception &e) {
    const std::string text = e.what(), sign = "> : ";
    const auto colon = text.find(sign);
    if (colon == std::string::npos) return text;
    const auto begin = colon + sign.size();
    return text.substr(begin, text.find('\033', begin) - begin); // up to the end of the colour
}

std::mutex &blosc_in_use() {
    static std::mutex one;
    return one;
}

namespace {

bool recognises(const std::string &path) { return std::filesystem::exists(path + "/md.idx"); }

std::string objection(const Layout &layout) {
    const auto async = layout.option("async_write", "false");
    if (async != "true" && async != "false")
        return fmt::format("option async_write is \"{}\"; it must be true or false", async);
    if (layout.number("aggregators_per_node", 2) < 1) return "option aggregators_per_node must be 1 or more";
    if (layout.codec.level == 0 || layout.codec.level > 9)
        return fmt::format("codec level {}: the levels of Blosc2 go from 1 to 9", layout.codec.level);
    return "";
}

} // namespace
} // namespace adios

extern const Engine adios_engine;
const Engine adios_engine = {.name = "adios",
                             .makes = "an ADIOS2 BP5 directory, written in parallel",
                             .codecs = {"zstd", "lz4", "none"},
                             .options = {"aggregators_per_node", "async_write"},
                             .holding = Holding::any,
                             .together = true,
                             .directory = true,
                             .create = adios::create,
                             .recognises = adios::recognises,
                             .open = adios::open,
                             .objection = adios::objection};

} // namespace squall::io
