/// A yardstick, preloaded into a program that writes through the runtime: its ranks send what they put to the
/// first one, which puts all of it, and so reduces whole fields. As programs do that reduce nothing where it
/// lies. `squall lab diagnostics` measures it; what is written has the same bits.
///
/// For programs all of whose ranks compute. Texts stay with the rank that puts them.

#include <cstring>
#include <map>
#include <numeric>

#include <dlfcn.h>

#include "common/types.hpp"
#include "squall/io.hpp"

namespace squall::io {
namespace {

/// The function of the runtime that one of these stands before.
template <class Member> Member behind(Member ours) {
    void *address = nullptr;
    std::memcpy(&address, &ours, sizeof address);
    Dl_info info;
    dladdr(address, &info);
    address = dlsym(RTLD_NEXT, info.dli_sname);
    std::memcpy(&ours, &address, sizeof address);
    return ours;
}

template <class Target>
using Put = void (Target::*)(const std::string &, const Box &, const void *, Type, const Strides &);
template <class Target> const Put<Target> put_behind = behind(static_cast<Put<Target>>(&Target::put));

/// What a rank puts, on its way to the first.
class Parcel {
  public:
    void add(const std::string &field, const Box &box, const void *data, Type type, const Strides &strides) {
        const std::int64_t dimensions = std::ssize(box.count), length = std::ssize(field);
        append(&length, sizeof length);
        append(field.data(), field.size());
        append(&type, sizeof type);
        append(&dimensions, sizeof dimensions);
        append(box.start.data(), box.start.size() * sizeof(std::int64_t));
        append(box.count.data(), box.count.size() * sizeof(std::int64_t));
        points(box, static_cast<const std::byte *>(data), type, strides, 0);
    }

    /// Puts everything on the first rank. Collective.
    template <class Target> void deliver(Target &target) {
        constexpr int tag = 0;
        int rank = 0, ranks = 1;
        MPI_Comm_rank(everybody(), &rank);
        MPI_Comm_size(everybody(), &ranks);
        if (rank > 0) {
            MPI_Send(bytes_.data(), static_cast<int>(bytes_.size()), MPI_BYTE, 0, tag, everybody());
        } else {
            put_all(target);
            for (int r = 1; r < ranks; ++r) {
                MPI_Status status;
                int size = 0;
                MPI_Probe(r, tag, everybody(), &status);
                MPI_Get_count(&status, MPI_BYTE, &size);
                bytes_.resize(static_cast<std::size_t>(size));
                MPI_Recv(bytes_.data(), size, MPI_BYTE, r, tag, everybody(), MPI_STATUS_IGNORE);
                put_all(target);
            }
        }
        bytes_.clear();
    }

  private:
    /// Made together, before the first delivery.
    static MPI_Comm everybody() {
        static const MPI_Comm all = [] {
            MPI_Comm made = MPI_COMM_NULL;
            MPI_Comm_dup(MPI_COMM_WORLD, &made);
            return made;
        }();
        return all;
    }

    void append(const void *from, std::size_t bytes) {
        const auto *first = static_cast<const std::byte *>(from);
        bytes_.insert(bytes_.end(), first, first + bytes);
    }

    /// Those of a box from a dimension on, which becomes contiguous.
    void points(const Box &box, const std::byte *data, Type type, const Strides &strides, std::size_t d) {
        const auto element = static_cast<std::ptrdiff_t>(size_of(type));
        const bool dense =
            d == box.count.size() || strides.empty() || (d + 1 == box.count.size() && strides[d] == 1);
        if (dense) {
            const auto n = std::accumulate(box.count.begin() + static_cast<std::ptrdiff_t>(d),
                                           box.count.end(), std::int64_t(1), std::multiplies<>());
            return append(data, static_cast<std::size_t>(n * element));
        }
        for (std::int64_t n = 0; n < box.count[d]; ++n)
            points(box, data + n * strides[d] * element, type, strides, d + 1);
    }

    template <class T> T next(const std::byte *&at) const {
        T value;
        std::memcpy(&value, at, sizeof value);
        at += sizeof value;
        return value;
    }

    template <class Target> void put_all(Target &target) const {
        const auto *at = bytes_.data();
        while (at < bytes_.data() + bytes_.size()) {
            const auto length = next<std::int64_t>(at);
            const std::string field(reinterpret_cast<const char *>(at), static_cast<std::size_t>(length));
            at += length;
            const auto type = next<Type>(at);
            const auto dimensions = next<std::int64_t>(at);
            Box box;
            for (auto *numbers : {&box.start, &box.count})
                for (std::int64_t d = 0; d < dimensions; ++d) numbers->push_back(next<std::int64_t>(at));
            const auto n =
                std::accumulate(box.count.begin(), box.count.end(), std::int64_t(1), std::multiplies<>());
            points_.assign(at, at + n * static_cast<std::int64_t>(size_of(type))); // aligned
            at += n * static_cast<std::int64_t>(size_of(type));
            (target.*put_behind<Target>)(field, box, points_.data(), type, {});
        }
    }

    std::vector<std::byte> bytes_;
    mutable std::vector<std::byte> points_;
};

/// What was put into each frame or stream, by what these consist of wherever they are moved.
std::map<const void *, Parcel> parcels;

template <class Target> void deliver(Target &target, const void *inside) {
    parcels[inside].deliver(target);
    parcels.erase(inside);
}

} // namespace

// In place of the runtime's.

void Stream::put(const std::string &field, const Box &box, const void *data, Type memory,
                 const Strides &strides) {
    if (memory == Type::text) return (this->*put_behind<Stream>)(field, box, data, memory, strides);
    parcels[impl_.get()].add(field, box, data, memory, strides);
}

void Frame::put(const std::string &field, const Box &box, const void *data, Type memory,
                const Strides &strides) {
    if (memory == Type::text) return (this->*put_behind<Frame>)(field, box, data, memory, strides);
    parcels[impl_.get()].add(field, box, data, memory, strides);
}

void Frame::commit() {
    static const auto real = behind(&Frame::commit);
    deliver(*this, impl_.get());
    (this->*real)();
}

Frame Stream::begin(const Time &time) {
    using Begin = Frame (Stream::*)(const Time &);
    static const auto real = behind(static_cast<Begin>(&Stream::begin));
    deliver(*this, impl_.get());
    return (this->*real)(time);
}

Frame Stream::begin(const Time &time, const TimeBounds &bounds) {
    using Begin = Frame (Stream::*)(const Time &, const TimeBounds &);
    static const auto real = behind(static_cast<Begin>(&Stream::begin));
    deliver(*this, impl_.get());
    return (this->*real)(time, bounds);
}

} // namespace squall::io
