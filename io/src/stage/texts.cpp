#include "stage/texts.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"

namespace squall::io {

std::string text_of(const char *letters, std::size_t n) {
    const auto *end = std::find(letters, letters + n, '\0');
    while (end != letters && end[-1] == ' ') --end;
    return {letters, end};
}

Letters::Letters(const FieldLayout &f, const Put &put) : name_(put.field), box_(put.box) {
    const bool pointers = put.memory == Type::text;
    const auto n = f.domain.size() - (pointers ? 1 : 0);
    if (put.box.start.size() != n || put.box.count.size() != n)
        throw Error(fmt::format("a box of {} starts and {} counts for {} of {} dimensions",
                                put.box.start.size(), put.box.count.size(), pointers ? "texts" : "letters",
                                n));
    std::int64_t given = pointers ? 0 : box_.count.back();
    if (pointers) {
        box_.start.push_back(0);
        box_.count.push_back(f.letters);
    } else {
        if (box_.start.back() != 0 || given > f.letters)
            throw Error(fmt::format("{} letters from {} of {}", given, box_.start.back(), f.letters));
        box_.count.back() = f.letters;
    }
    const auto letters = static_cast<std::size_t>(f.letters);
    const auto texts = static_cast<std::size_t>(volume(box_)) / letters;
    characters_.assign(texts * letters, '\0');
    if (texts == 0) return;
    if (!put.data) throw Error("a null pointer for texts");
    const auto take = [&](std::size_t text, const std::string &value) {
        if (value.size() > letters)
            throw Error(fmt::format("the text \"{}\" has {} bytes, but the field's letters are {}", value,
                                    value.size(), letters));
        value.copy(characters_.data() + text * letters, letters);
    };
    if (pointers) {
        auto strides = put.strides.empty() ? contiguous(put.box.count) : put.strides;
        std::vector<std::int64_t> at(n, 0);
        for (std::size_t text = 0; text < texts; ++text) {
            std::ptrdiff_t offset = 0;
            for (std::size_t d = 0; d < n; ++d) offset += at[d] * strides[d];
            const auto *value = static_cast<const char *const *>(put.data)[offset];
            if (!value) throw Error("a text is a null pointer");
            take(text, value);
            for (std::size_t d = n; d-- > 0 && ++at[d] == put.box.count[d];) at[d] = 0;
        }
        return;
    }
    std::string rows(texts * static_cast<std::size_t>(given), '\0');
    copy_points(put.box.count, put.data, Type::character, put.strides, rows.data(), Type::character, {});
    for (std::size_t text = 0; text < texts; ++text)
        take(text,
             text_of(rows.data() + text * static_cast<std::size_t>(given), static_cast<std::size_t>(given)));
}

} // namespace squall::io
