#include "printable.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace squall::io::tools {
namespace {

/// A character of UTF-8: how many bytes, 0 if it is none.
struct Character {
    std::size_t bytes = 0;
    std::uint32_t code = 0;
};

Character first_of(std::string_view text) {
    const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
    const auto lead = byte(0);
    if (lead < 0x80) return {1, lead};
    const std::size_t bytes = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead >= 0xf5 || text.size() < bytes) return {};
    std::uint32_t code = lead & (0x7fu >> bytes);
    for (std::size_t n = 1; n < bytes; ++n) {
        if ((byte(n) & 0xc0u) != 0x80) return {};
        code = code << 6 | (byte(n) & 0x3fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[bytes] || code > 0x10ffff || surrogate ? Character{} : Character{bytes, code};
}

bool is_obeyed(std::uint32_t code) {
    const auto within = [code](std::uint32_t first, std::uint32_t last) {
        return first <= code && code <= last;
    };
    return code < ' ' || within(0x7f, 0x9f) || within(0x2028, 0x202e) || within(0x2066, 0x2069) ||
           code == 0x200e || code == 0x200f;
}

} // namespace

std::string printable(std::string_view line) {
    std::string out;
    while (!line.empty()) {
        const auto [bytes, code] = first_of(line);
        const auto shown = line.substr(0, bytes == 0 ? 1 : bytes);
        line.remove_prefix(shown.size());
        if (bytes != 0 && !is_obeyed(code))
            out += shown;
        else
            for (const char c : shown)
                fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
    }
    return out;
}

} // namespace squall::io::tools
