/// Zarr stores, split directories and BP5 directories whose metadata lie: an Error that says so, never a
/// crash, a hang, gigabytes, or a file of somebody else.

#include <filesystem>
#include <functional>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "engines/netcdf_split/index.hpp"
#include "hostile.hpp"

namespace squall::io::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr auto huge = std::int64_t(1) << 32;

bool built(const std::string &engine) {
    const auto all = engines();
    return std::find(all.begin(), all.end(), engine) != all.end();
}

class Hostile : public testing::Test {
  protected:
    explicit Hostile(std::string engine, std::string codec = "")
        : engine_(std::move(engine)), codec_(std::move(codec)) {}
    void SetUp() override {
        if (!built(engine_)) GTEST_SKIP() << "not in this build";
        renew();
    }
    void renew() {
        fs::remove_all(path_);
        auto spec = weather(path_);
        spec.engine = engine_;
        spec.codec = codec_;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        put_fixed(stream, {0, ny});
        write_frame(stream, {0, ny}, 0);
        stream.close();
    }
    void edit(const std::string &file, const std::function<void(Json &)> &change) {
        auto json = Json::parse(bytes_of(path_ + "/" + file));
        change(json);
        write_bytes(path_ + "/" + file, json.dump());
    }
    /// What is said of a directory after one change.
    std::string after(const std::string &file, const std::function<void(Json &)> &change) {
        renew();
        edit(file, change);
        return reading_all(path_);
    }

    Scratch dir_;
    std::string engine_, codec_, path_ = dir_ / "x";
};

class HostileZarr : public Hostile {
  protected:
    explicit HostileZarr(const std::string &codec = "none") : Hostile("zarr", codec) {}
    /// Changes the document of one array.
    std::string after_array(const std::string &name, const std::function<void(Json &)> &change) {
        return after("zarr.json", [&](Json &j) { change(j["consolidated_metadata"]["metadata"][name]); });
    }
    void edit_own(const std::function<void(Json &)> &change) {
        edit("zarr.json", [&](Json &j) {
            auto own = Json::parse(j["attributes"]["_squall"].get<std::string>());
            change(own);
            j["attributes"]["_squall"] = own.dump();
        });
    }
    std::string after_own(const std::function<void(Json &)> &change) {
        renew();
        edit_own(change);
        return reading_all(path_);
    }
    static Json &tile(Json &array) { return array["chunk_grid"]["configuration"]["chunk_shape"]; }
    static Json &inner(Json &array) { return array["codecs"][0]["configuration"]; }
    std::string shard(const std::string &array) {
        for (const auto &entry : fs::directory_iterator(path_ + "/" + array))
            if (entry.path().filename() != "zarr.json") return entry.path();
        return "";
    }
};

TEST_F(HostileZarr, IsReadWhenItIsHonest) { EXPECT_EQ(reading_all(path_), ""); }

TEST_F(HostileZarr, AChunkWhoseProductWrapsToNothingIsRefused) {
    const auto said = after_array("T", [](Json &a) {
        tile(a) = {1, huge, huge, 13};
        inner(a)["chunk_shape"] = tile(a);
    });
    EXPECT_TRUE(contains(said, "array T: ")) << said;
    EXPECT_TRUE(contains(said, "more bytes than can be counted")) << said;
}

TEST_F(HostileZarr, AShardOfMoreChunksThanItsFileHasRoomForIsRefused) {
    const auto said = after_array("T", [](Json &a) {
        tile(a) = {1, huge / 8, 11, 13};
        inner(a)["chunk_shape"] = {1, 1, 1, 1};
    });
    EXPECT_TRUE(contains(said, "its index alone should have")) << said;
}

TEST_F(HostileZarr, ATextWithoutLettersIsRefused) {
    const auto said = after_own([](Json &own) {
        for (auto &d : own["dimensions"])
            if (d["name"] == "DateStrLen") d["size"] = 0;
    });
    EXPECT_TRUE(contains(said, "size: it must be a whole number from 1")) << said;
}

TEST_F(HostileZarr, TextsOfMoreLettersThanTheirFileCanMeanAreRefused) {
    edit_own([](Json &own) {
        for (auto &d : own["dimensions"])
            if (d["name"] == "DateStrLen") d["size"] = huge;
    });
    const Reader file(path_);
    std::string times(19, ' ');
    const auto said = error_of([&] { file.read("Times", 0, {{0}, {19}}, times.data()); });
    EXPECT_TRUE(contains(said, "texts of 4294967296 letters")) << said;
}

TEST_F(HostileZarr, LettersOfAnArrayOfNumbersAreNotBelieved) {
    after_own([](Json &own) { own["text"]["T"] = "DateStrLen"; });
    EXPECT_EQ(error_of([&] { EXPECT_FALSE(Reader(path_).has("T")); }), "");
}

TEST_F(HostileZarr, ExtentsWithoutSenseAreRefused) {
    for (const Json &shape : {Json{1, -5, 11, 13}, Json{1, 5, 11}, Json{1, 5, 11, std::int64_t(1) << 62},
                              Json{1, 5, 11, 1e300}, Json{1, "5", 11, 13}, Json("all"), Json(nullptr)})
        EXPECT_TRUE(contains(after_array("T", [&](Json &a) { a["shape"] = shape; }), "array T: ")) << shape;
    for (const Json &chunk : {Json{1, 0, 11, 13}, Json{1, -5, 11, 13}, Json{1, 5}})
        EXPECT_TRUE(contains(after_array("T", [&](Json &a) { tile(a) = chunk; }), "array T: ")) << chunk;
}

TEST_F(HostileZarr, NamesThatLeadOutOfTheStoreAreRefused) {
    for (const auto *name : {"..", ".", ""})
        EXPECT_NE(after("zarr.json",
                        [&](Json &j) {
                            auto &all = j["consolidated_metadata"]["metadata"];
                            const Json t = all["T"];
                            all[name] = t;
                        }),
                  "");
    const auto said =
        after_array("T", [](Json &a) { a["chunk_key_encoding"]["configuration"]["separator"] = "/../../"; });
    EXPECT_TRUE(contains(said, "separator")) << said;
}

TEST_F(HostileZarr, LinksOutOfTheStoreAreNotFollowed) {
    const auto file = shard("T");
    fs::rename(file, dir_ / "elsewhere");
    fs::create_symlink(dir_ / "elsewhere", file);
    EXPECT_TRUE(contains(reading_all(path_), "is a link out of its directory")) << reading_all(path_);
    renew();
    fs::rename(path_ + "/T", dir_ / "other");
    fs::create_directory_symlink(dir_ / "other", path_ + "/T");
    EXPECT_TRUE(contains(reading_all(path_), "is a link out of its directory"));
}

TEST_F(HostileZarr, APipeIsNotWaitedFor) {
    const auto file = shard("T");
    fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    EXPECT_TRUE(contains(reading_all(path_), "not a file"));
    fs::remove(path_ + "/zarr.json");
    ASSERT_EQ(mkfifo((path_ + "/zarr.json").c_str(), 0600), 0);
    EXPECT_TRUE(contains(reading_all(path_), "not a file"));
    ASSERT_EQ(mkfifo((dir_ / "pipe.nc").c_str(), 0600), 0);
    EXPECT_TRUE(contains(reading_all(dir_ / "pipe.nc"), "neither a file"));
}

TEST_F(HostileZarr, AnIndexThatPointsOutOfItsShardIsRefused) {
    const auto index = [](std::uint64_t offset, std::uint64_t bytes) {
        std::string text(16, '\0');
        std::memcpy(text.data(), &offset, 8);
        std::memcpy(text.data() + 8, &bytes, 8);
        return text;
    };
    edit("zarr.json", [&](Json &j) {
        auto &codecs = inner(j["consolidated_metadata"]["metadata"]["T"]);
        codecs["index_codecs"] = Json::array({{{"name", "bytes"}}});
        codecs["codecs"] = Json::array({{{"name", "bytes"}}});
    });
    constexpr std::uint64_t all = nz * ny * nx * 4;
    for (const auto &[offset, bytes] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
             {1, all + 16}, {~0ull - 1, 8}, {8, ~0ull}, {~0ull - 7, 16}, {0, all - 1}, {0, 0}}) {
        write_bytes(shard("T"), std::string(all, '\0') + index(offset, bytes));
        EXPECT_TRUE(contains(reading_all(path_), "field T, frame 0")) << offset << " " << bytes;
    }
    write_bytes(shard("T"), std::string(all, '\0') + index(0, all));
    EXPECT_EQ(reading_all(path_), "");
}

TEST_F(HostileZarr, DocumentsOfOtherShapesAreRefused) {
    for (const auto *text : {"", "{", "[]", "null", "3", R"({"zarr_format": 3})"}) {
        renew();
        write_bytes(path_ + "/zarr.json", text);
        EXPECT_NE(reading_all(path_), "") << text;
    }
    renew();
    write_bytes(path_ + "/zarr.json", std::string(1'000'000, '['));
    EXPECT_TRUE(contains(reading_all(path_), "nested more than 64 levels deep"));
    for (const auto *name : {"attributes", "consolidated_metadata"})
        EXPECT_NE(after("zarr.json", [&](Json &j) { j[name] = Json{{"metadata", 7}, {"_squall", 7}}; }), "");
    EXPECT_NE(after_own([](Json &own) { own["types"] = 7; }), "");
    EXPECT_NE(after_own([](Json &own) { own.erase("dimensions"); }), "");
    EXPECT_TRUE(contains(after_array("T", [](Json &a) { a["dimension_names"] = {"Time"}; }), "array T: "));
    EXPECT_TRUE(contains(after_array("T", [](Json &a) { a["codecs"] = Json::array(); }), "array T: "));
    EXPECT_TRUE(contains(after_array("T", [](Json &a) { a.erase("chunk_grid"); }), "chunk_grid is missing"));
}

/// A hint that an attribute is int32 may be wrong: converting it anyway is undefined.
TEST_F(HostileZarr, NumbersThatDoNotFitTheirTypeStayAsTheyAre) {
    EXPECT_EQ(after("zarr.json",
                    [](Json &j) {
                        j["attributes"]["DX"] = 1e300;
                        auto own = Json::parse(j["attributes"]["_squall"].get<std::string>());
                        own["types"][""]["DX"] = "i32";
                        j["attributes"]["_squall"] = own.dump();
                    }),
              "");
    EXPECT_EQ(Reader(path_).number("DX"), 1e300);
}

class HostileZstd : public HostileZarr {
  protected:
    HostileZstd() : HostileZarr("zstd") {}
};

TEST_F(HostileZstd, AFrameThatClaimsToBecomeGigabytesIsRefusedFirst) {
    // The header of a frame: its magic number, one segment with a size of eight bytes, 2^29.
    const std::string frame("\x28\xb5\x2f\xfd\xe0\0\0\0\x20\0\0\0\0\0\0\0\0", 17);
    const auto as_one_chunk = [&](Json &array, const Json &codecs) { array["codecs"] = codecs; };
    edit("zarr.json", [&](Json &j) {
        auto &all = j["consolidated_metadata"]["metadata"];
        as_one_chunk(all["T"], Json::array({{{"name", "bytes"}}, {{"name", "zstd"}}}));
        as_one_chunk(all["Times"], Json::array({{{"name", "vlen-utf8"}}, {{"name", "zstd"}}}));
    });
    write_bytes(shard("T"), frame);
    write_bytes(shard("Times"), frame);
    const Reader file(path_);
    std::vector<float> room(nz * ny * nx);
    std::string times(19, ' ');
    EXPECT_TRUE(contains(error_of([&] {
                             file.read("T", 0, {{0, 0, 0}, {nz, ny, nx}}, room.data());
                         }),
                         "instead of 2860"));
    EXPECT_TRUE(contains(error_of([&] {
                             file.read("Times", 0, {{0}, {19}}, times.data());
                         }),
                         "claims to decompress to 536870912"));
}

/// A text of a megabyte, in memory fifty.
TEST_F(HostileZarr, ListsOfMoreValuesThanATextOfItsSizeMeansAreRefused) {
    for (const Json &little : {Json(0), Json::array(), Json::object()}) {
        const auto said =
            after("zarr.json", [&](Json &j) { j["attributes"]["MANY"] = Json::array_t(400'000, little); });
        EXPECT_TRUE(contains(said, "zarr.json has more than")) << said;
        EXPECT_TRUE(contains(said, "values in")) << said;
    }
    EXPECT_EQ(after("zarr.json", [&](Json &j) { j["attributes"]["MANY"] = Json::array_t(50'000, 0); }), "");
}

class HostileSplit : public Hostile {
  protected:
    HostileSplit() : Hostile("netcdf-split") {}
    /// After a change of what a part says that it holds of T.
    std::string
    after_boxes(const std::function<void(split::Stretch &, std::vector<split::Stretch> &)> &change) {
        renew();
        const auto index = path_ + "/" + split::index_of(part());
        struct Whole final : Source {
            void read(int, std::int64_t, const Box &, void *, Type) const override {}
        } whole;
        split::parse_index(split::read_text(path_), whole);
        std::vector<split::Stretch> changed;
        for (auto &stretch : split::parse_part_index(bytes_of(index), whole, "")) {
            if (whole.fields[static_cast<std::size_t>(stretch.field)].name == "T") change(stretch, changed);
            changed.push_back(stretch);
        }
        write_bytes(index, split::part_index(changed));
        return reading_all(path_);
    }
    std::string after_box(const std::function<void(split::Stretch &)> &change) {
        return after_boxes([&](split::Stretch &s, std::vector<split::Stretch> &) { change(s); });
    }
    std::string part() const {
        for (const auto &entry : fs::directory_iterator(path_)) {
            const auto name = entry.path().filename().string();
            if (name.starts_with("part") && name.ends_with(".nc")) return name;
        }
        return "";
    }
};

TEST_F(HostileSplit, BoxesOfOtherDimensionsThanTheirFieldAreRefused) {
    EXPECT_EQ(reading_all(path_), "");
    for (const std::size_t rank : {0, 1, 2, 4, 40})
        EXPECT_TRUE(
            contains(after_box([&](split::Stretch &s) {
                         s.box = {std::vector<std::int64_t>(rank, 0), std::vector<std::int64_t>(rank, 1)};
                     }),
                     ".nc.index is damaged"))
            << rank;
    EXPECT_TRUE(contains(after_box([](split::Stretch &s) { s.field = 40; }), "there is no field 40"));
}

TEST_F(HostileSplit, BoxesOutsideOfTheirFieldAreRefused) {
    constexpr auto far = std::numeric_limits<std::int64_t>::max();
    using Numbers = std::vector<std::int64_t>;
    for (const Numbers &start : {Numbers{0, 0, 1}, Numbers{-1, 0, 0}, Numbers{far, far, far}})
        EXPECT_NE(after_box([&](split::Stretch &s) { s.box.start = start; }), "");
    for (const Numbers &count : {Numbers{nz, ny, nx + 1}, Numbers{far, far, far}, Numbers{nz, ny, -nx}})
        EXPECT_NE(after_box([&](split::Stretch &s) { s.box.count = count; }), "");
    for (const auto &[first, end] : {std::pair{-1, 1}, {1, 0}, {0, -2}, {0, 0}})
        EXPECT_NE(after_box([&](split::Stretch &s) {
                      s.first = first;
                      s.end = end;
                  }),
                  "");
}

/// Two boxes that overlap make up for one that is missing, by their number of points.
TEST_F(HostileSplit, BoxesThatOverlapDoNotHideAHole) {
    const auto said = after_boxes([](split::Stretch &s, std::vector<split::Stretch> &more) {
        s.box = {{0, 0, 0}, {nz, 3, nx}};
        more.push_back(s);
        more.push_back(s);
        more.back().box = {{0, 3, 0}, {nz, 5, nx}}; // rows 0 to 3 twice, 3 to 8: 11 in all
    });
    EXPECT_TRUE(contains(said, "does not assign each point to exactly one part")) << said;
}

TEST_F(HostileSplit, IndicesOfPartsThatAreCutOrDamagedAreRefused) {
    const auto index = path_ + "/" + split::index_of(part());
    const auto whole = bytes_of(index);
    const auto after_bytes = [&](const std::string &bytes) {
        write_bytes(index, bytes);
        return reading_all(path_);
    };
    for (const std::size_t length : {0ul, 1ul, 8ul, 12ul, 30ul, whole.size() - 1})
        EXPECT_TRUE(contains(after_bytes(whole.substr(0, length)), ".nc.index is damaged")) << length;
    for (std::size_t at = 0; at < whole.size(); at += 5) {
        auto other = whole;
        other[at] = static_cast<char>(other[at] ^ 4);
        EXPECT_TRUE(contains(after_bytes(other), ".nc.index is damaged")) << at;
    }
    EXPECT_TRUE(contains(after_bytes(whole + "x"), ".nc.index is damaged"));
    fs::remove(index);
    EXPECT_TRUE(contains(reading_all(path_), ".nc.index"));
}

TEST_F(HostileSplit, AnIndexOfAnOlderSquallIsRefusedWithThatReason) {
    EXPECT_TRUE(
        contains(after("index.json", [](Json &j) { j["squall_split"] = 1; }), "made by an older Squall"));
    EXPECT_TRUE(
        contains(after("index.json", [](Json &j) { j["squall_split"] = 3; }), "a later version of Squall"));
}

/// A frame that a run was killed in may be in the index of a part alone.
TEST_F(HostileSplit, FramesThatTheWholeDoesNotHaveAreNotThere) {
    EXPECT_EQ(after_boxes([](split::Stretch &s, std::vector<split::Stretch> &more) {
                  more.push_back(s);
                  more.back().first = 1;
                  more.back().end = 2;
                  s.end = 2;
              }),
              "");
}

/// Of a writer with millions of boxes.
TEST(SplitIndex, OfMillionsOfBoxesIsReadAsItWasWritten) {
    constexpr std::int64_t n = 3'000'000;
    struct Whole final : Source {
        void read(int, std::int64_t, const Box &, void *, Type) const override {}
    } whole;
    whole.frames = 5;
    whole.dimensions = {{"x", n}};
    whole.fields = {{"T", Type::f32, {"x"}, {}}};
    std::vector<split::Stretch> all;
    for (std::int64_t b = 0; b < n; ++b)
        all.push_back(
            {0, static_cast<std::uint32_t>(b), {{b}, {1}}, b % 4, b % 2 == 0 ? split::open_end : 4});
    const auto bytes = split::part_index(all);
    EXPECT_LT(bytes.size(), std::size_t(41) * n);
    const auto back = split::parse_part_index(bytes, whole, "it");
    ASSERT_EQ(back.size(), all.size());
    std::int64_t wrong = 0;
    for (std::size_t b = 0; b < back.size(); ++b)
        wrong += back[b].box != all[b].box || back[b].first != all[b].first ||
                 back[b].number != all[b].number || back[b].end != (all[b].end == split::open_end ? 5 : 4);
    EXPECT_EQ(wrong, 0);
}

TEST(SplitIndex, IsNotWrittenLargerThanItsReadersTake) {
    const Scratch dir;
    fs::create_directory(dir / "x");
    const Layout layout(weather(dir / "x"));
    const std::vector<std::string> texts(1000, split::to_text({{"part_000000.nc", 1}}));
    EXPECT_TRUE(contains(error_of([&] { split::write_index(dir / "x", layout, 1, texts, 10'000); }),
                         "readers take 10000"));
    EXPECT_FALSE(fs::exists(dir / "x/index.json"));
    split::write_index(dir / "x", layout, 1, texts);
    EXPECT_TRUE(fs::exists(dir / "x/index.json"));
}

TEST_F(HostileSplit, DimensionsThatAreNotDeclaredAreRefused) {
    const auto said = after("index.json", [](Json &j) { j["fields"][2]["dimensions"][1] = "elsewhere"; });
    EXPECT_TRUE(contains(said, "dimension elsewhere, which the file does not declare")) << said;
    EXPECT_NE(after("index.json", [](Json &j) { j["dimensions"][0]["size"] = std::int64_t(1) << 62; }), "");
    EXPECT_NE(after("index.json", [](Json &j) { j["dimensions"][0]["size"] = 0; }), "");
    EXPECT_NE(after("index.json", [](Json &j) { j["frames"] = -1; }), "");
    EXPECT_NE(after("index.json", [](Json &j) { j["frames"] = 1e300; }), "");
}

TEST_F(HostileSplit, FilesOutsideOfTheDirectoryAreNotRead) {
    const auto name = part();
    fs::copy_file(path_ + "/" + name, dir_ / "outside.nc");
    for (const auto &file : {std::string("../outside.nc"), dir_ / "outside.nc", std::string("./") + name})
        EXPECT_NE(after("index.json",
                        [&](Json &j) {
                            for (auto &f : j["files"])
                                if (f["name"] == name) f["name"] = file;
                        }),
                  "")
            << file;
    renew();
    fs::remove(path_ + "/" + name);
    fs::create_symlink(dir_ / "outside.nc", path_ + "/" + name);
    EXPECT_TRUE(contains(reading_all(path_), "is a link out of its directory"));
}

TEST_F(HostileSplit, AVariableOfOtherExtentsThanItsBoxIsRefused) {
    const auto cut = [](split::Stretch &s, std::vector<split::Stretch> &more) {
        more.push_back(s);
        more.back().box.count[1] = 1;
        s.box.start[1] += 1;
        s.box.count[1] -= 1;
    };
    EXPECT_TRUE(contains(after_boxes(cut), "differ from its box"));
    EXPECT_TRUE(contains(after_box([](split::Stretch &s) { s.number = 7; }), "no variable T.7"));
}

TEST_F(HostileSplit, ListsOfMoreValuesThanATextOfItsSizeMeansAreRefused) {
    const auto said =
        after("index.json", [&](Json &j) { j["attributes"] = Json::array_t(400'000, Json::array()); });
    EXPECT_TRUE(contains(said, "index.json has more than")) << said;
}

} // namespace
} // namespace squall::io::test
