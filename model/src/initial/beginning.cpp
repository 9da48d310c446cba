#include "initial/beginning.hpp"

#include <fmt/format.h>

#include "core/see.hpp"
#include "settings/calendar.hpp"
#include "squall/io.hpp"

namespace squall {

double seconds_of_restart(const std::string &path) {
    const io::Reader file(path);
    const auto refuse = [&](const char *what) {
        throw io::Error(
            see(fmt::format("{}: cannot continue from this restart file: {}", path, what), "restart"));
    };
    if (!file.has("SECONDS")) refuse("it is not a restart file of this model");
    if (file.frames() == 0) refuse("it holds no frame");
    double seconds = 0;
    file.read("SECONDS", file.frames() - 1, {}, &seconds);
    return seconds;
}

double beginning_of(const Config &config) {
    return config.run.restart_from.empty() ? 0 : seconds_of_restart(config.run.restart_from);
}

std::string calendar_beginning_of(const Config &config) {
    return format_iso(add_seconds(parse_time(config.run.start), beginning_of(config)));
}

} // namespace squall
