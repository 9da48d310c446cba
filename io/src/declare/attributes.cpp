#include "declare/layout.hpp"

namespace squall::io {

bool is_of_its_field(const std::string &attribute) {
    return attribute == "_FillValue" || attribute == "missing_value" || attribute == "flag_values" ||
           attribute == "flag_masks";
}

} // namespace squall::io
