#include "reduce/checked.hpp"

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"

namespace squall::io {

bool checked(const Layout &layout, const Put &put) {
    if (const auto fault = misfit(put.box, layout.find_put(put.field)->domain); !fault.empty())
        throw Error(fault);
    if (!converts(put.memory, Type::f64))
        throw Error(fmt::format("nothing can be made from {}", io::name_of(put.memory)));
    if (!put.strides.empty() && put.strides.size() != put.box.count.size())
        throw Error(fmt::format("{} strides for {} dimensions", put.strides.size(), put.box.count.size()));
    if (volume(put.box) == 0) return false;
    if (!put.data) throw Error(fmt::format("a null pointer for box {}", text(put.box)));
    return true;
}

} // namespace squall::io
