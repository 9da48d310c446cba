/// MPI types for a part of a box in memory.
#pragma once

#include <vector>

#include <mpi.h>

#include "layout.hpp"

namespace squall::io {

/// A committed type for the points of `part` within the contiguous points of `box`.
class PartType {
  public:
    PartType(const Box &part, const Box &box, Type element) {
        const auto base = mpi_type(element);
        if (box.start.empty()) {
            MPI_Type_contiguous(1, base, &type_);
        } else {
            std::vector<int> sizes, counts, starts;
            for (std::size_t d = 0; d < box.start.size(); ++d) {
                sizes.push_back(static_cast<int>(box.count[d]));
                counts.push_back(static_cast<int>(part.count[d]));
                starts.push_back(static_cast<int>(part.start[d] - box.start[d]));
            }
            MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), counts.data(),
                                     starts.data(), MPI_ORDER_C, base, &type_);
        }
        MPI_Type_commit(&type_);
    }
    ~PartType() { MPI_Type_free(&type_); } // messages under way keep it alive
    PartType(const PartType &) = delete;
    PartType &operator=(const PartType &) = delete;
    operator MPI_Datatype() const { return type_; }

  private:
    static MPI_Datatype mpi_type(Type element) {
        switch (size_of(element)) {
        case 1:
            return MPI_INT8_T;
        case 2:
            return MPI_INT16_T;
        case 4:
            return MPI_INT32_T;
        default:
            return MPI_INT64_T;
        }
    }
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

} // namespace squall::io
