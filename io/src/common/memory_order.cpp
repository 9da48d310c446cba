#include "squall/io_memory_order.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace squall::io {
namespace {

std::string upper(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (c != ' ' && c != '\0') result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return result;
}

bool one_of(const std::string &text, std::initializer_list<std::string_view> texts) {
    return std::ranges::find(texts, std::string_view(text)) != texts.end();
}

/// Some of x, y and z, each once.
bool is_permutation(std::string sorted) {
    std::ranges::sort(sorted);
    return !sorted.empty() && std::ranges::adjacent_find(sorted) == sorted.end() &&
           sorted.find_first_not_of("XYZ") == sorted.npos;
}

} // namespace

std::optional<MemoryOrder> MemoryOrder::from(std::string_view text) {
    const auto letters = upper(text);
    MemoryOrder order;
    order.dimensions_ = letters == "0" ? 0 : letters.size();
    order.of_field_ = letters;
    if (one_of(letters, {"0", "Z", "C"})) {
        order.replicated_ = true;
    } else if (is_permutation(letters)) {
        std::ranges::sort(order.of_field_);
        for (std::size_t d = 0; d < letters.size(); ++d)
            order.in_memory_[d] = letters.find(order.of_field_[d]);
    } else if (one_of(letters, {"XS", "XE", "YS", "YE"})) {
        order.dimensions_ = 2;
    } else if (!one_of(letters, {"XSZ", "XEZ", "YSZ", "YEZ"})) {
        return std::nullopt;
    }
    return order;
}

ArrayPart part_of(const MemoryOrder &order, const int *domain_first, const IndexBounds &memory,
                  const IndexBounds &patch) {
    const auto n = order.dimensions();
    std::array<std::ptrdiff_t, 3> step = {1, 1, 1};
    bool empty = false;
    for (std::size_t d = 0; d < n; ++d) {
        if (d > 0) step[d] = step[d - 1] * memory.length(d - 1);
        empty |= patch.length(d) == 0;
    }
    ArrayPart part;
    for (std::size_t f = n; f-- > 0;) { // slowest first
        const auto d = order.in_memory(f);
        if (!empty && (patch.first[d] < memory.first[d] || patch.last[d] > memory.last[d]))
            throw Error(fmt::format("dimension {} of the array: indices {} to {} of the patch are outside "
                                    "those of the memory, {} to {}",
                                    d + 1, patch.first[d], patch.last[d], memory.first[d], memory.last[d]));
        part.box.start.push_back(empty ? 0 : patch.first[d] - domain_first[d]);
        part.box.count.push_back(empty ? 0 : patch.length(d));
        part.strides.push_back(step[d]);
        if (!empty) part.first += (patch.first[d] - memory.first[d]) * step[d];
    }
    return part;
}

} // namespace squall::io
