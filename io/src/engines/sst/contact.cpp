#include "engines/sst/contact.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "declare/layout.hpp"
#include "publish/kept_open.hpp"

namespace squall::io::sst {
namespace fs = std::filesystem;
namespace {

constexpr auto first_line = "#ADIOS2-SST v0\n";
constexpr std::size_t longest = 16 << 10;

} // namespace

bool is_contact(const std::string &text) { return text.starts_with(first_line); }

std::string contact_at(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(longest, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

void put_contact(const std::string &path, const std::string &text) {
    const auto fresh = fmt::format("{}.{}.new", path, ::getpid());
    std::error_code problem;
    static_cast<void>(write_new(fresh, text));
    fs::rename(fresh, path, problem);
    if (problem) throw Error(fmt::format("writing the contact file {}: {}", path, problem.message()));
}

void remove_contact(const std::string &path, const std::string &text) {
    std::error_code ignored; // it may be gone with its directory
    if (contact_at(path) == text) fs::remove(path, ignored);
}

std::string contact_file(const std::string &where) {
    std::error_code ignored;
    if (!fs::is_directory(where, ignored)) return fs::exists(where, ignored) ? where : "";
    std::vector<std::string> found;
    for (const auto &entry : fs::directory_iterator(where, ignored)) {
        const auto name = entry.path().filename().string();
        if (name.ends_with(ending) && !name.starts_with(".")) found.push_back(entry.path().string());
    }
    std::ranges::sort(found);
    if (found.size() > 1)
        throw Error(fmt::format("{}: it holds several streams, {}; name one of them", where, list(found)));
    return found.empty() ? "" : found.front();
}

} // namespace squall::io::sst
