#include <algorithm>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "read/reader_impl.hpp"
#include "read/shared_source.hpp"
#include "read/times.hpp"
#include "stage/texts.hpp"

namespace squall::io {

void Reader::Impl::fail(const std::string &what) const { throw Error(fmt::format("{}: {}", path, what)); }

int Reader::Impl::index_of(const std::string &name) const {
    const auto f = std::ranges::find(source->fields, name, &Field::name);
    if (f == source->fields.end()) fail(fmt::format("the file has no field {}", name));
    return static_cast<int>(f - source->fields.begin());
}

void Reader::Impl::check_read(const std::string &name, std::int64_t frame, const Box &box,
                              const std::vector<std::int64_t> &shape, Type memory,
                              const Strides &strides) const {
    const auto &f = source->fields[index_of(name)];
    if (const auto fault = misfit(box, shape); !fault.empty()) fail(fmt::format("field {}: {}", name, fault));
    if (f.per_frame && (frame < 0 || frame >= source->frames))
        fail(fmt::format("field {}: there is no frame {}, the file has {}", name, frame, source->frames));
    if (!converts(f.type, memory))
        fail(fmt::format("field {} is {} and cannot be read as {}", name, name_of(f.type), name_of(memory)));
    if (!strides.empty() && strides.size() != shape.size())
        fail(fmt::format("field {}: {} strides for {} dimensions", name, strides.size(), shape.size()));
}

Reader::Reader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Reader::Reader(const std::string &path) : impl_(std::make_unique<Impl>()) {
    impl_->path = path;
    try {
        impl_->source = open_source(path);
    } catch (const std::exception &e) {
        impl_->fail(e.what());
    }
}
Reader::Reader(const std::string &path, MPI_Comm comm, int readers) : impl_(std::make_unique<Impl>()) {
    impl_->path = path;
    try {
        impl_->source = open_together(path, comm, readers);
    } catch (const std::exception &e) {
        impl_->fail(e.what());
    }
}
Reader::Reader(Reader &&) noexcept = default;
Reader &Reader::operator=(Reader &&) noexcept = default;
Reader::~Reader() = default;

const std::string &Reader::path() const { return impl_->path; }
std::int64_t Reader::frames() const { return impl_->source->frames; }
const std::vector<Dimension> &Reader::dimensions() const { return impl_->source->dimensions; }
const std::vector<Field> &Reader::fields() const { return impl_->source->fields; }
const std::vector<Attribute> &Reader::attributes() const { return impl_->source->attributes; }

std::int64_t Reader::size(const std::string &dimension) const {
    const auto d = std::ranges::find(dimensions(), dimension, &Dimension::name);
    if (d == dimensions().end()) impl_->fail(fmt::format("the file has no dimension {}", dimension));
    return d->size;
}

bool Reader::has(const std::string &field) const {
    return std::ranges::find(fields(), field, &Field::name) != fields().end();
}

const Field &Reader::field(const std::string &name) const { return fields()[impl_->index_of(name)]; }

std::vector<std::int64_t> Reader::shape(const std::string &name) const {
    std::vector<std::int64_t> extents;
    for (const auto &d : field(name).dimensions) extents.push_back(size(d));
    return extents;
}

std::optional<Value> Reader::attribute(const std::string &name) const {
    const auto a = std::ranges::find(attributes(), name, &Attribute::name);
    return a == attributes().end() ? std::nullopt : std::optional(a->value);
}

double Reader::number(const std::string &name) const {
    const auto value = attribute(name);
    if (!value) impl_->fail(fmt::format("the file has no global attribute {}", name));
    return std::visit(
        [&](const auto &v) -> double {
            if constexpr (!std::is_same_v<std::decay_t<decltype(v)>, std::string>)
                if (v.size() == 1) return v[0];
            impl_->fail(fmt::format("global attribute {} is not a single number", name));
        },
        *value);
}

std::string Reader::text(const std::string &name) const {
    const auto value = attribute(name);
    if (!value) impl_->fail(fmt::format("the file has no global attribute {}", name));
    if (!std::holds_alternative<std::string>(*value))
        impl_->fail(fmt::format("global attribute {} is not text", name));
    return std::get<std::string>(*value);
}

std::vector<Time> Reader::times() const {
    try {
        return times_of(*impl_->source);
    } catch (const std::exception &e) {
        impl_->fail(e.what());
    }
}

std::vector<double> Reader::steps() const {
    std::vector<double> seconds;
    for (const auto &time : times()) seconds.push_back(time.seconds);
    for (std::size_t n = seconds.size(); n-- > 0;) seconds[n] -= seconds[0];
    return seconds;
}

std::vector<std::string> Reader::texts(const std::string &name, std::int64_t frame, const Box &box) const {
    const auto extents = shape(name);
    if (field(name).type != Type::character || extents.empty())
        impl_->fail(fmt::format("field {} is not text", name));
    if (box.start.size() + 1 != extents.size() || box.count.size() + 1 != extents.size())
        impl_->fail(fmt::format("field {}: a box of {} starts for texts of {} dimensions", name,
                                box.start.size(), extents.size() - 1));
    auto whole = box;
    whole.start.push_back(0);
    whole.count.push_back(extents.back());
    std::string letters(static_cast<std::size_t>(volume(whole)), '\0');
    read(name, frame, whole, letters.data());
    std::vector<std::string> texts;
    const auto n = static_cast<std::size_t>(extents.back());
    for (std::size_t at = 0; at < letters.size(); at += n) texts.push_back(text_of(letters.data() + at, n));
    return texts;
}

void Reader::read(const std::string &name, std::int64_t frame, const Box &box, void *data, Type memory,
                  const Strides &strides) const {
    try {
        impl_->check_read(name, frame, box, shape(name), memory, strides);
    } catch (...) {
        impl_->source->read_nothing();
        throw;
    }
    const auto points = volume(box);
    if (points == 0) return impl_->source->read_nothing();
    const int field = impl_->index_of(name);
    try {
        std::vector<std::byte> contiguous_points(static_cast<std::size_t>(points) * size_of(memory));
        impl_->source->read(field, frame, box, contiguous_points.data(), memory);
        copy_points(box.count, contiguous_points.data(), memory, {}, data, memory, strides);
    } catch (const std::exception &e) {
        impl_->fail(fmt::format("field {}, box {}: {}", name, io::text(box), e.what()));
    }
}

} // namespace squall::io
