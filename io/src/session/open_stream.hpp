/// A stream between open and close, on a computing rank.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "declare/layout.hpp"
#include "drain/stream_ranks.hpp"
#include "placements/placement.hpp"
#include "placements/tally.hpp"
#include "publish/file_names.hpp"
#include "reduce/makers.hpp"
#include "reduce/reducer.hpp"
#include "stage/stage.hpp"

namespace squall::io {

struct SessionCore;

/// Everything that a stream holds; it goes with the last who knows it, at close.
struct OpenStream final : FramesUnderWay {
    OpenStream(SessionCore &core, StreamRanks &members, StreamSpec spec);
    ~OpenStream() override;
    OpenStream(const OpenStream &) = delete;
    OpenStream &operator=(const OpenStream &) = delete;

    /// Of all streams of the session: they share its memory.
    void progress() override;
    std::string awaiting() const override;

    /// Whether it takes a field of a frame: writes it, or makes something of it.
    bool takes(const std::string &field) const;
    /// Hands a field of the open frame, or one that is fixed in time, to the stages that take it.
    void put(const Put &put, bool per_frame, Copies *copies = nullptr);
    void put_points(const Put &put, bool per_frame, Copies *copies = nullptr);
    /// The same after what is made of it on the spot.
    void hand_on(const Put &put, bool per_frame, Copies *copies);
    bool stages(const Put &put) const;
    /// Where moving places are in the open frame.
    void lie_at(const std::string &places, const std::vector<double> &positions);
    /// Why the next frame to be committed has no file to go to, as one of that name is another's; or "".
    std::string name_fault(const Time &time);
    bool lost(std::int64_t number_of_file) const;
    std::string taken_by_another(const std::string &name) const;
    ClientFile client_file(const std::string &path, const std::vector<Attribute> &attributes,
                           Existing existing) const;
    std::string attributes_fault(const std::vector<Attribute> &attributes) const;
    /// Whether the client opens and closes its files.
    bool has_files_of_client() const { return layout->files_of_client(); }
    void open_file(const std::string &name, const std::vector<Attribute> &attributes, Existing existing);
    void close_file();
    /// Everything committed is stored, and every closed file is published.
    void flush();
    /// Does what can be done now for its own frames under way. Throws Error.
    void work() {
        reducer.progress();
        placement->progress();
    }

    SessionCore &session;
    StreamRanks &members;  ///< who have opened it
    int number;            ///< of the stream in its session, counted from the first that this rank opened
    int number_of_members; ///< of the stream among those of its members
    std::shared_ptr<const Layout> layout;
    std::shared_ptr<Tally> tally;
    Room room;
    Stage fixed, frame;
    std::shared_ptr<StagedHere> fixed_fields; ///< complete after the first commit
    std::unique_ptr<Placement> placement;
    Reducer reducer;                        ///< between stage and placement
    Makers makers;                          ///< before both
    FileNames names;                        ///< of all its files, whoever writes them
    std::int64_t committed = 0;             ///< frames, and ends of files
    std::shared_ptr<const ClientFile> file; ///< that is open; null: none is, or the stream names its own
    struct Openings {
        std::int64_t first = 0, last = 0; ///< numbers of files
    };
    std::map<std::string, Openings> client_files; ///< that were closed, by path
    std::int64_t settled = 0;                     ///< of these, those with lower numbers are published
    Time last;                                    ///< of the frame committed last
    std::int64_t files = 0, in_file = 0;          ///< opened so far; frames committed to the open one
    bool closed = false;
    double *frame_seconds = nullptr; ///< what the open frame has cost the model; null: none is open
};

} // namespace squall::io
