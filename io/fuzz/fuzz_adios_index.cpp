/// The index of a BP5 directory.

#include <cstdint>
#include <string_view>

#include "engines/adios/index.hpp"
#include "squall/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    try {
        squall::io::adios::parse_index({reinterpret_cast<const char *>(data), size});
    } catch (const squall::io::Error &) { // the only thing that may come out
    }
    return 0;
}
