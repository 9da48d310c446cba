#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "engines/adios/adios.hpp"
#include "engines/adios/description.hpp"
#include "engines/adios/index.hpp"

namespace squall::io::adios {
namespace {

class AdiosSource final : public Source {
  public:
    explicit AdiosSource(const std::string &path) {
        const auto index = read_index(path);
        check_files(path, index);
        frames = static_cast<std::int64_t>(index.ends.size());
        if (frames == 0) throw Error("no frame was completed in this directory");
        guard("opening the directory", [&] {
            io_ = adios_.DeclareIO("squall");
            io_.SetEngine("BP5");
            io_.SetParameters({{"Threads", "1"}, {"MetadataThreads", "1"}}); // the ranks read in parallel
            engine_ = io_.Open(path, adios2::Mode::ReadRandomAccess);
            describe(io_, *this);
        });
    }
    // Nothing closes the engine: Close() would leave the times of its calls in /tmp, which no parameter
    // prevents. What it has open goes with adios_.

    void read(int field, std::int64_t frame, const Box &box, void *contiguous, Type memory) const override {
        if (volume(box) == 0) return;
        const auto &f = fields[field];
        guard("reading field " + f.name, [&] {
            const std::lock_guard lock(blosc_in_use());
            with_element(f.type,
                         [&](auto value) { read(f, frame, box, contiguous, memory, std::vector{value}); });
        });
    }

  private:
    template <class T>
    void read(const Field &f, std::int64_t frame, const Box &box, void *to, Type memory,
              std::vector<T> converted) const {
        auto variable = io_.InquireVariable<T>(f.name);
        if (!variable)
            throw Error("it is not in the directory, although the description lists it; use another copy");
        const auto shape = variable.Shape(f.per_frame ? frame : 0);
        if (const auto fault = misfit(box, {shape.begin(), shape.end()}); !fault.empty())
            throw Error(fault + "; the directory is damaged, use another copy");
        variable.SetStepSelection({f.per_frame ? frame : 0, 1});
        if (!box.count.empty()) variable.SetSelection({dims(box.start), dims(box.count)});
        if (memory == f.type) {
            engine_.Get(variable, static_cast<T *>(to), adios2::Mode::Sync);
            return;
        }
        converted.resize(volume(box));
        engine_.Get(variable, converted.data(), adios2::Mode::Sync);
        copy_points(box.count, converted.data(), f.type, {}, to, memory, {});
    }

    adios2::ADIOS adios_;
    mutable adios2::IO io_;
    mutable adios2::Engine engine_;
};

} // namespace

std::unique_ptr<Source> open(const std::string &path) { return std::make_unique<AdiosSource>(path); }

} // namespace squall::io::adios
