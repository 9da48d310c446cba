/// A file that the client opens and closes itself (Stream::open_file).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "squall/io_declare.hpp"

namespace squall::io {

struct ClientFile {
    std::int64_t number = 0; ///< of the stream's files, in the order of opening
    std::string path;
    std::vector<Attribute> attributes; ///< beside those of the stream
};

} // namespace squall::io
