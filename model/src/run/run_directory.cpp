#include "run/run_directory.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "core/see.hpp"
#include "output/restart.hpp"
#include "settings/nests.hpp"
#include "settings/network.hpp"

namespace squall {
namespace {

namespace fs = std::filesystem;

/// The fixed beginning of the names of a stream's files.
std::string file_prefix(const StreamConfig &stream) {
    const std::string name = fs::path(stream.path).filename().string();
    return name.substr(0, name.find('%'));
}

/// The streams that the run may write.
std::vector<StreamConfig> possible_streams(const Config &config) {
    std::vector<StreamConfig> streams;
    for (const Config &domain : with_nests(config))
        streams.insert(streams.end(), domain.streams.begin(), domain.streams.end());
    if (std::ranges::find(streams, std::string("restart"), &StreamConfig::name) == streams.end())
        streams.push_back(default_restart(config)); // of a run that was asked to stop
    return streams;
}

/// Files and directories that the streams of an earlier run have left.
std::vector<fs::path> earlier_frames(const Config &config) {
    std::vector<fs::path> found;
    for (const StreamConfig &stream : possible_streams(config)) {
        if (goes_over_network(stream.engine)) continue; // an address that is out of date is replaced
        const fs::path folder = (fs::path(config.run.directory) / stream.path).parent_path();
        const std::string prefix = file_prefix(stream), manifest = stream.name + ".manifest.jsonl";
        if (!fs::is_directory(folder)) continue;
        for (const auto &entry : fs::directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            if ((!prefix.empty() && name.starts_with(prefix)) || name == manifest)
                found.push_back(entry.path());
        }
    }
    return found;
}

[[noreturn]] void refuse_directory(const Config &config) {
    throw std::runtime_error(fmt::format(
        "cannot write to {}: check that it exists, is writable and has free space", config.run.directory));
}

} // namespace

std::vector<fs::path> frames_to_replace(const Config &config, const RunOptions &options) {
    if (!config.run.restart_from.empty()) return {};
    const auto earlier = earlier_frames(config);
    if (!earlier.empty() && !options.overwrite)
        throw std::runtime_error(see(
            fmt::format(
                "{} holds {} file(s) of an earlier run's frames, such as {}: choose another run.directory, "
                "continue that run with `squall run --continue`, or replace it with --overwrite",
                config.run.directory, earlier.size(), earlier.front().filename().string()),
            "restart"));
    return earlier;
}

void check_directory(const Config &config) {
    std::error_code ignored;
    fs::path there = fs::absolute(config.run.directory);
    while (!fs::exists(fs::symlink_status(there, ignored)) && there.has_relative_path())
        there = there.parent_path();
    if (!fs::is_directory(there, ignored) || ::access(there.c_str(), W_OK | X_OK) != 0)
        refuse_directory(config);
}

void prepare_directory(const Config &config, const RunOptions &options) {
    const auto earlier = frames_to_replace(config, options);
    for (const fs::path &path : earlier) fs::remove_all(path);
    if (!earlier.empty()) fs::remove(fs::path(config.run.directory) / "run.log"); // of that run
    std::error_code error;
    fs::create_directories(config.run.directory, error);
    std::ofstream copy(fs::path(config.run.directory) / "run.toml");
    copy << options.provenance;
    if (!copy.flush()) refuse_directory(config);
}

} // namespace squall
