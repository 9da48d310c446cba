/// The stage: the one copy that the model waits for.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agree/patience.hpp"
#include "declare/layout.hpp"
#include "stage/pool.hpp"
#include "stage/staged.hpp"

namespace squall::io {

/// A frame, or the fields fixed in time, as this rank has put them.
class StagedHere final : public Staged {
  public:
    std::vector<Block> blocks;

    std::vector<std::pair<int, Box>> boxes() const override { return boxes_; }
    std::vector<Block> take(int field) override;
    std::vector<Block> look(int field) const override;
    /// No block comes any more; they are in the order of their fields from now on.
    void seal();
    /// The same on the same memory. Blocks must not have been taken.
    std::unique_ptr<StagedHere> share() const;

  private:
    std::vector<std::pair<int, Box>> boxes_;
};

/// Frames that were committed and are not stored yet: when they are, their room comes free.
class FramesUnderWay {
  public:
    virtual ~FramesUnderWay() = default;
    /// Does what can be done now. Throws Error.
    virtual void progress() = 0;
    /// Whom they wait for, to complete "rank 2 has waited 60 s for room: ...".
    virtual std::string awaiting() const = 0;
};

/// Where the memory of a stream's frames comes from, and what happens when there is none.
struct Room {
    std::shared_ptr<Pool> pool;
    Patience patience;
    FramesUnderWay &frames;    ///< whose room may come free
    int rank = 0, ranks = 1;   ///< this one, of those that put
    std::uint64_t waits = 0;   ///< how often there was no room at first
    double waited = 0;         ///< seconds
    std::uint64_t spilled = 0; ///< bytes
};

/// A box of a field as the program hands it over; see Frame::put.
struct Put {
    const std::string &field;
    const Box &box;
    const void *data;
    Type memory;
    const Strides &strides;
    bool made = false; ///< of another one, by the runtime
};

inline constexpr const char *nothing_of_a_list =
    "its decomposition is a list of points, which cannot be reduced; declare boxes";

/// Calls f with each of the boxes that a rank's points of a decomposition make of a field (not a list).
void for_boxes(const FieldLayout &f, const Points &points, const Put &put,
               const std::function<void(const Put &)> &call);

/// What a field keeps of a box of the domain, in the file's index space.
Box kept_of(const FieldLayout &f, const Box &box);

/// The copies of what one put hands over that have been made so far, for streams that want the same.
class Copies {
  public:
    /// What a copy is of: cuts that make up a box, in a type; of a list of points, where these lie.
    struct Key {
        Box box;
        const std::vector<Cut> &cuts;
        Type type;
        const std::vector<std::int64_t> &at;
    };
    /// No memory if there is none yet.
    Memory find(const Key &key) const;
    void add(const Key &key, Memory memory);

  private:
    struct Copy {
        Box box;
        std::vector<Cut> cuts;
        Type type;
        std::vector<std::int64_t> at;
        Memory memory;
    };
    std::vector<Copy> copies_;
};

/// Copies this rank's points in, cut to the stream's subset, in the field's staged type. No function
/// throws anything but Timeout, in waiting for room: the first mistake is kept for the frame.
class Stage {
  public:
    Stage(const Layout &layout, bool per_frame, Room &room)
        : layout_(layout), per_frame_(per_frame), room_(room) {}
    ~Stage() { clear(); }
    Stage(const Stage &) = delete;
    Stage &operator=(const Stage &) = delete;

    /// A box, of all that is staged under the field's name. `copies`: of the same for other streams, which
    /// this one may share and adds to; or null.
    void put(const Put &put, Copies *copies = nullptr);
    /// All of this rank's points of the field's decomposition; Put::box means nothing.
    void put_points(const Put &put, Copies *copies = nullptr);
    /// A scalar, on the first rank.
    void set(const std::string &field, double value);
    void set(const std::string &field, std::int64_t value);
    void set(const std::string &field, const std::string &text);
    /// How long a varying dimension is in this frame.
    void length(const std::string &dimension, std::int64_t points);
    /// The frame has no such field.
    void leave_out(const std::string &field);

    /// Puts what the runtime itself owes the frame: its time, points that nobody owns, fields that it
    /// leaves out and the marks that say so.
    void complete(const Time &time, const std::optional<TimeBounds> &bounds);

    /// What was put since the last call. Fields fixed in time keep holding their room.
    std::unique_ptr<StagedHere> finish();
    void clear();

  private:
    void for_all_of(const Put &put, Copies *copies,
                    const std::function<void(int field, Copies *copies)> &stage);
    void guarded(const std::string &field, const std::function<void()> &f);
    bool useless() const { return !frame_->fault.empty() || frame_->skipped; }
    const FieldLayout &known(const std::string &name) const;
    const FieldLayout &known(int field, bool made) const;
    void check(const FieldLayout &f, const Put &put) const;
    void copy_box(int field, const Put &put, Copies *copies);
    void copy_list(int field, const Points &points, const Put &put, Copies *copies);
    void add_block(int field, const Copies::Key &key, Copies *copies,
                   const std::function<void(void *)> &fill);
    void add_fill(int field, const Box &box);
    void add_number(int field, double value);
    void add_unowned(int field);
    void add_left_out(int field);
    void add_behind(int field);
    void add_counts();
    std::optional<Memory> find_room(std::size_t bytes);
    void wait_for_room(std::size_t bytes, const std::function<bool()> &take);
    bool keep_room_for_copy(Memory &memory, bool shared);
    [[noreturn]] void refuse(std::size_t bytes) const;
    void release();

    const Layout &layout_;
    bool per_frame_; ///< takes per-frame fields, or those fixed in time
    Room &room_;
    std::unique_ptr<StagedHere> frame_ = std::make_unique<StagedHere>();
    std::set<int> left_out_;                      ///< fields, of this frame
    std::map<std::string, std::int64_t> lengths_; ///< of varying dimensions, in this frame
};

} // namespace squall::io
