#include "winds/read_ahead.hpp"

#include "core/stopwatch.hpp"
#include "run/agree.hpp"

namespace squall::transport {

ReadAhead::ReadAhead(const std::string &path, const WindHeader &header, const HandOut &hand_out,
                     std::size_t last, MPI_Comm comm)
    : header_(header), hand_out_(hand_out), last_(last), comm_(comm) {
    agree(comm_, [&] {
        if (hand_out_.reads()) file_.emplace(path, header_);
    });
}

/// Only the thread reads until finish() is back, so that it alone uses the file.
void ReadAhead::begin(std::size_t record) {
    begun_ = record;
    ahead_ = std::async(std::launch::async, [this, record] {
        Read read;
        read.seconds =
            seconds_of([&] { read.values = file_->read(record, hand_out_.first_row(), hand_out_.rows()); });
        return read;
    });
}

ReadAhead::Read ReadAhead::finish(std::size_t record) {
    if (ahead_.valid() && begun_ != record) ahead_.get();
    if (!ahead_.valid()) begin(record);
    return ahead_.get();
}

WindValues ReadAhead::take(std::size_t record) {
    Read read;
    costs_.waiting += seconds_of([&] {
        agree(comm_, [&] {
            if (hand_out_.reads()) read = finish(record);
        });
    });
    costs_.reading += read.seconds;
    WindValues mine;
    costs_.scattering += seconds_of([&] {
        for (std::size_t n = 0; n < wind_fields; ++n) {
            const auto field = static_cast<WindField>(n);
            const bool convective = field == WindField::updraught || field == WindField::downdraught;
            if (convective && !header_.updraughts) continue;
            mine[n] = hand_out_(read.values[n], layers_of(field, header_.layers()), costs_.sent);
        }
    });
    ++costs_.records;
    if (hand_out_.reads() && record < last_) begin(record + 1);
    return mine;
}

} // namespace squall::transport
