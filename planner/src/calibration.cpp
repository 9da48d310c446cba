#include "calibration.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <toml++/toml.h>

namespace squall::planner {
namespace {

template <class T>
const T &entry(const std::map<std::string, T> &all, const std::string &name, const char *what) {
    if (const auto found = all.find(name); found != all.end()) return found->second;
    std::vector<std::string> known;
    for (const auto &[key, value] : all) known.push_back(key);
    throw std::runtime_error(
        fmt::format("the calibration has no {} {}; it has {}", what, name, fmt::join(known, ", ")));
}

/// Of a machine file its table [calibration].
nlohmann::json json_of(const std::string &file) {
    if (file.ends_with(".toml")) {
        const auto root = toml::parse_file(file);
        const auto *table = root["calibration"].as_table();
        if (!table)
            throw std::runtime_error(file + " has no table [calibration]; name a calibration, or make one "
                                            "with `squall lab calibrate`");
        std::ostringstream text;
        text << toml::json_formatter{*table};
        return nlohmann::json::parse(text.str());
    }
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read the calibration " + file);
    return nlohmann::json::parse(in);
}

/// Empty where there is none.
nlohmann::json table(const nlohmann::json &json, const char *name) {
    return json.value(name, nlohmann::json::object());
}

} // namespace

double Calibration::engine(const std::string &name) const { return entry(engines, name, "engine"); }

FrameCost Calibration::frame(const std::string &engine) const {
    const auto found = frames.find(engine);
    return found == frames.end() ? FrameCost{} : found->second;
}

CodecRate Calibration::codec(const std::string &name) const {
    return name == "none" || name.empty() ? CodecRate{} : entry(codecs, name, "codec");
}

Calibration read_calibration(const std::string &file) {
    try {
        const auto json = json_of(file);
        Calibration c;
        c.source = json.at("source").get<std::string>();
        c.bytes_per_cell_step = json.at("bytes_per_cell_step").get<double>();
        c.core_bandwidth = json.at("core_bandwidth").get<double>();
        c.copy = json.at("copy").get<double>();
        c.crossing = json.value("crossing", c.copy);
        c.letter = json.at("letter").get<double>();
        c.term = json.value("term", 4 / c.core_bandwidth); // else as reading it
        c.engines = json.at("engines").get<std::map<std::string, double>>();
        const auto frames = table(json, "frames"), codecs = table(json, "codecs");
        for (const auto &[name, cost] : frames.items())
            c.frames[name] = {cost.at("frame").get<double>(), cost.at("part").get<double>(),
                              cost.at("together").get<double>()};
        for (const auto &[name, codec] : codecs.items())
            c.codecs[name] = {codec.at("rate").get<double>(), codec.at("ratio").get<double>()};
        return c;
    } catch (const nlohmann::json::exception &e) {
        throw std::runtime_error(fmt::format("{} is not a calibration: {}", file, e.what()));
    }
}

} // namespace squall::planner
