#include "placements/servers/client.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "placements/company.hpp"
#include "placements/local.hpp"
#include "placements/servers/lane.hpp"

namespace squall::io::servers {
namespace {

class OnServers final : public Placement, public OnItsWay {
  public:
    OnServers(Company &company, PlacedStream stream)
        : company_(company), stream_(std::move(stream)), board_(*company.switchboard),
          takes_over_(stream_.layout->spec.on_lost_server == "take-over") {
        const int groups = static_cast<int>(company.groups.size());
        for (int g = 0; g < groups; ++g) lane_of_.push_back(add_lane(g, stream_.number));
        board_.add(this);
    }
    ~OnServers() override { board_.remove(this); }

    void progress() override {
        board_.poll();
        require_standing();
        if (here_) here_->progress();
    }

    void commit(std::unique_ptr<StagedHere> frame) override {
        require_standing(frame.get());
        const auto file = frame->file ? frame->file->first : stream_.layout->file_number(frame->number);
        auto *lane = lane_of_[static_cast<std::size_t>(file) % lane_of_.size()];
        if (lane)
            lane->commit(std::move(frame), now());
        else
            here_->commit(std::move(frame));
        board_.poll();
    }

    std::string awaiting() const override {
        for (const auto &lane : lanes_)
            if (const auto whom = lane->awaiting(); !whom.empty()) return whom;
        return here_ ? here_->awaiting() : "all servers to close";
    }

    void flush() override {
        patience_for(*stream_.layout, company_)
            .until(
                [&] {
                    board_.poll();
                    require_standing();
                    if (here_) here_->progress();
                    return std::ranges::all_of(lanes_, [](const auto &lane) { return lane->idle(); });
                },
                [&] {
                    return fmt::format("the servers to store the frames of stream {}: {}",
                                       stream_.layout->spec.name, awaiting());
                });
        if (here_) here_->flush();
    }

    void close() override {
        // Servers show signs of life, or are lost: there is no other deadline.
        if (!stopped()) wait_for_lanes(patience_for(*stream_.layout, company_));
        // Those who live store what they have; but some ranks may have left without closing the stream.
        if (stopped()) wait_for_lanes(company_.patience);
        if (here_) here_->close();
        for (const auto &lane : lanes_) {
            if (takes_over_) board_.note_closed(lane->group(), lane->wire());
            stored_bytes_ += lane->stored_bytes();
        }
        const auto loss = stopped() ? loss_of(nullptr) : "";
        board_.remove(this);
        lane_of_.assign(lane_of_.size(), nullptr);
        lanes_.clear();
        if (!loss.empty()) throw Error(loss);
    }

    std::uint64_t stored_bytes() const override {
        return stored_bytes_ + (here_ ? here_->stored_bytes() : 0);
    }

    void hear(const DoneLetter &letter, int server) override {
        for (auto &lane : lanes_)
            if (lane->wire() == letter.stream && lane->group() == board_.losses().group_of(server))
                lane->hear(letter, server);
    }
    void tidy() override {
        for (auto &lane : lanes_) lane->tidy();
    }
    void add_awaited(std::set<int> &servers) const override {
        for (const auto &lane : lanes_) lane->add_awaited(servers);
    }
    void add_done(int group, FrameNumbers &done) const override {
        for (const auto &lane : lanes_)
            if (takes_over_ && lane->group() == group)
                done.emplace_back(lane->wire(), lane->over() ? close_number : lane->last_done());
    }

    void add_published(int group, std::map<std::int64_t, std::int64_t> &done) const override {
        for (const auto &lane : lanes_) {
            if (!takes_over_ || lane->group() != group || lane->over()) continue;
            auto &last = done.try_emplace(lane->wire(), fixed_number).first->second;
            last = lane->last_published(last);
        }
    }

    void redo(const RedoLetter &letter) override {
        if (!takes_over_) return;
        std::vector<std::pair<std::unique_ptr<StagedHere>, double>> frames;
        std::vector<bool> moves(lane_of_.size());
        for (std::size_t g = 0; g < lane_of_.size(); ++g)
            moves[g] = lane_of_[g] && lane_of_[g]->group() == letter.group;
        bool closed = true;
        for (auto &lane : lanes_) {
            if (lane->group() != letter.group) continue;
            const auto done =
                std::ranges::find(letter.done, lane->wire(), [](const auto &d) { return d.first; });
            const auto last = done == letter.done.end() ? fixed_number : done->second;
            closed &= last == close_number;
            report_unpublished(last);
            for (auto &frame : lane->give_up(last)) frames.push_back(std::move(frame));
        }
        std::erase_if(lanes_,
                      [&](const auto &lane) { return lane->group() == letter.group && !lane->over(); });
        if (closed) return; // as another rank has heard, or this stream has no frames there
        Lane *lane = letter.target < 0
                         ? nullptr
                         : add_lane(letter.target, stream_.number + letter.generation * generation_step);
        if (!lane && !here_) here_ = take_over_here(stream_);
        for (std::size_t g = 0; g < moves.size(); ++g)
            if (moves[g]) lane_of_[g] = lane;
        std::ranges::sort(frames, {}, [](const auto &f) { return f.first->number; });
        for (auto &[frame, committed] : frames) {
            if (lane)
                lane->commit(std::move(frame), committed);
            else
                here_->commit(std::move(frame));
        }
    }

  private:
    Lane *add_lane(int group, std::int64_t wire) {
        const auto servers = company_.groups[static_cast<std::size_t>(group)].ranks.size();
        auto &maps = maps_[servers];
        if (!maps) maps = share_maps(*stream_.layout, static_cast<int>(servers), company_.spec.assignment);
        lanes_.push_back(std::make_unique<Lane>(company_, stream_, group, wire, maps));
        return lanes_.back().get();
    }

    /// Waits until every lane is over; without those who take over, only until a loss is known, or, where
    /// one was known before, for the lanes to those who live.
    void wait_for_lanes(const Patience &patience) {
        const bool known = stopped();
        patience.until(
            [&] {
                for (auto &lane : lanes_) lane->close();
                board_.poll();
                if (here_) here_->progress();
                return (stopped() && !known) || std::ranges::all_of(lanes_, [&](const auto &lane) {
                           return lane->over() || (known && board_.losses().lost(lane->group()));
                       });
            },
            [&] {
                return fmt::format("the servers to finish stream {}: {}", stream_.layout->spec.name,
                                   awaiting());
            });
    }

    /// Whether a server is lost whose place nobody takes.
    bool stopped() const { return !takes_over_ && board_.losses().any(); }

    /// `committed`: a frame that is being committed and goes nowhere.
    void require_standing(const StagedHere *committed = nullptr) {
        if (stopped()) throw Error(loss_of(committed));
    }

    /// What is lost with the servers, which is counted: a server may have stored frames of which it could not
    /// tell any more, but nobody can rely on it.
    std::string loss_of(const StagedHere *committed) {
        std::vector<std::string> frames;
        const auto count = [&](Outcome lost) {
            if (lost.ends_file) return;
            frames.push_back(format_time(lost.time, "%Y-%m-%d_%H:%M:%S"));
            lost.fault = fmt::format("stream {}, frame {}: in flight when {}", stream_.layout->spec.name,
                                     frames.back(), board_.losses().what());
            stream_.tally->count(lost);
        };
        for (auto &lane : lanes_) {
            if (board_.losses().lost(lane->group()) && told_unpublished_.insert(lane->group()).second)
                report_unpublished(lane->last_done());
            for (const auto &lost : lane->forsake()) count(lost);
        }
        if (committed) {
            Outcome lost;
            lost.number = committed->number;
            lost.time = committed->time;
            lost.ends_file = committed->ends_file;
            lost.committed = lost.begun = lost.ended = now();
            count(lost);
        }
        return fmt::format("stream {}: {}; frames published before are whole, those in flight count as "
                           "lost{}{} (with on_lost_server = \"take-over\" others would write them)",
                           stream_.layout->spec.name, board_.losses().what(), frames.empty() ? "" : ": ",
                           fmt::join(frames, ", "));
    }

    /// Frames that a lost group has stored in a file that it did not publish, or may not have.
    void report_unpublished(std::int64_t last) const {
        const auto &spec = stream_.layout->spec;
        if (board_.parties().client != 0 || last < 0 || last == close_number) return;
        const auto say = [&](std::int64_t first, const std::string &where) {
            const auto frames = stored_among(first, last);
            if (frames.empty()) return;
            fmt::print(stderr,
                       "squall io: stream {}: frames {} were stored by servers that are lost, in {}; "
                       "`squall recover` publishes them\n",
                       spec.name, fmt::join(frames, ", "), where);
        };
        if (!spec.burst_dir.empty())
            return say(0, fmt::format("the burst directory {}, unless already copied", spec.burst_dir));
        if (stream_.layout->engine->grows) return;
        const auto first = spec.frames_per_file == 0 ? 0 : last / spec.frames_per_file * spec.frames_per_file;
        if (spec.frames_per_file == 0 || last < first + spec.frames_per_file - 1)
            say(first, fmt::format("an unpublished file ({}.part)", spec.path));
    }

    /// "0 to 2", "4 to 7": those of the frames `first` to `last`, which are done, that were not lost or
    /// skipped.
    std::vector<std::string> stored_among(std::int64_t first, std::int64_t last) const {
        std::set<std::int64_t> gaps{last + 1};
        for (const auto &outcome : stream_.tally->outcomes())
            if (outcome.skipped || (!outcome.fault.empty() && !outcome.published))
                gaps.insert(outcome.number);
        std::vector<std::string> ranges;
        for (const auto gap : gaps) {
            if (gap < first) continue;
            if (gap > last + 1) break;
            if (first < gap) ranges.push_back(fmt::format("{} to {}", first, gap - 1));
            first = gap + 1;
        }
        return ranges;
    }

    Company &company_;
    PlacedStream stream_;
    Switchboard &board_;
    bool takes_over_;
    std::map<std::size_t, std::shared_ptr<const ShareMaps>> maps_; ///< by number of servers
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<Lane *> lane_of_; ///< per group as declared: who takes its files; null: the computing ranks
    std::set<int> told_unpublished_;  ///< groups that are lost of whose files that was said
    std::unique_ptr<Placement> here_; ///< once they write
    std::uint64_t stored_bytes_ = 0;
};

} // namespace
} // namespace squall::io::servers

namespace squall::io {
std::unique_ptr<Placement> place_on_servers(Company &company, PlacedStream stream) {
    if (company.groups.empty())
        throw Error(fmt::format(
            "stream {}: placement servers, but the session has no servers; set servers or servers_per_node",
            stream.layout->spec.name));
    if (!company.switchboard) company.switchboard = std::make_shared<servers::Switchboard>(company);
    return std::make_unique<servers::OnServers>(company, std::move(stream));
}

void settle(Company &company) {
    if (!company.switchboard) return;
    MPI_Request all_here;
    MPI_Ibarrier(company.comm, &all_here);
    company.patience.until(
        [&] {
            int done = 0;
            company.switchboard->poll();
            MPI_Test(&all_here, &done, MPI_STATUS_IGNORE);
            return done != 0;
        },
        [] { return std::string("the other computing ranks to close the session"); });
}

void say_goodbye(Company &company) {
    if (company.groups.empty()) return;
    if (!company.switchboard) company.switchboard = std::make_shared<servers::Switchboard>(company);
    auto &board = *company.switchboard;
    const auto &parties = board.parties();
    std::vector<int> gone;
    company.servers_lost = board.losses().any();
    for (int g = 0; g < static_cast<int>(parties.groups.size()); ++g) {
        const auto &ranks = parties.groups[static_cast<std::size_t>(g)];
        if (board.losses().lost(g))
            gone.insert(gone.end(), ranks.begin(), ranks.end());
        else
            board.post().send(servers::CloseLetter{servers::session_stream},
                              ranks[static_cast<std::size_t>(parties.home(g))]);
    }
    company.patience.until([&] { return board.post().delivered(gone); },
                           [] { return std::string("the servers to learn that the session ends"); });
}

} // namespace squall::io
