/// A stream's declaration, checked and with names resolved: what engines and placements work from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/types.hpp"
#include "declare/folds.hpp"
#include "declare/intervals.hpp"
#include "declare/levels.hpp"
#include "declare/points.hpp"
#include "declare/samples.hpp"
#include "squall/io.hpp"

namespace squall::io {

struct Engine;

struct FieldLayout {
    Field field;                      ///< as it is in the file: type and attributes after encoding
    Type staged = Type::f32;          ///< the type before encoding (see encode.hpp)
    std::vector<std::int64_t> shape;  ///< in the file, without the record dimension; empty for a scalar
    std::vector<Cut> cuts;            ///< per dimension: what of the domain is kept
    std::vector<std::int64_t> domain; ///< extents of the domain, in which boxes are put
    std::int64_t points = 1;          ///< product of shape
    double fill = 0;                  ///< of points that nobody owns and of frames that leave it out
    bool fills = false;               ///< whether there may be such points
    int letters = 0;                  ///< of a text, else 0: then its last dimension are letters
    int varying = -1;                 ///< its dimension whose length varies from frame to frame; -1: none
    int status = -1;                  ///< the field that says whether a frame left it out; -1: none may

    std::int64_t before = 0; ///< bytes of the fields before it, in a file of one frame

    std::int64_t bytes() const; ///< in the file, uncompressed
};

/// What servers receive only to make others of it: no file has it.
struct SentField {
    FieldLayout field;
    /// A weight or mask, of which several ranks may put the same points, or where moving places are.
    bool beside = false;
    bool to_all = false; ///< every server gets all of it: where places are
};

/// How bytes shrink. Level -1: the codec's own default.
struct Codec {
    std::string name = "none";
    int level = -1;
};

struct Layout {
    /// With dimensions cut to what is kept, and with all that the runtime adds: fields of the time axis,
    /// letters of texts, marks of optional fields.
    StreamSpec spec;
    StreamSpec spec_as_declared;
    const Engine *engine = nullptr;
    Codec codec;
    std::vector<FieldLayout> fields; ///< of the file, in the order of spec.fields
    std::vector<SentField> sent;     ///< beside these to servers: sources, then what lies beside
    int time = -1, time_bounds = -1; ///< fields of the time axis; -1: none
    std::vector<Fold> folds;         ///< fields that are made of others: over dimensions,
    std::vector<Sample> samples;     ///< at places,
    /// Per places of the stream: numbers of what tells servers where they are, for each of their dimensions;
    /// none where the servers make nothing at them, or know, since they do not move.
    std::vector<std::vector<int>> whereabouts;
    std::vector<OntoLevels> levels;             ///< onto levels,
    std::vector<OverTime> intervals;            ///< over time
    std::map<std::string, FieldLayout> sources; ///< what is put or made on the spot, but not written
    /// This rank's, by the names of the decompositions; without points on servers.
    std::map<std::string, Points> points;
    /// What the engine's writers on this rank keep from one file to the next: theirs alone.
    mutable std::shared_ptr<const void> kept_by_engine;

    /// Throws Error: what is wrong with the declaration.
    explicit Layout(StreamSpec s);

    /// Index of a field, or -1.
    int find(const std::string &name) const;
    /// What ranks stage and servers receive goes by numbers: those of the fields, and of `sent` after them.
    int staged_fields() const { return static_cast<int>(fields.size() + sent.size()); }
    bool in_file(int number) const { return number < static_cast<int>(fields.size()); }
    bool lies_beside(int number) const;
    bool goes_to_all(int number) const;
    /// The dimension in which servers share it; -1: one has it all.
    int shared_along(int number) const;
    const FieldLayout &staged(int number) const;
    /// All numbers of what is put under a name.
    std::vector<int> numbers(const std::string &name) const;
    /// Whether servers make a field of others that they receive.
    bool made_by_servers(int field) const;
    /// What is put under a name, written or not; null: nothing.
    const FieldLayout *find_put(const std::string &name) const;
    /// Number of the file that the frame of a number belongs to.
    std::int64_t file_number(std::int64_t frame) const {
        return spec.frames_per_file == 0 ? 0 : frame / spec.frames_per_file;
    }
    /// Whether the client opens and closes the files: see Stream::open_file.
    bool files_of_client() const { return spec.path.ends_with('/'); }
    /// An engine option, or the fallback.
    std::string option(const std::string &name, const std::string &fallback) const;
    /// An engine option that is a number (with an optional k, M, G for powers of 1024).
    double number(const std::string &option, double fallback) const;

  private:
    void keep_points();
    void choose_makers();
    int send(const std::string &name, bool beside);
    std::vector<int> send_whereabouts(const Places &places);

    std::unordered_map<std::string, int> index_; ///< of fields by name
};

/// Whether an attribute is of its field's type, whatever it was declared as: _FillValue and the like.
bool is_of_its_field(const std::string &attribute);

/// "a, b, c", or "none".
std::string list(const std::vector<std::string> &names);

} // namespace squall::io
