#include <algorithm>

#include <fmt/format.h>

#include "contents.hpp"

namespace squall::bench {
namespace {

class History final : public Contents {
  public:
    explicit History(const Settings &settings) : reader_(settings.file) {
        for (const auto &field : reader_.fields()) {
            const auto extents = reader_.shape(field.name);
            if (field.type != io::Type::f32 || extents.size() != 3 || fields() == settings.fields) continue;
            names.push_back(field.name);
            if (shape.empty()) shape = extents;
            for (std::size_t d = 0; d < 3; ++d) shape[d] = std::min(shape[d], extents[d]);
        }
        if (names.empty() || reader_.frames() == 0)
            throw io::Error(fmt::format("{} holds no three-dimensional single-precision fields; name a "
                                        "history file of a run",
                                        settings.file));
    }

    void fill(int field, const io::Box &box, float *first, const io::Strides &strides) const override {
        reader_.read(names[field], reader_.frames() - 1, box, first, strides);
    }

  private:
    io::Reader reader_;
};

} // namespace

std::unique_ptr<Contents> from_history(const Settings &settings) {
    return std::make_unique<History>(settings);
}

} // namespace squall::bench
