/// Files that lie: a header in the classic format from its numbers, and texts that replace others.
#pragma once

#include <string>

#include "support.hpp"

namespace squall::io::test {

/// The bytes of a file in a classic format, number by number, big-endian.
class Classic {
  public:
    explicit Classic(char version) : wide_(version == 5), offset64_(version != 1) {
        bytes_ = std::string("CDF") + version;
    }

    Classic &u32(std::uint32_t n) { return number(n, 4); }
    Classic &count(std::uint64_t n) { return number(n, wide_ ? 8 : 4); }
    Classic &offset(std::uint64_t n) { return number(n, offset64_ ? 8 : 4); }
    Classic &name(const std::string &text) {
        count(text.size());
        bytes_ += text + std::string((4 - text.size() % 4) % 4, '\0');
        return *this;
    }
    Classic &list(std::uint32_t tag, std::uint64_t n) { return u32(tag).count(n); }
    Classic &none() { return list(0, 0); }
    Classic &dimension(const std::string &text, std::uint64_t size) { return name(text).count(size); }
    /// Without attributes.
    Classic &variable(const std::string &text, const std::vector<std::uint64_t> &ids, std::uint32_t type,
                      std::uint64_t begin) {
        name(text).count(ids.size());
        for (const auto id : ids) count(id);
        return none().u32(type).count(0).offset(begin);
    }
    Classic &data(std::size_t n) {
        bytes_ += std::string(n, '\1');
        return *this;
    }
    const std::string &bytes() const { return bytes_; }

  private:
    Classic &number(std::uint64_t n, int width) {
        for (int i = width; i-- > 0;) bytes_ += static_cast<char>(n >> (8 * i));
        return *this;
    }

    bool wide_, offset64_;
    std::string bytes_;
};

inline void write_bytes(const std::string &file, const std::string &bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

/// Puts another text in the place of one that must be there.
inline void replace_in(const std::string &file, const std::string &old, const std::string &by) {
    auto text = bytes_of(file);
    const auto at = text.find(old);
    ASSERT_NE(at, text.npos) << old << " is not in " << file << ": " << text;
    for (auto n = at; n != text.npos; n = text.find(old, n + by.size())) text.replace(n, old.size(), by);
    write_bytes(file, text);
}

/// Opens a file and reads every frame of every field; the text of the Error, "" if there is none.
inline std::string reading_all(const std::string &path) {
    return error_of([&] {
        const Reader file(path);
        for (const auto &f : file.fields()) {
            const auto shape = file.shape(f.name);
            std::size_t points = 1;
            for (const auto n : shape) points *= static_cast<std::size_t>(n);
            std::vector<double> room(points);
            for (std::int64_t frame = 0; frame < (f.per_frame ? file.frames() : 1); ++frame)
                file.read(f.name, frame, {std::vector<std::int64_t>(shape.size(), 0), shape}, room.data(),
                          f.type, {});
        }
    });
}

inline bool contains(const std::string &text, const std::string &part) {
    return text.find(part) != text.npos;
}

} // namespace squall::io::test
