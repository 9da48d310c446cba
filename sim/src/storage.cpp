#include "storage.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace squall::sim {

namespace sg = simgrid::s4u;

struct FileSystem::Request {
    double bytes = 0;
    int count = 1, locks = 0; ///< requests, or files to create
    sg::SemaphorePtr done;
};

FileSystem::FileSystem(const Platform &platform, const Storage &storage, int streams)
    : platform_(platform), storage_(storage),
      streams_(streams), busy_{std::vector<double>(static_cast<std::size_t>(storage.targets), 0), 0},
      metadata_(mailbox("metadata", 0, 0)) {
    const auto host = [&](int target) {
        return platform.storage[static_cast<std::size_t>(target % storage.servers)];
    };
    for (int t = 0; t < storage.targets; ++t) {
        boxes_.push_back(mailbox("target", t, t));
        sg::Actor::create("target", host(t), [this, t] { serve_target(t); })->daemonize();
    }
    sg::Actor::create("metadata", host(0), [this] { serve_metadata(); })->daemonize();
}

/// One request after the other. Between those of different files the target seeks.
void FileSystem::serve_target(int target) {
    auto *box = boxes_[static_cast<std::size_t>(target)];
    box->set_receiver(sg::Actor::self()); // what is sent travels at once, and queues here
    const double together =
        std::max(1.0, double(streams_) * storage_.stripe_count / storage_.targets); // on this target
    for (;;) {
        const auto request = box->get_unique<Request>();
        const double seconds = request->bytes / storage_.target_bandwidth + request->locks * storage_.lock +
                               request->count * (storage_.request + storage_.seek * (1 - 1 / together));
        sg::this_actor::sleep_for(seconds);
        busy_.targets[static_cast<std::size_t>(target)] += seconds;
        request->done->release();
    }
}

void FileSystem::serve_metadata() {
    metadata_->set_receiver(sg::Actor::self());
    for (;;) {
        const auto request = metadata_->get_unique<Request>();
        const double seconds = request->count * storage_.create;
        sg::this_actor::sleep_for(seconds);
        busy_.metadata += seconds;
        request->done->release();
    }
}

void FileSystem::create(int files) {
    if (files == 0) return;
    const auto done = sg::Semaphore::create(0);
    metadata_->put_init(new Request{0, files, 0, done}, static_cast<std::uint64_t>(256 * files))->detach();
    done->acquire();
}

int FileSystem::send(int node, const Writing &w, const sg::SemaphorePtr &done) {
    const int targets = std::min(storage_.targets, (w.shared ? 1 : w.streams) * storage_.stripe_count);
    const int first = w.shared ? 0 : node * targets;
    const double bytes = w.bytes / targets;
    for (int t = 0; t < targets; ++t) {
        const int count = std::max(1, static_cast<int>(std::ceil(bytes / storage_.stripe_size)));
        const int locks = w.locks / targets + (t < w.locks % targets);
        boxes_[static_cast<std::size_t>((first + t) % storage_.targets)]
            ->put_init(new Request{bytes, count, locks, done},
                       static_cast<std::uint64_t>(std::max(1.0, bytes)))
            ->detach();
    }
    return targets;
}

} // namespace squall::sim
