/// ADIOS2 BP5: Put and EndStep.

#include <adios2.h>

#include "baseline.hpp"
#include "yardsticks.hpp"

namespace squall::bench {
namespace {

adios2::Dims dims(const std::vector<std::int64_t> &n) { return {n.begin(), n.end()}; }

class Adios final : public Baseline {
  public:
    explicit Adios(const BaselineJob &job)
        : job_(job), patch_(job.contents, part_of(job.contents, job.comm), Order::file), adios_(job.comm),
          io_(adios_.DeclareIO("plain")) {
        MPI_Comm_rank(job.comm, &rank_);
        io_.SetEngine("BP5");
        for (const auto &name : job.contents.names) {
            auto variable = io_.DefineVariable<float>(name, dims(job.contents.shape), dims(patch_.box.start),
                                                      dims(patch_.box.count), adios2::ConstantDims);
            for (const auto &[attribute, text] : field_attributes)
                io_.DefineAttribute<std::string>(attribute, text, name);
            if (job.codec != "none") variable.AddOperation("blosc", operation());
        }
    }

    void write(const std::string &path) override {
        auto engine = io_.Open(path, adios2::Mode::Write);
        engine.BeginStep();
        for (int f = 0; f < job_.contents.fields(); ++f)
            engine.Put(io_.InquireVariable<float>(job_.contents.names[f]), patch_.first(f));
        engine.EndStep();
        engine.Close();
        MPI_Barrier(job_.comm);
        if (rank_ == 0) bring_to_disk(path);
    }

  private:
    adios2::Params operation() const {
        const int level = job_.level > 0 ? job_.level : job_.codec == "zstd" ? 1 : 5;
        return {
            {"compressor", job_.codec}, {"clevel", std::to_string(level)}, {"doshuffle", "BLOSC_SHUFFLE"}};
    }

    BaselineJob job_;
    Patch patch_;
    adios2::ADIOS adios_;
    adios2::IO io_;
    int rank_ = 0;
};

const RegisterBaseline adios("adios", std::make_unique<Adios, const BaselineJob &>);

} // namespace
} // namespace squall::bench
