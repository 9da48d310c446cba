/// A shard or chunk of a Zarr array: its index and what its codecs undo. The first byte chooses among them.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "common/document.hpp"
#include "engines/zarr/store.hpp"

using namespace squall::io;
using zarr::Json;

namespace {

constexpr bool with_checksum[] = {false, true};

Json codecs(unsigned kind, bool checksum) {
    auto chain = Json::array({{{"name", kind == 3 ? "vlen-utf8" : "bytes"}}});
    if (kind == 1) chain.push_back({{"name", "zstd"}});
    if (kind == 2) chain.push_back({{"name", "blosc"}});
    if (checksum) chain.push_back({{"name", "crc32c"}});
    return chain;
}

/// A store of one array: of numbers in shards or not, or of texts.
Json group(unsigned choice) {
    const unsigned kind = choice & 3;
    const bool checksum = with_checksum[choice >> 2 & 1], sharded = (choice & 8) && kind != 3;
    Json array = {{"zarr_format", 3},
                  {"node_type", "array"},
                  {"data_type", kind == 3     ? "string"
                                : choice & 16 ? "uint8"
                                              : "float32"},
                  {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "."}}}}},
                  {"fill_value", 0}};
    array["shape"] = kind == 3 ? Json{2} : Json{7, 9};
    array["chunk_grid"] = {{"name", "regular"},
                           {"configuration", {{"chunk_shape", kind == 3 ? Json{2} : Json{8, 10}}}}};
    array["codecs"] = codecs(kind, checksum);
    if (sharded)
        array["codecs"] = Json::array({{{"name", "sharding_indexed"},
                                        {"configuration",
                                         {{"chunk_shape", {4, 5}},
                                          {"codecs", codecs(kind, checksum)},
                                          {"index_codecs", codecs(0, choice & 32)},
                                          {"index_location", choice & 64 ? "start" : "end"}}}}});
    const Json own = {{"record_dimension", "Time"},
                      {"dimensions", Json::array({{{"name", "letters"}, {"size", 5}}})},
                      {"text", kind == 3 ? Json{{"A", "letters"}} : Json::object()},
                      {"types", Json::object()}};
    return {{"zarr_format", 3},
            {"node_type", "group"},
            {"attributes", {{"_squall", own.dump()}}},
            {"consolidated_metadata", {{"metadata", {{"A", array}}}}}};
}

/// A directory in memory, as long as the program runs.
struct Directory {
    Directory() {
        const bool memory = std::filesystem::is_directory("/dev/shm");
        path = std::string(memory ? "/dev/shm" : "/tmp") + "/squall_fuzz_" + std::to_string(getpid());
        std::filesystem::create_directories(path + "/A");
    }
    ~Directory() { std::filesystem::remove_all(path); }
    std::string path;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const Directory directory;
    if (size == 0) return 0;
    const bool text = (data[0] & 3) == 3;
    const std::string file = directory.path + (text ? "/A/c.0" : "/A/c.0.0");
    const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (write(fd, data + 1, size - 1) != static_cast<ssize_t>(size - 1)) std::abort();
    close(fd);
    static std::map<unsigned, std::unique_ptr<Source>> sources; // per choice
    auto &source = sources[data[0]];
    if (!source) {
        const auto document = group(data[0]);
        source = zarr::source_of(zarr::Store(document, [&] { return *zarr::consolidated(document); }),
                                 directory.path);
    }
    const Box all = text ? Box{{0, 0}, {2, 5}} : Box{{0, 0}, {7, 9}};
    std::vector<double> points(7 * 9);
    try {
        source->read(0, 0, all, points.data(), source->fields[0].type);
    } catch (const Error &) { // the only thing that may come out
    }
    return 0;
}
