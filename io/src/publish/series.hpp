/// The files of a stream, on each of its writers: the one place in which writers agree on what becomes
/// of a frame. Writers do one step each (engine.hpp), then all learn whether it went well everywhere,
/// then all do the next one or all take the frame back. So nobody is ever a step ahead.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "agree/alarm.hpp"
#include "agree/rank_group.hpp"
#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "publish/append.hpp"
#include "publish/cause.hpp"
#include "publish/file_names.hpp"
#include "publish/manifest.hpp"
#include "publish/sink.hpp"

namespace squall::io {

class FileSeries final : public Sink {
  public:
    /// `successor`: in place of writers that are lost. These may have left stored frames in a file that
    /// `squall recover` publishes under its name.
    FileSeries(const Layout &layout, const RankGroup &group, bool successor)
        : layout_(layout), group_(group), successor_(successor),
          manifest_(layout, manifest_patience(group.patience())), alarm_(group.patience()),
          names_(layout.spec.path) {}

    void see(const Time &time, std::int64_t number, const std::shared_ptr<const ClientFile> &file,
             std::int64_t in_file) override;
    void end_file() override { close(); }
    /// Frames from number n * frames_per_file on share a file, also if one of them is lost.
    bool wants_fixed(std::int64_t number) const override;
    void begin(const Time &time, std::int64_t number, const std::vector<std::vector<Box>> &boxes) override;
    void write(int field, const std::vector<Piece> &pieces) override;
    void end(const Time &time, const std::vector<std::uint64_t> &checksums, std::string fault) override;
    /// A file that shows its frames goes on with the next one, and so does any other where the program is not
    /// told (on_error "continue"). Else, or if its library cannot, it is published with the frames that it
    /// has.
    void drop() override;
    void close() override;

    std::vector<Departure> departures() override { return std::exchange(departures_, {}); }
    void arrive(const Departure &departure) override;
    std::uint64_t stored_bytes() const override { return stored_bytes_; }
    std::string at() const override {
        const std::lock_guard lock(at_mutex_);
        return at_;
    }

  private:
    /// Others take this writer for lost at the deadline.
    static double manifest_patience(const Patience &p) { return p.timeout() > 0 ? p.timeout() / 3 : 60; }
    const Engine &engine() const { return *layout_.engine; }
    std::int64_t number_of_file(std::int64_t frame) const {
        return client_file_ ? client_file_->number : layout_.file_number(frame + earlier_);
    }
    bool begins_file(std::int64_t frame, std::int64_t in_file) const;
    bool shows_frames() const { return engine().grows && layout_.spec.burst_dir.empty() && !replaces_; }
    bool may_go_on() const;
    bool opened_to_replace() const;
    void avoid_what_others_left(const Time &time);
    std::vector<bool> written_with_frame() const;
    std::string workplace() const;
    std::string place() const;
    void open_file(const Time &time, std::int64_t number);
    void refuse_name(const std::string &name, bool goes_on);
    std::optional<Continuation> earlier_file(const std::string &name, const Time &time);
    void reopen(const Continuation &earlier, std::int64_t number);
    void cut_what_readers_see();
    void make_writer(const Continuation &earlier = {});
    const Layout &layout_of_file(const Continuation &earlier);
    void prepare();
    void describe(std::int64_t frames, bool closing);
    void make_durable();
    void show();
    void finish_file();
    void finish(const std::string &file, const std::string &place, std::int64_t frames, bool shown);
    void give_up(const std::string &part);
    void set_aside();
    bool roll_back();
    void forget_file();
    void announce(const std::string &file, std::int64_t first, const std::vector<Time> &times);
    void announce_shown(bool appeared);
    template <class F> void put_on_record(const std::string &file, F f);
    template <class F> void attempt(const std::string &file, F f);
    template <class F> void attempt_leading(const std::string &file, F f);
    template <class F> void call(const char *doing, F f);

    const Layout &layout_;
    const RankGroup &group_;
    bool successor_;
    Manifest manifest_;
    Alarm alarm_;
    FileNames names_;
    std::shared_ptr<const ClientFile> client_file_; ///< of the last frame; null: it has a pattern's name
    std::unique_ptr<Layout> file_layout_; ///< of the current file, where that has attributes of its own
    std::unique_ptr<Writer> writer_;
    std::string file_; ///< final name of the current file; empty: none
    std::int64_t file_number_ = 0;
    /// Added to the numbers of this run's frames: how many the file had that it began by appending to.
    std::int64_t earlier_ = 0;
    std::string frame_;             ///< begun last, for messages
    bool begun_ = false;            ///< a file was opened
    bool cut_ = false;              ///< the current file had more frames than this run left it
    bool reopened_ = false;         ///< the current file is one that was published before
    std::vector<bool> gained_;      ///< then, of the fields, those that it did not have
    std::int64_t first_here_ = 0;   ///< frames that it had
    bool replaces_ = false;         ///< the current file takes the client's place of another when it is whole
    bool aside_ = false;            ///< the current file is left unpublished
    std::int64_t frames_ = 0;       ///< stored in the current file
    std::vector<Time> unannounced_; ///< times of the last of these, which no line says are published
    bool under_way_ = false;        ///< a frame was begun, and is neither complete nor dropped
    bool written_ = false;          ///< something of the current frame may be in the file
    std::vector<std::int64_t> weights_; ///< of its fields, where writers write together
    bool last_ = false;                 ///< the current frame is the last of its file
    bool shown_ = false;                ///< the current file has its final name
    bool untrusted_ = false;            ///< bytes of it may be lost
    std::string fault_;                 ///< of this writer in the current frame
    std::vector<Departure> departures_;
    std::uint64_t stored_bytes_ = 0;
    mutable std::mutex at_mutex_;
    std::string at_; ///< the file of the step that is done now
};

/// Runs f on all writers; adds the file to the words of a failure. Where a library fails on several, who
/// knows why speaks.
template <class F> void FileSeries::attempt(const std::string &file, F f) {
    {
        const std::lock_guard lock(at_mutex_);
        at_ = file;
    }
    const auto named = [&] {
        try {
            f();
        } catch (const Timeout &) {
            throw;
        } catch (const std::exception &e) {
            throw Error(fmt::format("{}: {}", file, e.what()));
        }
    };
    group_.attempt(named, names_cause);
}

template <class F> void FileSeries::attempt_leading(const std::string &file, F f) {
    attempt(file, [&] {
        if (group_.leads()) f();
    });
}

/// What is there for all to see already goes on record.
template <class F> void FileSeries::put_on_record(const std::string &file, F f) {
    try {
        attempt_leading(file, f);
    } catch (const Timeout &) {
        throw;
    } catch (const std::exception &e) {
        throw Published(e.what());
    }
}

/// A call of the writer in which its library may wait for the others.
template <class F> void FileSeries::call(const char *doing, F f) {
    if (!writer_) return;
    const auto named = [&] { naming_cause(place(), f); };
    if (!engine().together) return named();
    alarm_.around(fmt::format("the other writers of stream {}, frame {}, {} {}", layout_.spec.name, frame_,
                              doing, place()),
                  named);
}

} // namespace squall::io
