/// A history stream of one domain: frames that WRF's tools and CF's tools open as they are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "output/diagnosed.hpp"
#include "output/history_fields.hpp"
#include "output/made.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// A frame in the making, what its fields come from, and under which names some are in it already.
struct HistoryFrame {
    io::Frame frame;
    HistorySource source;
    std::set<std::string> put = {};
};

class History {
  public:
    /// Declares the stream on the ranks of one domain; rank r of the session's comm() has patch r.
    /// Writes below run.directory; a file of an earlier run there is replaced. `config`, `patch` and
    /// `grid` must outlive this object; the halo of `grid` must be filled. Every rank makes it. Throws
    /// ConfigError (an unknown field, with the nearest known one; a stream that cannot work) and
    /// io::Error.
    History(io::Session &session, const StreamConfig &stream, const Config &config, const Patch &patch,
            const Grid &grid);

    /// Whether it has fields of what happened since its last frame: then every step is followed.
    bool follows() const { return !since_.empty(); }
    /// The air at the end of a step, or at the start of the run, before write() of the same time.
    void follow(double seconds, const Snapshot &now);

    /// Begins the frame of a time [s since run.start], which follows step number `step`, with what is the
    /// stream's own. `now` must stay until it is finished. Throws io::Error: as io::Stream::begin.
    HistoryFrame begin(double seconds, std::int64_t step, const Snapshot &now);
    /// Under which name its frames take a field; "": they do not.
    std::string name_in_frames(const HistoryField &field) const;
    /// Its fields whose points may be put into frames of others of the same moment, too: those of the whole
    /// patch, and of nothing that the stream keeps from step to step.
    std::vector<const HistoryField *> for_others() const;
    /// Puts what is not in the frame yet and commits it. Throws io::Error: as io::Frame::commit, perhaps
    /// about a frame before and on this rank alone.
    void finish(HistoryFrame &&frame);
    /// Both, of a history alone.
    void write(double seconds, std::int64_t step, const Snapshot &now) { finish(begin(seconds, step, now)); }

    /// Where the domain lies has changed; its grid tells where to. The halo of that must be filled.
    void follow_domain();

    /// Whether the end of a step is a sample for what the stream makes over time. (That of a frame is one by
    /// itself.)
    bool samples_at(double seconds) const;
    /// Takes the sample. Throws io::Error.
    void sample(double seconds, const Snapshot &now);
    /// Puts what it keeps since its last frame into a frame of a restart, which declares it: restart_spec().
    void save(io::Frame &restart) const;
    /// Goes on with what the last frame of a restart has of it, before the first frame. Throws io::Error.
    void restore(const io::Reader &restart);

    /// Waits for frames on their way and publishes a file that is not full. Collective. Throws
    /// io::Error.
    void close() { stream_.close(); }

    const StreamConfig &settings() const { return settings_; }
    const Patch &patch() const { return patch_; }

  private:
    Diagnosed::DryTheta dry_theta() const;
    io::Stream open(io::Session &session);
    HistorySource look(const Snapshot &now);
    bool goes_in_rows(const HistoryField &field) const;
    void put_in_rows(HistoryFrame &frame);
    void put(io::Frame &frame, const HistoryField &field, const HistorySource &source) const;
    void put_fixed(const HistorySource &source);
    void put_time(io::Frame &frame, const io::Time &time, std::int64_t step) const;
    /// The cells of which anything is looked at, and those within `beyond` of them.
    std::vector<Range> tiles(int beyond) const;
    bool looks_everywhere() const;
    bool stands_for_intervals() const { return made_.samples() || follows(); }
    io::Frame begin(const io::Time &time);

    StreamConfig settings_;
    const Config &config_;
    const Patch &patch_;
    const Grid &grid_;
    std::vector<HistoryField> fields_;
    Geolocation faces_;
    Carried carried_;
    Made made_;
    Diagnosed diagnosed_;
    Derivation derivation_;
    SinceLastFrame since_;
    io::Stream stream_;
    std::map<std::string, std::string> names_; ///< under which frames take fields, by the fields' own
    bool begun_ = false;                       ///< whether what every file begins with was put
    /// When the interval began that the next frame stands for [s since run.start]: with the frame before, or
    /// with the first that was seen.
    std::optional<double> interval_began_;
};

} // namespace squall
