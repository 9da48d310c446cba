/// What a Reader holds.
#pragma once

#include <memory>
#include <string>

#include "read/source.hpp"

namespace squall::io {

struct Reader::Impl {
    std::string path;
    std::unique_ptr<Source> source;

    [[noreturn]] void fail(const std::string &what) const;
    int index_of(const std::string &name) const;
    void check_read(const std::string &name, std::int64_t frame, const Box &box,
                    const std::vector<std::int64_t> &shape, Type memory, const Strides &strides) const;
};

} // namespace squall::io
