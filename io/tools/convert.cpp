#include "convert.hpp"

#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "check.hpp"
#include "common/box.hpp"
#include "declaration.hpp"
#include "declare/encode.hpp"
#include "drain/exchange.hpp"
#include "portions.hpp"
#include "publish/publish.hpp"
#include "team.hpp"

namespace squall::io::tools {
namespace fs = std::filesystem;
namespace {

/// A field is read, sent to the rank that writes it, and in the libraries' buffers.
std::size_t at_once(std::size_t memory) { return std::max<std::size_t>(memory / 4, 1 << 20); }

/// What a rank has read of a field, on its way to those who write it.
struct ReadHere final : InTransit {
    std::vector<std::vector<std::byte>> boxes;
};

class Converter {
  public:
    Converter(const RankGroup &group, const Conversion &job)
        : group_(group), job_(job), bytes_(at_once(job.memory)), part_(part_name(job.output)) {
        group_.attempt([&] { open(); });
        group_.attempt([&] { prepare(); });
    }

    Converted run() {
        try {
            write();
            require("it is fixed in time, but differs between the inputs; join only files of one run",
                    fixed_elsewhere());
            if (job_.verify) verify();
        } catch (...) {
            writer_.reset();
            group_.agree(""); // all have let go of it
            std::error_code ignored;
            if (group_.leads()) fs::remove_all(part_, ignored);
            throw;
        }
        group_.attempt([&] {
            if (group_.leads()) replace();
        });
        Converted made{in_->frames(), layout_->fields.size(), done_, 0};
        if (group_.leads()) made.stored = size_on_disk(job_.output);
        return made;
    }

  private:
    void open() {
        in_ = std::make_unique<Inputs>(job_.inputs, job_.frames);
        layout_.emplace(declare(*in_, job_.output, job_.engine, job_.codec, job_.fields));
        if (job_.engine == "null") throw Error("engine null stores nothing; choose another engine");
        for (const auto &f : layout_->fields) source_of_.push_back(find(in_->first(), f.field.name));
        for (int f = 0; f < static_cast<int>(layout_->fields.size()); ++f) {
            rounds_.push_back(rounds(*layout_, f, group_.size(), bytes_));
            const auto times = layout_->fields[f].field.per_frame ? in_->frames() : 1;
            all_ += static_cast<std::uint64_t>(layout_->fields[f].bytes() * times);
        }
    }

    void prepare() const {
        if (!group_.leads()) return;
        for (const auto &path : job_.inputs)
            if (fs::exists(job_.output) && fs::equivalent(path, job_.output))
                throw Error(fmt::format("{} is both input and output; choose another output", path));
        if (job_.overwrite) {
            fs::remove_all(part_);
        } else if (fs::exists(job_.output)) {
            throw Error(fmt::format("{} exists; choose another output, or --overwrite", job_.output));
        } else if (fs::exists(part_)) {
            throw Error(fmt::format("{} exists; it is left from an interrupted conversion (--overwrite "
                                    "replaces it) or from a run (`squall recover` saves what is whole)",
                                    part_));
        }
        make_directory_of(job_.output);
    }

    void write() {
        const bool alone = layout_->engine->distribution == Distribution::to_first;
        attempt([&] {
            if (!alone || group_.leads())
                writer_ = layout_->engine->create(
                    *layout_, part_, alone ? Seat{} : Seat{group_.rank(), group_.size(), group_.comm()});
        });
        attempt([&] {
            if (writer_) writer_->prepare();
        });
        attempt([&] {
            if (writer_) writer_->open();
        });
        Progress progress(group_, "writing " + job_.output);
        const auto fields = static_cast<int>(layout_->fields.size());
        for (std::int64_t frame = 0; frame < std::max<std::int64_t>(in_->frames(), 1); ++frame) {
            sums_.emplace_back(fields, 0);
            attempt([&] {
                if (writer_ && in_->frames() > 0) writer_->begin(frame);
            });
            for (int f = 0; f < fields; ++f) {
                progress.show(done_, all_);
                if (at(f, frame)) write_field(f, frame);
            }
            group_.add(sums_.back());
            attempt([&] {
                if (writer_) writer_->flush();
            });
        }
        attempt([&] {
            if (writer_) writer_->close(in_->frames());
        });
        describe();
        attempt([&] {
            if (writer_) writer_->make_durable();
        });
        attempt([&] {
            if (group_.leads() && layout_->engine->grows) writer_->reveal(in_->frames());
        });
        writer_.reset();
    }

    void describe() const {
        std::string account;
        attempt([&] {
            if (writer_ && layout_->engine->accounts) account = writer_->account(in_->frames());
        });
        const auto accounts = group_.gather_at_first(account);
        attempt([&] {
            if (group_.leads()) writer_->describe(in_->frames(), accounts, true);
        });
    }

    /// Whether a field is stored with a frame of the output.
    bool at(int field, std::int64_t frame) const {
        return layout_->fields[field].field.per_frame ? frame < in_->frames() : frame == 0;
    }

    void write_field(int field, std::int64_t frame) {
        for (const auto &round : rounds_[field]) carry(field, frame, round);
        done_ += static_cast<std::uint64_t>(layout_->fields[field].bytes());
    }

    void carry(int field, std::int64_t frame, const Round &round) {
        const auto &f = layout_->fields[field];
        const auto memory = std::make_shared<ReadHere>();
        std::vector<const void *> points;
        std::vector<Piece> pieces;
        group_.attempt([&] {
            for (const auto &share : round.read) {
                if (share.writer != group_.rank()) continue;
                auto &read = memory->boxes.emplace_back(static_cast<std::size_t>(volume(share.box)) *
                                                        size_of(f.field.type));
                in_->read(source_of_[field], frame, share.box, read.data());
                sums_.back()[field] += checksum(share.box, f.shape, read.data(), f.field.type);
                points.push_back(read.data());
                pieces.push_back({share.box, read.data()});
            }
        });
        if (round.written.empty()) return write(field, frame, pieces);
        const bool views = layout_->engine->views;
        auto plan = std::make_shared<const Plan>(plan_between(round.read, round.written, group_.rank()));
        const auto exchanged = exchange(group_, {{f, std::move(plan), points}}, memory, views, scratch_);
        if (!views) memory->boxes.clear(); // what came of the exchange takes its place
        write(field, frame, exchanged.front().pieces);
    }

    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces) const {
        const bool together = layout_->engine->together;
        std::vector<Box> boxes;
        for (const auto &piece : pieces) boxes.push_back(piece.box);
        const auto largest = together ? group_.largest(writer_->weight(field, boxes)) : 0;
        attempt([&] {
            if (writer_ && writer_->requires_room(field)) writer_->require_room(field);
        });
        attempt([&] {
            if (writer_) writer_->write(field, frame, pieces, largest);
        });
    }

    template <class F> void attempt(F f) const {
        group_.attempt([&] {
            try {
                f();
            } catch (const std::exception &e) {
                throw Error(fmt::format("{}: {}", part_, e.what()));
            }
        });
    }

    /// Reads everything back.
    void verify() const {
        attempt([&] {
            const auto fault = departure_from(*layout_, in_->frames(), *open_source(part_));
            if (!fault.empty()) throw Error(fault + "; keep the input");
        });
        std::vector<Task> tasks;
        for (std::size_t frame = 0; frame < sums_.size(); ++frame)
            for (int f = 0; f < static_cast<int>(layout_->fields.size()); ++f)
                if (at(f, static_cast<std::int64_t>(frame)))
                    tasks.push_back({part_, static_cast<std::int64_t>(frame), layout_->fields[f].field.name,
                                     sums_[frame][f]});
        require("the output differs from what was read; keep the input", tasks);
    }

    /// That inputs from which the fields fixed in time were not taken have the same.
    std::vector<Task> fixed_elsewhere() const {
        std::vector<Task> tasks;
        for (std::size_t n = 1; n < job_.inputs.size(); ++n)
            for (std::size_t f = 0; f < layout_->fields.size(); ++f)
                if (!layout_->fields[f].field.per_frame)
                    tasks.push_back({job_.inputs[n], 0, layout_->fields[f].field.name, sums_.front()[f]});
        return tasks;
    }

    void require(const std::string &otherwise, const std::vector<Task> &tasks) const {
        const auto checked = check(group_, tasks, bytes_);
        for (std::size_t t = 0; t < tasks.size(); ++t)
            if (!checked.faults[t].empty())
                throw Error(fmt::format("{}: frame {}, field {}: {}; {}", tasks[t].file, tasks[t].frame,
                                        tasks[t].field, checked.faults[t], otherwise));
    }

    void replace() const {
        if (fs::is_regular_file(job_.output) && fs::is_directory(part_)) fs::remove(job_.output);
        publish(job_.output);
    }

    const RankGroup &group_;
    const Conversion &job_;
    std::size_t bytes_; ///< of a field that a rank takes at a time
    std::string part_;
    std::unique_ptr<Inputs> in_;
    std::optional<Layout> layout_;
    std::vector<int> source_of_;                   ///< per field, its index in the inputs
    std::vector<std::vector<Round>> rounds_;       ///< per field
    std::vector<std::vector<std::uint64_t>> sums_; ///< per frame and field
    std::unique_ptr<Writer> writer_;
    Scratch scratch_;
    std::uint64_t done_ = 0, all_ = 0; ///< bytes
};

} // namespace

Converted convert(const RankGroup &group, const Conversion &job) { return Converter(group, job).run(); }

} // namespace squall::io::tools
