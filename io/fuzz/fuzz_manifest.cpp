/// A stream's manifest.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "manifest_reader.hpp"
#include "squall/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace squall::io;
    try {
        const auto book =
            tools::parse_manifest("run/history.manifest.jsonl", {reinterpret_cast<const char *>(data), size},
                                  [](const tools::FileRecord &file) { return file.engine == "zarr"; });
        for (const auto &file : book.files) {
            if (!file.path.starts_with("run/") || file.path.find("/../") != file.path.npos) std::abort();
            for (const auto *frames : {&file.published, &file.pending}) // frames follow each other
                if (!frames->empty() && frames->rbegin()->first != std::ssize(*frames) - 1) std::abort();
        }
    } catch (const Error &) { // the only thing that may come out
    }
    return 0;
}
