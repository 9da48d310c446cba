#include "run/output_summary.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "run/text.hpp"

namespace squall {
namespace {

using Row = std::array<std::string, 9>;

const Row heading = {"output",    "frames",  "bytes",      "on disk", "ratio",
                     "per frame", "longest", "of the run", "drain"};

/// Milliseconds matter here, and so do minutes.
std::string brief(double seconds) {
    if (seconds < 0.0995) return fmt::format("{:.1f} ms", 1e3 * seconds);
    if (seconds < 9.95) return fmt::format("{:.2f} s", seconds);
    return format_duration(seconds);
}

Row row_of(const io::StreamReport &s, double run_seconds) {
    const auto bytes = static_cast<double>(s.bytes), stored = static_cast<double>(s.stored_bytes);
    return {s.name,
            fmt::format("{}", s.frames),
            format_bytes(bytes),
            format_bytes(stored),
            stored > 0 ? fmt::format("{:.2f}", bytes / stored) : "-",
            brief(s.perceived_median),
            brief(s.perceived_largest),
            fmt::format("{:.1f} %", run_seconds > 0 ? 100 * s.perceived_total / run_seconds : 0),
            brief(s.drain_median)};
}

std::string line_of(const Row &row, const std::array<std::size_t, 9> &widths) {
    std::string line = fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t c = 1; c < row.size(); ++c) line += fmt::format("  {:>{}}", row[c], widths[c]);
    return line + "\n";
}

/// What did not go as planned, if anything.
std::string remarks(const io::StreamReport &s) {
    std::string text;
    if (s.failed > 0)
        text += fmt::format("{}: {} frame(s) LOST: they could not be stored\n", s.name, s.failed);
    if (s.skipped > 0)
        text += fmt::format("{}: {} frame(s) SKIPPED: staging memory, or the queue of consumers, was full\n",
                            s.name, s.skipped);
    if (s.waits > 0)
        text += fmt::format("{}: waited {} for staging memory, of which at most {} were in use\n", s.name,
                            brief(s.waited), format_bytes(static_cast<double>(s.staging_peak)));
    if (s.spilled > 0)
        text += fmt::format("{}: {} were spilled to spill_dir\n", s.name,
                            format_bytes(static_cast<double>(s.spilled)));
    return text;
}

} // namespace

std::string format_output_summary(const std::vector<io::StreamReport> &streams, double run_seconds,
                                  double finishing) {
    if (streams.empty()) return "";
    std::vector<Row> rows{heading};
    for (const auto &s : streams) rows.push_back(row_of(s, run_seconds));
    std::array<std::size_t, 9> widths{};
    for (const Row &row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    std::string text;
    for (const Row &row : rows) text += line_of(row, widths);
    for (const auto &s : streams) text += remarks(s);
    if (finishing >= 0.05) text += fmt::format("output finished {} after the last step\n", brief(finishing));
    return text;
}

} // namespace squall
