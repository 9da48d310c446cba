#include "baseline.hpp"

namespace squall::bench {

std::map<std::string, MakeBaseline> &baselines() {
    static std::map<std::string, MakeBaseline> all;
    return all;
}

} // namespace squall::bench
