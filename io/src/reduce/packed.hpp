/// What a message between ranks holds, in as few bytes as its whole numbers need: most are small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace squall::io {

class Packer {
  public:
    std::vector<std::byte> bytes;

    /// Seven bits a byte, the lowest first; small numbers of either sign are short.
    void whole(std::int64_t number) {
        auto rest = (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
        for (; rest >= 128; rest >>= 7) bytes.push_back(static_cast<std::byte>((rest & 127) | 128));
        bytes.push_back(static_cast<std::byte>(rest));
    }
    template <class T> void as_is(const T &value) {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto at = bytes.size();
        bytes.resize(at + sizeof(T));
        std::memcpy(&bytes[at], &value, sizeof(T));
    }
    /// Values that a float holds, or not.
    void numbers(const std::vector<double> &values, bool single) {
        if (!single) return append(values.data(), values.size());
        const std::vector<float> narrow(values.begin(), values.end());
        append(narrow.data(), narrow.size());
    }
    void text(const std::string &text) {
        whole(static_cast<std::int64_t>(text.size()));
        const auto *first = reinterpret_cast<const std::byte *>(text.data());
        bytes.insert(bytes.end(), first, first + text.size());
    }

  private:
    template <class T> void append(const T *values, std::size_t n) {
        const auto *first = reinterpret_cast<const std::byte *>(values);
        bytes.insert(bytes.end(), first, first + n * sizeof(T));
    }
};

/// Of what another rank of the same program has packed: it is as long as it says.
class Unpacker {
  public:
    explicit Unpacker(const std::vector<std::byte> &bytes) : at_(bytes.data()) {}

    std::int64_t count() {
        std::uint64_t all = 0;
        for (int shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned>(*at_++);
            all |= static_cast<std::uint64_t>(byte & 127) << shift;
            if (byte < 128) break;
        }
        return static_cast<std::int64_t>(all >> 1) ^ -static_cast<std::int64_t>(all & 1);
    }
    template <class T> T as_is() {
        T value;
        std::memcpy(&value, at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    std::vector<double> numbers(std::size_t n, bool single) {
        if (single) {
            const auto narrow = array<float>(n);
            return {narrow.begin(), narrow.end()};
        }
        return array<double>(n);
    }
    std::string text() {
        const auto n = static_cast<std::size_t>(count());
        std::string text(reinterpret_cast<const char *>(at_), n);
        at_ += n;
        return text;
    }

  private:
    template <class T> std::vector<T> array(std::size_t n) {
        std::vector<T> values(n);
        if (n > 0) std::memcpy(values.data(), at_, n * sizeof(T));
        at_ += n * sizeof(T);
        return values;
    }

    const std::byte *at_;
};

} // namespace squall::io
