#include "document.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace squall::io {

std::string text_of(const std::string &file, std::size_t most) {
    std::ifstream in(file, std::ios::binary);
    if (!in || std::filesystem::is_directory(file))
        throw Error(fmt::format("{} cannot be read: {}", file, std::strerror(in ? EISDIR : errno)));
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
