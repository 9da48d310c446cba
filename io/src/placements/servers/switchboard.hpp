/// What the streams of a session share on a computing rank to speak with servers.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "placements/company.hpp"
#include "placements/servers/losses.hpp"
#include "placements/servers/post.hpp"
#include "placements/servers/sender.hpp"

namespace squall::io::servers {

/// A stream on its way to servers.
class OnItsWay {
  public:
    virtual ~OnItsWay() = default;
    virtual void hear(const DoneLetter &letter, int server) = 0;
    /// Lets go of frames that nobody needs any more.
    virtual void tidy() = 0;
    /// Adds the servers (by rank) that it waits for.
    virtual void add_awaited(std::set<int> &servers) const = 0;
    /// Adds the last frames that a group is known to have done.
    virtual void add_done(int group, FrameNumbers &done) const = 0;
    /// Adds frames that the lost group has published without having told.
    virtual void add_published(int group, std::map<std::int64_t, std::int64_t> &done) const = 0;
    /// A group is lost: others do its frames again.
    virtual void redo(const RedoLetter &letter) = 0;
};

/// Takes in letters and hands them to their streams; looks whether the servers are there.
class Switchboard {
  public:
    explicit Switchboard(const Company &company);
    Switchboard(const Switchboard &) = delete;
    Switchboard &operator=(const Switchboard &) = delete;

    void add(OnItsWay *stream) { streams_.push_back(stream); }
    void remove(OnItsWay *stream) { std::erase(streams_, stream); }
    void poll();
    /// A group has closed a stream, by its number on the wire: this rank may be asked.
    void note_closed(int group, std::int64_t wire);

    const Parties &parties() const { return parties_; }
    const Losses &losses() const { return losses_; }
    MpiPost &post() { return post_; }

    /// A tag for messages of points that no other of this rank uses; to be given back when they are gone.
    int take_tag();
    void give_back_tag(int tag) { tags_.erase(tag); }

  private:
    void read_letters();
    void take_in(const Letter &letter, int from);
    void take_in_losses();

    Parties parties_;
    MpiPost post_;
    Losses losses_;
    Watch watch_;
    std::vector<OnItsWay *> streams_;                 ///< in the order of opening
    std::deque<std::pair<int, std::int64_t>> closed_; ///< group, wire
    std::vector<LostLetter> told_lost_;               ///< losses not taken in yet
    std::set<int> tags_;                              ///< in use
    int last_tag_ = first_points_tag;
};

} // namespace squall::io::servers
