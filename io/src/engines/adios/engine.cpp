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

adios2::Params blosc(const Codec &codec) {
    const int level = codec.level > 0 ? codec.level : codec.name == "zstd" ? 1 : 5;
    return {{"compressor", codec.name}, {"clevel", std::to_string(level)}, {"doshuffle", "BLOSC_SHUFFLE"}};
}

std::string level_fault(const Layout &layout) {
    if (layout.codec.level == 0 || layout.codec.level > 9)
        return fmt::format("codec level {}: Blosc2 has levels 1 to 9", layout.codec.level);
    return "";
}

namespace {

bool recognises(const std::string &path) { return std::filesystem::exists(path + "/md.idx"); }

} // namespace
} // namespace adios

extern const Engine adios_engine;
const Engine adios_engine = {.name = "adios",
                             .makes = "an ADIOS2 BP5 directory, written in parallel",
                             .codecs = {"zstd", "lz4", "none"},
                             .options = {{"aggregators_per_node",
                                          OptionInfo::Kind::number,
                                          "2",
                                          "",
                                          "number of writers on each node that write for the others",
                                          {},
                                          1},
                                         {"async_write", OptionInfo::Kind::boolean, "false", "",
                                          "whether ADIOS2 writes in a thread of its own"}},
                             .distribution = Distribution::as_it_lies,
                             .together = true,
                             .directory = true,
                             .create = adios::create,
                             .recognises = adios::recognises,
                             .open = adios::open,
                             .objection = adios::level_fault};

} // namespace squall::io
