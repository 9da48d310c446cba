#include "placements/servers/client.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "placements/local.hpp"
#include "placements/servers/after_loss.hpp"
#include "placements/servers/server_channel.hpp"
#include "placements/session_ranks.hpp"

namespace squall::io::servers {
namespace {

class OnServers final : public Placement, public MessageHandler {
  public:
    OnServers(SessionRanks &session_ranks, PlacedStream stream)
        : session_ranks_(session_ranks), stream_(std::move(stream)), dispatcher_(*session_ranks.dispatcher),
          takes_over_(stream_.layout->spec.on_lost_server == "take-over") {
        const int groups = static_cast<int>(session_ranks.groups.size());
        for (int g = 0; g < groups; ++g) channel_of_.push_back(add_channel(g, stream_.number));
        dispatcher_.add(this);
    }
    ~OnServers() override { dispatcher_.remove(this); }

    void progress() override {
        dispatcher_.poll();
        require_standing();
        if (here_) here_->progress();
    }

    void commit(std::unique_ptr<StagedHere> frame) override {
        require_standing(frame.get());
        const auto file = frame->file ? frame->file->first : stream_.layout->file_number(frame->number);
        auto *channel = channel_of_[static_cast<std::size_t>(file) % channel_of_.size()];
        if (channel)
            channel->commit(std::move(frame), now());
        else
            here_->commit(std::move(frame));
        dispatcher_.poll();
    }

    std::string awaiting() const override {
        for (const auto &channel : channels_)
            if (const auto whom = channel->awaiting(); !whom.empty()) return whom;
        return here_ ? here_->awaiting() : "all servers to close";
    }

    void flush() override {
        patience_for(*stream_.layout, session_ranks_)
            .until(
                [&] {
                    dispatcher_.poll();
                    require_standing();
                    if (here_) here_->progress();
                    return std::ranges::all_of(channels_,
                                               [](const auto &channel) { return channel->idle(); });
                },
                [&] {
                    return fmt::format("the servers to store the frames of stream {}: {}",
                                       stream_.layout->spec.name, awaiting());
                });
        if (here_) here_->flush();
    }

    void close() override {
        // Servers show signs of life, or are lost: there is no other deadline.
        if (!stopped()) wait_for_channels(patience_for(*stream_.layout, session_ranks_));
        // Those who live store what they have; but some ranks may have left without closing the stream.
        if (stopped()) wait_for_channels(session_ranks_.patience);
        if (here_) here_->close();
        for (const auto &channel : channels_) {
            if (takes_over_) dispatcher_.note_closed(channel->group(), channel->wire());
            stored_bytes_ += channel->stored_bytes();
        }
        const auto loss = stopped() ? loss_of(nullptr) : "";
        dispatcher_.remove(this);
        channel_of_.assign(channel_of_.size(), nullptr);
        channels_.clear();
        if (!loss.empty()) throw Error(loss);
    }

    std::uint64_t stored_bytes() const override {
        return stored_bytes_ + (here_ ? here_->stored_bytes() : 0);
    }

    void hear(const Acknowledgement &message, int server) override {
        for (auto &channel : channels_)
            if (channel->wire() == message.stream &&
                channel->group() == dispatcher_.losses().group_of(server))
                channel->hear(message, server);
    }
    void tidy() override {
        for (auto &channel : channels_) channel->tidy();
    }
    void add_awaited(std::set<int> &servers) const override {
        for (const auto &channel : channels_) channel->add_awaited(servers);
    }
    void add_done(int group, FrameNumbers &done) const override {
        for (const auto &channel : channels_)
            if (takes_over_ && channel->group() == group)
                done.emplace_back(channel->wire(), channel->over() ? close_number : channel->last_done());
    }

    void add_published(int group, std::map<std::int64_t, std::int64_t> &done) const override {
        for (const auto &channel : channels_) {
            if (!takes_over_ || channel->group() != group || channel->over()) continue;
            auto &last = done.try_emplace(channel->wire(), fixed_number).first->second;
            last = channel->last_published(last);
        }
    }

    void redo(const RedoMessage &message) override {
        if (!takes_over_) return;
        std::vector<std::pair<std::unique_ptr<StagedHere>, double>> frames;
        std::vector<bool> moves(channel_of_.size());
        for (std::size_t g = 0; g < channel_of_.size(); ++g)
            moves[g] = channel_of_[g] && channel_of_[g]->group() == message.group;
        bool closed = true;
        for (auto &channel : channels_) {
            if (channel->group() != message.group) continue;
            const auto done =
                std::ranges::find(message.done, channel->wire(), [](const auto &d) { return d.first; });
            const auto last = done == message.done.end() ? fixed_number : done->second;
            closed &= last == close_number;
            report_unpublished(last);
            for (auto &frame : channel->give_up(last)) frames.push_back(std::move(frame));
        }
        std::erase_if(channels_, [&](const auto &channel) {
            return channel->group() == message.group && !channel->over();
        });
        if (closed) return; // as another rank has heard, or this stream has no frames there
        ServerChannel *channel =
            message.target < 0
                ? nullptr
                : add_channel(message.target, stream_.number + message.generation * generation_step);
        if (!channel && !here_) here_ = take_over_here(stream_);
        for (std::size_t g = 0; g < moves.size(); ++g)
            if (moves[g]) channel_of_[g] = channel;
        std::ranges::sort(frames, {}, [](const auto &f) { return f.first->number; });
        for (auto &[frame, committed] : frames) {
            if (channel)
                channel->commit(std::move(frame), committed);
            else
                here_->commit(std::move(frame));
        }
    }

  private:
    ServerChannel *add_channel(int group, std::int64_t wire) {
        const auto servers = session_ranks_.groups[static_cast<std::size_t>(group)].ranks.size();
        auto &maps = maps_[servers];
        if (!maps)
            maps = share_maps(*stream_.layout, static_cast<int>(servers), session_ranks_.spec.assignment);
        channels_.push_back(std::make_unique<ServerChannel>(session_ranks_, stream_, group, wire, maps));
        return channels_.back().get();
    }

    /// Waits until every channel is over; without those who take over, only until a loss is known, or, where
    /// one was known before, for the channels to those who live.
    void wait_for_channels(const Patience &patience) {
        const bool known = stopped();
        patience.until(
            [&] {
                for (auto &channel : channels_) channel->close();
                dispatcher_.poll();
                if (here_) here_->progress();
                return (stopped() && !known) || std::ranges::all_of(channels_, [&](const auto &channel) {
                           return channel->over() || (known && dispatcher_.losses().lost(channel->group()));
                       });
            },
            [&] {
                return fmt::format("the servers to finish stream {}: {}", stream_.layout->spec.name,
                                   awaiting());
            });
    }

    /// Whether a server is lost whose place nobody takes.
    bool stopped() const { return !takes_over_ && dispatcher_.losses().any(); }

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
                                     frames.back(), dispatcher_.losses().what());
            stream_.tally->count(lost);
        };
        for (auto &channel : channels_) {
            if (dispatcher_.losses().lost(channel->group()) &&
                told_unpublished_.insert(channel->group()).second)
                report_unpublished(channel->last_done());
            for (const auto &lost : channel->forsake()) count(lost);
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
                           stream_.layout->spec.name, dispatcher_.losses().what(), frames.empty() ? "" : ": ",
                           fmt::join(frames, ", "));
    }

    /// Frames that a lost group has stored in a file that it did not publish, or may not have.
    void report_unpublished(std::int64_t last) const {
        const auto &spec = stream_.layout->spec;
        if (dispatcher_.server_ranks().client != 0 || last < 0 || last == close_number) return;
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

    SessionRanks &session_ranks_;
    PlacedStream stream_;
    MessageDispatcher &dispatcher_;
    bool takes_over_;
    std::map<std::size_t, std::shared_ptr<const ShareMaps>> maps_; ///< by number of servers
    std::vector<std::unique_ptr<ServerChannel>> channels_;
    std::vector<ServerChannel *>
        channel_of_; ///< per group as declared: who takes its files; null: the computing ranks
    std::set<int> told_unpublished_;  ///< groups that are lost of whose files that was said
    std::unique_ptr<Placement> here_; ///< once they write
    std::uint64_t stored_bytes_ = 0;
};

} // namespace
} // namespace squall::io::servers

namespace squall::io {
std::unique_ptr<Placement> place_on_servers(SessionRanks &session_ranks, PlacedStream stream) {
    if (session_ranks.groups.empty())
        throw Error(fmt::format(
            "stream {}: placement servers, but the session has no servers; set servers or servers_per_node",
            stream.layout->spec.name));
    if (!session_ranks.dispatcher)
        session_ranks.dispatcher = std::make_shared<servers::MessageDispatcher>(session_ranks);
    return std::make_unique<servers::OnServers>(session_ranks, std::move(stream));
}

void settle(SessionRanks &session_ranks) {
    if (!session_ranks.dispatcher) return;
    MPI_Request all_here;
    MPI_Ibarrier(session_ranks.comm, &all_here);
    session_ranks.patience.until(
        [&] {
            int done = 0;
            session_ranks.dispatcher->poll();
            MPI_Test(&all_here, &done, MPI_STATUS_IGNORE);
            return done != 0;
        },
        [] { return std::string("the other computing ranks to close the session"); });
    const int here = session_ranks.dispatcher->losses().any();
    int anywhere = here;
    MPI_Iallreduce(&here, &anywhere, 1, MPI_INT, MPI_MAX, session_ranks.comm, &all_here);
    session_ranks.patience.wait(
        all_here, [] { return std::string("the other computing ranks to say whether servers are lost"); });
    session_ranks.servers_lost = anywhere != 0;
    if (session_ranks.servers_lost) outlive_lost_servers(session_ranks);
}

void say_goodbye(SessionRanks &session_ranks) {
    if (session_ranks.groups.empty()) return;
    if (!session_ranks.dispatcher)
        session_ranks.dispatcher = std::make_shared<servers::MessageDispatcher>(session_ranks);
    auto &dispatcher = *session_ranks.dispatcher;
    const auto &server_ranks = dispatcher.server_ranks();
    std::vector<int> gone;
    session_ranks.servers_lost |= dispatcher.losses().any();
    for (int g = 0; g < static_cast<int>(server_ranks.groups.size()); ++g) {
        const auto &ranks = server_ranks.groups[static_cast<std::size_t>(g)];
        if (dispatcher.losses().lost(g))
            gone.insert(gone.end(), ranks.begin(), ranks.end());
        else
            dispatcher.messages().send(servers::CloseMessage{servers::session_stream},
                                       ranks[static_cast<std::size_t>(server_ranks.home(g))]);
    }
    session_ranks.patience.until([&] { return dispatcher.messages().delivered(gone); },
                                 [] { return std::string("the servers to learn that the session ends"); });
}

} // namespace squall::io
