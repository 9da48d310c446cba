#include "reduce/gathered.hpp"

#include "common/box.hpp"
#include "common/copy.hpp"

namespace squall::io {

void Gathered::add(const Put &put, bool per_frame) {
    OfField box{put.field, per_frame, put.box, put.memory, {}};
    box.points.resize(static_cast<std::size_t>(volume(put.box)) * size_of(put.memory));
    copy_points(put.box.count, put.data, put.memory, put.strides, box.points.data(), put.memory, {});
    boxes_.push_back(std::move(box));
}

void Gathered::clear_frame() {
    std::erase_if(boxes_, [](const OfField &b) { return b.per_frame; });
}

void Gathered::pack(Packer &to) const {
    to.whole(std::ssize(boxes_));
    for (const auto &b : boxes_) {
        to.text(b.field);
        to.whole(std::ssize(b.box.count));
        for (const auto *numbers : {&b.box.start, &b.box.count})
            for (const auto n : *numbers) to.whole(n);
        to.whole(static_cast<int>(b.memory));
        to.text(b.points);
    }
}

Gathered Gathered::unpack(Unpacker &from) {
    Gathered all;
    for (auto left = from.count(); left > 0; --left) {
        OfField b;
        b.field = from.text();
        const auto dimensions = from.count();
        for (auto *numbers : {&b.box.start, &b.box.count})
            for (auto d = dimensions; d > 0; --d) numbers->push_back(from.count());
        b.memory = static_cast<Type>(from.count());
        b.points = from.text();
        all.boxes_.push_back(std::move(b));
    }
    return all;
}

} // namespace squall::io
