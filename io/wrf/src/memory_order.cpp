#include "memory_order.hpp"

#include <algorithm>
#include <cctype>

namespace squall::wrf {
namespace {

std::string lower(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (c != ' ' && c != '\0') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string upper_in_three(std::string text) {
    for (char &c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    text.resize(3, ' ');
    return text;
}

bool one_of(const std::string &text, std::initializer_list<std::string_view> texts) {
    return std::ranges::find(texts, std::string_view(text)) != texts.end();
}

} // namespace

std::optional<MemoryOrder> MemoryOrder::from(std::string_view text) {
    const auto letters = lower(text);
    MemoryOrder order;
    order.dimensions_ = letters == "0" ? 0 : letters.size();
    order.in_file_ = upper_in_three(letters);
    if (one_of(letters, {"0", "z", "c"})) {
        order.replicated_ = true;
    } else if (one_of(letters, {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xy", "yx"})) {
        auto sorted = letters;
        std::ranges::sort(sorted);
        for (std::size_t d = 0; d < sorted.size(); ++d) order.in_memory_[d] = letters.find(sorted[d]);
        order.in_file_ = upper_in_three(sorted);
    } else if (!one_of(letters, {"xsz", "xez", "ysz", "yez", "xs", "xe", "ys", "ye"})) {
        return std::nullopt;
    }
    return order;
}

Place place_of(const MemoryOrder &order, const Bounds &domain, const Bounds &memory, const Bounds &patch) {
    const auto n = order.dimensions();
    std::array<std::ptrdiff_t, 3> step = {1, 1, 1};
    for (std::size_t d = 1; d < n; ++d) step[d] = step[d - 1] * memory.length(d - 1);
    Place place;
    for (std::size_t f = n; f-- > 0;) { // slowest first
        const auto d = order.in_memory(f);
        place.box.start.push_back(patch.first[d] - domain.first[d]);
        place.box.count.push_back(patch.length(d));
        place.strides.push_back(step[d]);
        place.first += (patch.first[d] - memory.first[d]) * step[d];
    }
    return place;
}

} // namespace squall::wrf
