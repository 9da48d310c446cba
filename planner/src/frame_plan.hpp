/// What becomes of a frame: who stages, sends, assembles, compresses and writes how much, node by node.
/// The planners of io say it: shares, shards and slabs, and what each rank's boxes have of them.
#pragma once

#include <string>
#include <vector>

#include "squall/io.hpp"
#include "step_plan.hpp"

namespace squall::planner {

/// How a frame is written. The first two are Squall's; the others are ways of other programs, for comparison.
enum class Way {
    squall,     ///< as the stream says
    serial,     ///< a rank gathers field after field, and writes it
    collective, ///< all ranks write each field together (MPI-IO through PnetCDF or HDF5)
    split,      ///< each rank a file of its own
    aggregated, ///< a few ranks of a node write for all of it (ADIOS2)
    quilt       ///< ranks of their own receive field after field, and write it together
};
Way way_named(const std::string &name); ///< throws std::invalid_argument, with the ways

/// What one node writes, in each round.
struct NodeWrites {
    double raw = 0;     ///< bytes before the codec
    double writers = 0; ///< processes
    int files = 0;      ///< that it creates
    int streams = 0;    ///< files, or parts of a shared one, under way at a time
    int locks = 0;      ///< parts of a shared file that another writer had before
    int received = 0;   ///< messages with points, and letters, at its busiest writer
    double makers = 0;  ///< processes that serialise and compress; 0: the writers
    double nodes = 1;   ///< that it stands for (lumps.hpp), each with a disk
    double making() const { return makers > 0 ? makers : writers; }
};

/// A frame, or one of its rounds if ranks wait for each other in between.
struct FramePlan {
    int rounds = 1;
    bool shared = false;                     ///< one file for all
    std::vector<std::vector<Flow>> arrivals; ///< per node: points to other nodes, per round
    std::vector<double> inside;              ///< per node: points to writers of the same node, per round
    std::vector<double> crossing;            ///< of these, the ones that computing ranks send each other
    std::vector<NodeWrites> writes;          ///< per node, per round
    std::string engine, codec, placement;
    double bytes = 0;     ///< of the whole frame
    double staged = 0;    ///< bytes of the rank with most, of the whole frame
    double assembled = 0; ///< bytes of the writer with most, of the whole frame
    int parts = 0;        ///< variables that are written, or files of them
    int directories = 1;  ///< that its files are in
    int letters = 0;      ///< that the busiest server hears of the frame, beside points
};

/// How ranks and nodes take part in a stream's frames: `spec` as the model declares it.
FramePlan plan_frame(const World &world, const io::StreamSpec &spec, Way way, int aggregators_per_node);

} // namespace squall::planner
