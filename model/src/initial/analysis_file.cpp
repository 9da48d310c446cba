#include "initial/analysis_file.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "initial/beginning.hpp"
#include "settings/calendar.hpp"

namespace squall {

AnalysisFile::AnalysisFile(const std::string &path, const Config &config, const std::string &remedy)
    : file_(path, remedy) {
    check_domain(config, remedy);
    read_times(config, remedy);
}

/// By the numbers that place a domain on the globe.
void AnalysisFile::check_domain(const Config &config, const std::string &remedy) const {
    if (config.initial.file.empty()) return;
    const InputFile initial(config.initial.file, remedy);
    for (const char *name : {"DX", "DY", "MAP_PROJ", "CEN_LAT", "CEN_LON", "STAND_LON"}) {
        if (!file_.has_attribute(name) || !initial.has_attribute(name)) continue;
        const double here = file_.number(name), there = initial.number(name);
        if (std::abs(here - there) > 1e-4 * std::max(1.0, std::abs(there)))
            fail(fmt::format("belongs to another domain than {}: {} is {} here and {} there; {}",
                             config.initial.file, name, here, there, remedy));
    }
}

void AnalysisFile::read_times(const Config &config, const std::string &remedy) {
    const CalendarTime start = parse_time(config.run.start);
    const std::int64_t count = file_.records("Times");
    for (std::int64_t n = 0; n < count; ++n) {
        file_.look_at(n);
        const std::string text = file_.string("Times");
        try {
            times_.push_back(std::chrono::duration<double>(parse_time(text) - start).count());
        } catch (const std::invalid_argument &e) {
            fail(fmt::format("Times of record {}: {}; {}", n, e.what(), remedy));
        }
        if (n > 0 && !(times_[std::size_t(n)] > times_[std::size_t(n) - 1]))
            fail(fmt::format("Times: record {} is {}, which is not after the one before it; {}", n, text,
                             remedy));
        if (n == 0 && times_[0] > beginning_of(config))
            fail(fmt::format("begins at {}, but the run begins at {}: the file is for another date; {}", text,
                             calendar_beginning_of(config), remedy));
    }
    if (times_.empty()) fail(fmt::format("holds no records; {}", remedy));
}

Between AnalysisFile::around(double seconds) const {
    const auto after = std::ranges::upper_bound(times_, seconds);
    const std::int64_t n = std::max<std::ptrdiff_t>(after - times_.begin() - 1, 0);
    if (n + 1 == records()) return {n, n, 0};
    const double begin = time(n), end = time(n + 1);
    return {n, n + 1, std::clamp((seconds - begin) / (end - begin), 0.0, 1.0)};
}

} // namespace squall
