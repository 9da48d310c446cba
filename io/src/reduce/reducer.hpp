/// The stage reduce: fields of a stream that are made of others, on the ranks that hold these.
///
/// Each rank reduces its own boxes while they are put, from the program's memory. What its points have come
/// to goes up a binomial tree of the ranks (rank r to r less its lowest set bit), one message for a frame,
/// whatever the number of fields. A rank adds what comes to its own, keeps the points of the results to which
/// every point of the source has come, and passes on the rest: so zonal means of patches that are numbered
/// row by row hardly leave their row, and only means over all come to rank 0. A finished point is put into
/// the frame as if the rank had put it; what follows is as for any field.
///
/// Values at places are many small blocks, as a rank has places here and there: unless they are very many,
/// they go to rank 0 in the same message.
///
/// Nobody waits: messages are looked for whenever the program calls the runtime. Only then the frame goes to
/// its placement, in its order; those of placement `inline` wait, as all do there. Since rank 0 hears of a
/// frame at its next call, the others hand it on at their next one, too: earlier, their threads would look
/// for rank 0's word of it again and again while the program computes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "agree/rank_group.hpp"
#include "declare/layout.hpp"
#include "reduce/evaluator.hpp"
#include "reduce/report.hpp"
#include "stage/stage.hpp"

namespace squall::io {

class Reducer {
  public:
    using Deliver = std::function<void(std::unique_ptr<StagedHere>)>;

    /// Of stream number `stream`, on `group`'s communicator. `deliver` is given the frames that are complete.
    Reducer(std::shared_ptr<const Layout> layout, const RankGroup &group, int stream,
            std::shared_ptr<Pool> pool, Deliver deliver);
    ~Reducer();
    Reducer(const Reducer &) = delete;
    Reducer &operator=(const Reducer &) = delete;

    /// Whether something is made of a field, or may be.
    bool uses(const std::string &field) const {
        return layout_->sources.contains(field) || evaluator_.uses(field);
    }
    /// A field of the frame in the making, or (`per_frame` false) one that is fixed in time. The first
    /// mistake is kept for the frame, or for all.
    void put(const Put &put, bool per_frame);
    void put_points(const Put &put, bool per_frame);
    /// Where moving places are in the frame in the making.
    void lie_at(const std::string &places, const std::vector<double> &positions);
    /// The frame in the making is abandoned.
    void clear();

    /// The frame is all put: it is delivered once its reductions are done. `wait`: before this returns.
    void submit(std::unique_ptr<StagedHere> frame, bool wait);
    /// Does what can be done now. Throws what `deliver` throws.
    void progress();
    /// Delivers what was submitted. Collective. Throws Timeout.
    void deliver_all();
    /// Delivers what was submitted; no frame comes any more. Collective. Throws Timeout.
    void finish();
    /// Whom the first frame waits for; "" if nobody.
    std::string awaiting() const;

  private:
    struct Pending {
        std::unique_ptr<StagedHere> frame;
        Evaluator::Work work;
    };
    struct Text final : InTransit {
        std::vector<std::byte> bytes;
    };
    struct Message {
        std::shared_ptr<Text> text = std::make_shared<Text>();
        MPI_Request request = MPI_REQUEST_NULL;
    };
    struct Child {
        int rank = 0;
        Message message; ///< that is on its way
        std::deque<Report> reports;
    };
    static void let_go(Message &message);

    void guarded(const std::string &field, bool per_frame, const std::function<void()> &f);
    void add(const Put &put);
    void listen(Child &child);
    bool complete_first();
    void take_in(Pending &pending, Child &child, Report &ours);
    std::string hole_in(const Report &report) const;
    void put_samples(Pending &pending, Report &report);
    void put_places(StagedHere &frame, const Sample &sample, AtPlaces &here);
    void put_block(StagedHere &frame, int field, const Box &box, const double *values);
    bool idle() const { return evaluator_.idle(); }
    void send(const Report &report);
    template <class Done> void wait_for(Done done);

    std::shared_ptr<const Layout> layout_;
    const RankGroup &group_;
    std::shared_ptr<Pool> pool_;
    Deliver deliver_;
    int tag_;
    bool brings_samples_together_; ///< on rank 0
    std::uint64_t declaration_ = 0;
    Evaluator evaluator_;
    Evaluator::Work making_;  ///< of the frame in the making
    std::string fault_;       ///< what is wrong with it
    std::string fixed_fault_; ///< what is wrong with all frames
    std::deque<Pending> pending_;
    std::deque<std::unique_ptr<StagedHere>> told_; ///< complete here; of each the parent was told
    std::deque<Child> children_;
    std::list<Message> sent_;
};

} // namespace squall::io
