#include "settings/small_files.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

namespace squall {
namespace {

std::optional<std::string> text_of(const std::string &file) {
    std::error_code ignored;
    std::ifstream in(file, std::ios::binary);
    if (!in || std::filesystem::is_directory(file, ignored)) return {};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

void SmallFiles::read(const std::string &file) {
    if (auto text = text_of(file)) keep(file, std::move(*text));
}

void SmallFiles::keep(const std::string &file, std::string text) {
    texts_[file] = std::make_shared<const std::string>(std::move(text));
}

std::vector<std::string> SmallFiles::names() const {
    std::vector<std::string> all;
    for (const auto &[name, text] : texts_) all.push_back(name);
    return all;
}

std::istringstream SmallFiles::open(const std::string &file) const {
    if (const auto kept = texts_.find(file); kept != texts_.end()) return std::istringstream(*kept->second);
    const auto text = text_of(file);
    std::istringstream in(text.value_or(""));
    if (!text) in.setstate(std::ios::failbit);
    return in;
}

} // namespace squall
