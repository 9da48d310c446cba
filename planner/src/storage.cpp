#include "storage.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>

namespace squall::planner {

namespace sg = simgrid::s4u;

struct FileSystem::Request {
    double bytes = 0;
    double count = 1; ///< requests, or files to create
    int locks = 0;
    sg::SemaphorePtr done;
};

/// What travels to a server in one: a flow for each of its targets would have the same links.
struct FileSystem::Bundle {
    std::vector<std::pair<int, Request>> of_targets;
};

struct FileSystem::Target {
    std::deque<Request> queue;
    sg::SemaphorePtr waiting = sg::Semaphore::create(0);
};

/// Its actors use it, and would take what the next one is sent.
FileSystem::~FileSystem() {
    for (const auto &actor : actors_) actor->kill();
}

void FileSystem::start(sg::Host *host, const std::function<void()> &serve) {
    actors_.push_back(sg::Actor::create("storage", host, serve)->daemonize());
}

FileSystem::FileSystem(const Platform &platform, const Storage &storage, int streams, int directories)
    : storage_(storage), streams_(streams),
      metadata_servers_(std::min(storage.metadata_servers, std::max(1, directories))),
      busy_{std::vector<double>(static_cast<std::size_t>(storage.targets), 0), 0},
      metadata_(mailbox("metadata", 0, 0)), targets_(static_cast<std::size_t>(storage.targets)) {
    for (int s = 0; s < storage.servers; ++s) {
        boxes_.push_back(mailbox("server", s, s));
        start(platform.storage[static_cast<std::size_t>(s)], [this, s] { serve(s); });
    }
    for (int t = 0; t < storage.targets; ++t)
        start(platform.storage[static_cast<std::size_t>(t % storage.servers)],
              [this, t] { serve_target(t); });
    start(platform.storage.front(), [this] { serve_metadata(); });
}

/// What has arrived queues at its targets.
void FileSystem::serve(int server) {
    auto *box = boxes_[static_cast<std::size_t>(server)];
    box->set_receiver(sg::Actor::self()); // what is sent travels at once
    for (;;) {
        const auto bundle = box->get_unique<Bundle>();
        for (const auto &[t, request] : bundle->of_targets) {
            targets_[static_cast<std::size_t>(t)].queue.push_back(request);
            targets_[static_cast<std::size_t>(t)].waiting->release();
        }
    }
}

/// One request after the other. Between those of different files the target seeks.
void FileSystem::serve_target(int target) {
    Target &mine = targets_[static_cast<std::size_t>(target)];
    const double together =
        std::max(1.0, double(streams_) * storage_.stripe_count / storage_.targets); // on this target
    for (;;) {
        mine.waiting->acquire();
        const Request request = mine.queue.front();
        mine.queue.pop_front();
        const double seconds = request.bytes / storage_.target_bandwidth +
                               request.locks * storage_.per_part() +
                               request.count * (storage_.request + storage_.seek * (1 - 1 / together));
        sg::this_actor::sleep_for(seconds);
        busy_.targets[static_cast<std::size_t>(target)] += seconds;
        request.done->release();
    }
}

void FileSystem::serve_metadata() {
    metadata_->set_receiver(sg::Actor::self());
    for (;;) {
        const auto request = metadata_->get_unique<Request>();
        const double seconds = request->count * storage_.create / metadata_servers_;
        sg::this_actor::sleep_for(seconds);
        busy_.metadata += seconds;
        request->done->release();
    }
}

void FileSystem::create(int files) {
    if (files == 0) return;
    const auto done = sg::Semaphore::create(0);
    metadata_->put_init(new Request{0, double(files), 0, done}, static_cast<std::uint64_t>(256 * files))
        ->detach();
    done->acquire();
}

/// Where a part of a field ends in the file, and so on which target, is as good as anywhere: of the locks
/// that are no multiple of the targets, the first goes to the target after that which had the last one. A
/// manager of all locks of the file stands at its first target.
int FileSystem::locks_on(int target, int locks, int targets) const {
    if (storage_.one_lock_manager()) return target == 0 ? locks : 0;
    const int turn = (target - odd_locks_ % targets + targets) % targets;
    return locks / targets + (turn < locks % targets);
}

int FileSystem::send(int node, const Writing &w, const sg::SemaphorePtr &done) {
    const int targets = std::min(storage_.targets, (w.shared ? 1 : w.streams) * storage_.stripe_count);
    const int first = w.shared ? 0 : node * targets;
    const double bytes = w.bytes / targets;
    const double requests = w.nodes * std::max(1.0, std::ceil(bytes / w.nodes / storage_.stripe_size));
    std::map<int, std::unique_ptr<Bundle>> bundles; // by server
    for (int t = 0; t < targets; ++t) {
        const int target = (first + t) % storage_.targets;
        auto &bundle = bundles[target % storage_.servers];
        if (!bundle) bundle = std::make_unique<Bundle>();
        bundle->of_targets.emplace_back(target,
                                        Request{bytes, requests, locks_on(t, w.locks, targets), done});
    }
    odd_locks_ = (odd_locks_ + w.locks) % targets;
    for (auto &[server, bundle] : bundles) {
        const double size = bytes * static_cast<double>(bundle->of_targets.size());
        boxes_[static_cast<std::size_t>(server)]
            ->put_init(bundle.release(), static_cast<std::uint64_t>(std::max(1.0, size)))
            ->detach();
    }
    return targets;
}

} // namespace squall::planner
