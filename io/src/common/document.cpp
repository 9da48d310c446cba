#include "common/document.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace squall::io {

std::string text_of(const std::string &file, std::size_t most) {
    std::error_code problem;
    const auto about = std::filesystem::status(file, problem);
    if (std::filesystem::exists(about) &&
        !std::filesystem::is_regular_file(about)) // a pipe would wait for ever
        throw Error(fmt::format("{} cannot be read: it is not a file", file));
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error(fmt::format("{} cannot be read: {}", file, std::strerror(errno)));
    std::string text;
    std::vector<char> part(1 << 16);
    while (in.read(part.data(), std::ssize(part)) || in.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > most)
            throw Error(fmt::format(
                "{} has more than {} bytes, which no such file has; it is damaged, restore it", file, most));
    }
    return text;
}

} // namespace squall::io
