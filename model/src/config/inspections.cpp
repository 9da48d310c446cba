#include "config/inspections.hpp"

#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

namespace squall {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WrfInputInfo, nx, ny, nz, dx, dy, start, hybrid, ideal, hypsometric)

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

std::vector<std::uint8_t> Inspections::packed() const {
    nlohmann::json all = nlohmann::json::object();
    for (const auto &[file, seen] : seen_) all[file] = {{"info", seen.info}, {"error", seen.error}};
    return nlohmann::json::to_cbor(all);
}

Inspections Inspections::unpacked(const std::vector<std::uint8_t> &bytes) {
    Inspections result;
    const nlohmann::json all = nlohmann::json::from_cbor(bytes);
    for (const auto &[file, seen] : all.items())
        result.seen_[file] = {seen.at("info").get<WrfInputInfo>(), seen.at("error").get<std::string>()};
    return result;
}

} // namespace squall
