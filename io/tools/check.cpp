#include "check.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/box.hpp"
#include "common/sizes.hpp"
#include "declare/encode.hpp"
#include "portions.hpp"
#include "publish/publish.hpp"
#include "read/source_check.hpp"
#include "team.hpp"

namespace squall::io::tools {
namespace {

using Json = nlohmann::json;

std::uint64_t bytes_of(const Source &source, int field) {
    const auto &f = source.fields[field];
    return static_cast<std::uint64_t>(volume(whole(shape_of(source, f)))) * size_of(f.type);
}

/// Keeps the file of the task before open.
class Examiner {
  public:
    Examiner(std::size_t bytes, Opening opening) : bytes_(bytes), opening_(opening) {}
    std::uint64_t read() const { return read_; }

    std::string examine(const Task &task) {
        try {
            const auto &source = open(task.file);
            const int field = find(source, task.field);
            if (field < 0) return "is not in the file";
            if (source.fields[field].per_frame && task.frame >= source.frames)
                return fmt::format("the file has only {}", count(source.frames, "frame"));
            const auto found = checksum_of(source, field, task.frame, bytes_);
            read_ += bytes_of(source, field);
            if (found == task.expected) return "";
            return fmt::format("the checksum is {:016x}, but must be {:016x}", found, task.expected);
        } catch (const std::exception &e) {
            return fmt::format("cannot be read: {}", e.what());
        }
    }

  private:
    const Source &open(const std::string &file) {
        if (!source_ || file != file_) {
            source_.reset();
            source_ = opening_(file);
            file_ = file;
        }
        return *source_;
    }

    std::size_t bytes_;
    Opening opening_;
    std::uint64_t read_ = 0;
    std::string file_;
    std::unique_ptr<Source> source_;
};

} // namespace

std::string size_fault(const Source &source, const std::string &path) {
    constexpr std::uint64_t largest_ratio = 1 << 16, slack = 1 << 24;
    const auto there = size_on_disk(path);
    std::uint64_t told = 0;
    try {
        for (std::size_t f = 0; f < source.fields.size(); ++f) {
            const auto frames = source.fields[f].per_frame ? source.frames : 1;
            told =
                plus(told, times(bytes_of(source, static_cast<int>(f)), static_cast<std::uint64_t>(frames)));
        }
    } catch (const Error &e) {
        return e.what();
    }
    if (told / largest_ratio <= there + slack / largest_ratio) return "";
    return fmt::format("it claims fields of {} bytes, but has {} on disk; it is damaged, restore it", told,
                       there);
}

int find(const Source &source, const std::string &field) {
    const auto f = std::ranges::find(source.fields, field, &Field::name);
    return f == source.fields.end() ? -1 : static_cast<int>(f - source.fields.begin());
}

std::uint64_t checksum_of(const Source &source, int field, std::int64_t frame, std::size_t bytes) {
    const auto &f = source.fields[field];
    const auto shape = shape_of(source, f);
    std::uint64_t sum = 0;
    std::vector<std::byte> points;
    for (const auto &slab : slabs(whole(shape), f.type, bytes)) {
        points.resize(static_cast<std::size_t>(volume(slab)) * size_of(f.type));
        source.read(field, frame, slab, points.data(), f.type);
        sum += checksum(slab, shape, points.data(), f.type);
    }
    return sum;
}

Checked check(const RankGroup &group, const std::vector<Task> &tasks, std::size_t bytes, Opening opening) {
    const auto ranks = static_cast<std::size_t>(group.size()), rank = static_cast<std::size_t>(group.rank());
    const auto first = tasks.size() * rank / ranks, end = tasks.size() * (rank + 1) / ranks;
    Examiner examiner(bytes, opening);
    Progress progress(group, "comparing checksums");
    Json faults = Json::array();
    for (auto t = first; t < end; ++t) {
        progress.show(t - first, end - first);
        if (const auto fault = examiner.examine(tasks[t]); !fault.empty()) faults.push_back({t, fault});
    }
    Checked all{std::vector<std::string>(tasks.size()), 0};
    // Words of libraries may be in any encoding.
    const auto said = Json{{"read", examiner.read()}, {"faults", faults}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
    for (const auto &text : gather(group, said)) {
        const auto of_rank = Json::parse(text);
        all.bytes += of_rank["read"].get<std::uint64_t>();
        for (const auto &fault : of_rank["faults"])
            all.faults[fault[0].get<std::size_t>()] = fault[1].get<std::string>();
    }
    return all;
}

} // namespace squall::io::tools
