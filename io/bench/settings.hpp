/// What one measurement is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace squall::bench {

struct Settings {
    std::string engine = "netcdf", placement = "inline", codec;
    std::string directory;                        ///< for everything that is written; emptied at the end
    std::string json;                             ///< the result
    std::string file;                             ///< history to take the values from; empty: made up
    std::vector<std::int64_t> size{200, 200, 50}; ///< x, y, z; ignored with `file`
    int fields = 15;                              ///< with `file`: at most
    int frames = 5, frames_per_file = 1;
    int servers = 0, groups = 1;
    std::string assignment = "consecutive"; ///< of slabs to servers
    std::string burst_directory;            ///< files are written there first; empty: where they belong
    std::vector<std::string> options;       ///< of the engine, each "key=value"
    double interval = 0.5;                  ///< seconds that the ranks compute before each frame
    std::size_t staging_limit = std::size_t(256) << 20;
    bool messages = false; ///< whether servers receive messages also from ranks of their node
    bool baseline = false; ///< whether to run the library's plain loop beside it
};

} // namespace squall::bench
