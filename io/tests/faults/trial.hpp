/// A run of the writer under the shim, and what is left of it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "programs.hpp"

namespace squall::faults {

class Trial {
  public:
    explicit Trial(std::string name)
        : place_(
              (std::filesystem::temp_directory_path() / fmt::format("squall_protocol_{}_{}", getpid(), name))
                  .string()) {
        std::filesystem::remove_all(place_);
        std::filesystem::create_directories(place_ + "/data/out");
    }
    ~Trial() { std::filesystem::remove_all(place_); }
    Trial(const Trial &) = delete;
    Trial &operator=(const Trial &) = delete;

    /// Without a timeout of its own, a session that waits for its deadline counts as hung.
    void go(int ranks, const std::string &faults, std::map<std::string, std::string> settings) {
        settings.insert({{"directory", place_ + "/data"}, {"log", place_}, {"nx", "7"}, {"timeout", "200"}});
        settings.insert({{"placement", "inline"}, {"frames", "6"}});
        // Open MPI's launcher sometimes waits for ever for ranks that left without MPI_Finalize.
        std::vector<std::string> words{"timeout", "100", MPIEXEC, "--oversubscribe"};
        if (survives_deaths) words.push_back("--enable-recovery");
        words.insert(words.end(), {"-n", std::to_string(ranks)});
        const std::map<std::string, std::string> shim = {{"LD_PRELOAD", FAULTS_SHIM},
                                                         {"SQUALL_FAULTS", faults},
                                                         {"SQUALL_FAULTS_LOG", place_ + "/fired"},
                                                         {"SQUALL_FAULTS_BELOW", place_ + "/data"}};
        for (const auto &[key, value] : shim) words.insert(words.end(), {"-x", key + "=" + value});
        words.insert(words.end(), {FAULTS_WRITER, "write"});
        for (const auto &[key, value] : settings) words.push_back(key + "=" + value);
        environment.emplace("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
        ended = run(words, environment);
    }

    bool hung() const { return ended.code == 124; }     ///< `timeout` had to end it
    const std::string &place() const { return place_; } ///< a directory that is the trial's own
    bool says(const std::string &words) const { return ended.said.find(words) != std::string::npos; }
    /// Whether the shim did anything of what it was asked: what survives a fault that never came shows
    /// nothing.
    bool fired() const { return std::filesystem::exists(place_ + "/fired"); }
    /// What the report of computing rank 0 counts.
    int counted(const std::string &what) const {
        for (const auto &line : log(0))
            if (line["event"] == "report") return line[what];
        return -1;
    }
    /// Frames that rank r was told of.
    std::vector<int> frames(int r, const std::string &event) const {
        std::vector<int> all;
        for (const auto &line : log(r))
            if (line["event"] == event) all.push_back(line["frame"]);
        return all;
    }
    /// All that rank r was told.
    std::string told(int r) const {
        std::string all;
        for (const auto &line : log(r))
            if (line.contains("text")) all += line["text"].get<std::string>() + "\n";
        return all;
    }
    /// Frames that readers see, each with all of its points right.
    std::vector<int> visible() const {
        std::vector<int> all;
        const auto seen = run({FAULTS_WRITER, "check", "directory=" + place_ + "/data"}, {});
        std::istringstream in(seen.said);
        for (std::string line; std::getline(in, line);) {
            const auto frame = nlohmann::json::parse(line, nullptr, false);
            if (!frame.is_object()) continue;
            EXPECT_FALSE(frame.contains("fault")) << line;
            if (!frame.contains("number")) continue;
            EXPECT_EQ(frame["wrong"], 0) << line;
            all.push_back(frame["number"]);
        }
        std::ranges::sort(all);
        return all;
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto &e : std::filesystem::directory_iterator(place_ + "/data/out"))
            names.push_back(e.path().filename());
        std::ranges::sort(names);
        return names;
    }

    std::uintmax_t largest_file() const {
        std::uintmax_t most = 0;
        for (const auto &name : files()) {
            const std::filesystem::path file = place_ + "/data/out/" + name;
            if (std::filesystem::is_regular_file(file))
                most = std::max(most, std::filesystem::file_size(file));
        }
        return most;
    }

    std::map<std::string, std::string> environment; ///< of the run, besides what it needs
    bool survives_deaths = false; ///< whether the launcher lets the others go on when a rank is killed
    Ended ended;

  private:
    std::vector<nlohmann::json> log(int r) const {
        std::vector<nlohmann::json> lines;
        std::ifstream in(fmt::format("{}/rank.{}", place_, r));
        for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
        return lines;
    }
    std::string place_;
};

} // namespace squall::faults
