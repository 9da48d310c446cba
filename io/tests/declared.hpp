/// What tests of declarations share: streams of every engine, parts of a row, whole fields.
#pragma once

#include <algorithm>
#include <numeric>

#include "support.hpp"

namespace squall::io::test {

/// Engines of this build that write files which can be read back.
inline std::vector<std::string> storing_engines() {
    auto names = engines();
    std::erase_if(names, [](const auto &name) { return name == "null" || name == "sst"; });
    return names;
}

inline StreamSpec stream_of(const std::string &name, const std::string &path,
                            const std::string &engine = "netcdf") {
    StreamSpec s;
    s.name = name;
    s.path = path;
    s.engine = engine;
    return s;
}

/// This rank's part of n points in a row.
struct Part {
    std::int64_t begin, count;
    explicit Part(std::int64_t n)
        : begin(n * rank() / ranks()), count(n * (rank() + 1) / ranks() - n * rank() / ranks()) {}
    Box box() const { return {{begin}, {count}}; }
};

/// The whole field of a file, for checks.
inline std::vector<double> all_of(const std::string &file, const std::string &field, std::int64_t frame = 0) {
    const Reader reader(file);
    const auto shape = reader.shape(field);
    std::vector<double> all(static_cast<std::size_t>(
        std::accumulate(shape.begin(), shape.end(), std::int64_t(1), std::multiplies<>())));
    reader.read(field, frame, {std::vector<std::int64_t>(shape.size(), 0), shape}, all.data());
    return all;
}

} // namespace squall::io::test
