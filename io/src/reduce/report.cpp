#include "reduce/report.hpp"

#include <cstring>
#include <type_traits>

#include "common/box.hpp"

namespace squall::io {
namespace {

class Writer {
  public:
    template <class T> void put(const T *values, std::size_t n) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::int64_t) == 0);
        const auto at = words.size();
        words.resize(at + n * sizeof(T) / sizeof(std::int64_t));
        if (n > 0) std::memcpy(&words[at], values, n * sizeof(T));
    }
    template <class T> void put(const T &value) { put(&value, 1); }
    template <class T> void put(const std::vector<T> &values) { put(values.data(), values.size()); }
    void put(const std::string &text) {
        put(static_cast<std::int64_t>(text.size()));
        auto padded = text;
        padded.resize((text.size() + 7) / 8 * 8);
        const auto at = words.size();
        words.resize(at + padded.size() / 8);
        if (!padded.empty()) std::memcpy(&words[at], padded.data(), padded.size());
    }

    std::vector<std::int64_t> words;
};

/// What another rank of the same program has written: it is as long as it says.
class WordReader {
  public:
    explicit WordReader(const std::vector<std::int64_t> &words) : at_(words.data()) {}

    template <class T> void get(T *values, std::size_t n) {
        if (n > 0) std::memcpy(static_cast<void *>(values), at_, n * sizeof(T));
        at_ += n * sizeof(T) / sizeof(std::int64_t);
    }
    template <class T> T get() {
        T value{};
        get(&value, 1);
        return value;
    }
    template <class T> std::vector<T> get_list(std::size_t n) {
        std::vector<T> values(n);
        get(values.data(), n);
        return values;
    }
    std::string get_text() {
        const auto n = static_cast<std::size_t>(get<std::int64_t>());
        std::string text(reinterpret_cast<const char *>(at_), n);
        at_ += (n + 7) / 8;
        return text;
    }

  private:
    const std::int64_t *at_;
};

void put_partial(Writer &to, const Partial &partial) {
    to.put(partial.box.start);
    to.put(partial.box.count);
    to.put(partial.points);
    to.put(partial.sums);
    to.put(partial.extremes);
    to.put(partial.counts);
}

Partial get_partial(WordReader &from, const Fold &fold, std::size_t dimensions) {
    Partial partial;
    partial.box.start = from.get_list<std::int64_t>(dimensions);
    partial.box.count = from.get_list<std::int64_t>(dimensions);
    partial.points = from.get<std::uint64_t>();
    const auto n = static_cast<std::size_t>(volume(partial.box));
    partial.sums = from.get_list<Sum>(n * fold.sums());
    partial.extremes = from.get_list<double>(fold.extreme() ? n : 0);
    partial.counts = from.get_list<std::int64_t>(n * fold.counts());
    return partial;
}

} // namespace

std::vector<std::int64_t> Report::pack() const {
    Writer to;
    to.put(number);
    to.put(time.seconds);
    to.put(time.epoch);
    to.put(declaration);
    to.put(static_cast<std::int64_t>(useless));
    for (const auto &of_fold : partials) {
        to.put(static_cast<std::int64_t>(of_fold.list().size()));
        for (const auto &partial : of_fold.list()) put_partial(to, partial);
    }
    return std::move(to.words);
}

Report Report::unpack(const std::vector<std::int64_t> &words, const std::vector<Fold> &folds) {
    WordReader from(words);
    Report report;
    report.number = from.get<std::int64_t>();
    report.time.seconds = from.get<double>();
    report.time.epoch = from.get_text();
    report.declaration = from.get<std::uint64_t>();
    report.useless = from.get<std::int64_t>() != 0;
    report.partials.resize(folds.size());
    if (report.number == closed) return report;
    for (std::size_t f = 0; f < folds.size(); ++f) {
        std::size_t dimensions = 0;
        for (const bool over : folds[f].over) dimensions += !over;
        for (auto n = from.get<std::int64_t>(); n > 0; --n)
            report.partials[f].add(folds[f], get_partial(from, folds[f], dimensions));
    }
    return report;
}

} // namespace squall::io
