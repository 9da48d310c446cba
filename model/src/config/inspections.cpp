#include "config/inspections.hpp"

#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

namespace squall {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WrfInputInfo, nx, ny, nz, dx, dy, start, hybrid, ideal, has_w, hypsometric)

const WrfInputInfo &Inspections::of(const std::string &file) {
    auto place = seen_.find(file);
    if (place == seen_.end()) {
        Seen found;
        try {
            found.info = inspect_wrfinput(file);
        } catch (const std::runtime_error &error) {
            found.error = error.what();
        }
        place = seen_.emplace(file, std::move(found)).first;
    }
    const Seen &seen = place->second;
    if (!seen.error.empty()) throw std::runtime_error(seen.error);
    return seen.info;
}

Inspections::Kind Inspections::kind_of(const std::string &name) {
    if (const auto known = kinds_.find(name); known != kinds_.end()) return known->second;
    std::error_code none;
    const auto status = std::filesystem::status(name, none);
    return kinds_[name] = !std::filesystem::exists(status)           ? Kind::nothing
                          : std::filesystem::is_regular_file(status) ? Kind::file
                                                                     : Kind::other;
}

std::vector<std::uint8_t> Inspections::packed() const {
    nlohmann::json headers = nlohmann::json::object(), kinds = nlohmann::json::object();
    for (const auto &[file, seen] : seen_) headers[file] = {{"info", seen.info}, {"error", seen.error}};
    for (const auto &[name, kind] : kinds_) kinds[name] = kind;
    return nlohmann::json::to_cbor({{"headers", headers}, {"kinds", kinds}});
}

Inspections Inspections::unpacked(const std::vector<std::uint8_t> &bytes) {
    Inspections result;
    const nlohmann::json all = nlohmann::json::from_cbor(bytes);
    for (const auto &[file, seen] : all.at("headers").items())
        result.seen_[file] = {seen.at("info").get<WrfInputInfo>(), seen.at("error").get<std::string>()};
    for (const auto &[name, kind] : all.at("kinds").items()) result.kinds_[name] = kind.get<Kind>();
    return result;
}

} // namespace squall
