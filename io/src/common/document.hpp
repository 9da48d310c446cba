/// A document in JSON that somebody else may have written: read with bounds, and asked for values of the
/// right kind. What is not as it should be is an Error that names the place in the document.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "squall/io.hpp"

namespace squall::io {

/// Lists and objects in each other, and names in one object that keeps their order, at most.
constexpr int deepest_document = 64, widest_object = 1 << 14;

/// Values that a text of so many bytes may have, at most: in memory each takes up to a hundred bytes, and a
/// list of nothing but small ones takes two or three in the text. What Squall writes has fewer than that.
constexpr std::size_t most_values(std::size_t bytes) {
    constexpr std::size_t always = 1 << 16, ever = 1 << 24, bytes_of_one = 4;
    return std::min(always + bytes / bytes_of_one, ever);
}

/// A document of more values or names than that.
class TooLarge : public Error {
  public:
    using Error::Error;
};

/// The text of a file of at most `most` bytes. Throws Error.
std::string text_of(const std::string &file, std::size_t most = std::size_t(256) << 20);

/// Counts what is in a document while it is parsed into nothing. A parser that asks before it keeps a value
/// takes the square of a list's length.
template <class Json> class Bounds {
  public:
    Bounds(std::string_view text, const std::string &what) : what_(what), bytes_(text.size()) {}

    bool null() { return value(); }
    bool boolean(bool) { return value(); }
    bool number_integer(typename Json::number_integer_t) { return value(); }
    bool number_unsigned(typename Json::number_unsigned_t) { return value(); }
    bool number_float(typename Json::number_float_t, const std::string &) { return value(); }
    bool string(std::string &) { return value(); }
    bool binary(typename Json::binary_t &) { return value(); }
    bool start_object(std::size_t) { return begin(); }
    bool start_array(std::size_t) { return begin(); }
    bool end_object() { return end(); }
    bool end_array() { return end(); }
    /// Objects that keep their order are searched from one end to the other for each name.
    bool key(std::string &) {
        constexpr bool keeps_order = std::is_same_v<Json, nlohmann::ordered_json>;
        if (keeps_order && ++names_.back() > widest_object)
            fail(fmt::format("has an object of more than {} names", widest_object));
        return true;
    }
    /// The parser that keeps it says what is wrong.
    bool parse_error(std::size_t, const std::string &, const typename Json::exception &) { return false; }

  private:
    [[noreturn]] void fail(const std::string &fault) const {
        throw TooLarge(fmt::format("{} {}; it is damaged, restore it", what_, fault));
    }
    bool value() {
        if (++values_ > most_values(bytes_))
            fail(fmt::format("has more than {} values in {} bytes", most_values(bytes_), bytes_));
        return true;
    }
    bool begin() {
        if (names_.size() >= deepest_document)
            throw Error(fmt::format("{} is nested more than {} levels deep; it is damaged, restore it", what_,
                                    deepest_document));
        names_.push_back(0);
        return value();
    }
    bool end() {
        names_.pop_back();
        return true;
    }

    const std::string &what_;
    std::size_t bytes_, values_ = 0;
    std::vector<int> names_; ///< of each object or list that is open
};

/// Parses a text; `what` it is, for messages. Throws Error; TooLarge where it is beyond the bounds.
template <class Json> Json parse_document(std::string_view text, const std::string &what) {
    try {
        Bounds<Json> bounds(text, what);
        Json::sax_parse(text, &bounds);
        return Json::parse(text);
    } catch (const typename Json::exception &e) {
        throw Error(fmt::format("{} is damaged, restore it: {}", what, e.what()));
    }
}

/// A value in a document.
template <class Json> class Item {
  public:
    /// `where` it is, for messages. The document must outlive the item.
    Item(const Json &json, std::string where) : json_(&json), where_(std::move(where)) {}

    const Json &json() const { return *json_; }
    [[noreturn]] void fail(const std::string &what) const {
        throw Error(fmt::format("{}: {}; it is damaged, restore it", where_, what));
    }

    bool has(const char *name) const { return json_->is_object() && json_->contains(name); }
    Item operator[](const char *name) const {
        if (!has(name)) fail(fmt::format("{} is missing", name));
        return {(*json_)[name], fmt::format("{}, {}", where_, name)};
    }

    std::string text() const {
        if (!json_->is_string()) fail("it must be a string");
        return json_->template get<std::string>();
    }
    bool truth() const {
        if (!json_->is_boolean()) fail("it must be true or false");
        return json_->template get<bool>();
    }
    std::int64_t integer(std::int64_t least = 0,
                         std::int64_t most = std::numeric_limits<std::int64_t>::max()) const {
        const bool fits =
            json_->is_number_integer() &&
            (!json_->is_number_unsigned() ||
             json_->template get<std::uint64_t>() <= std::uint64_t(std::numeric_limits<std::int64_t>::max()));
        const auto n = fits ? json_->template get<std::int64_t>() : 0;
        if (!fits || n < least || n > most)
            fail(fmt::format("it must be a whole number from {} to {}", least, most));
        return n;
    }
    std::vector<Item> items() const {
        if (!json_->is_array()) fail("it must be a list");
        std::vector<Item> all;
        all.reserve(json_->size());
        for (const auto &item : *json_) all.emplace_back(item, where_);
        return all;
    }
    std::vector<std::int64_t> integers(std::int64_t least = 0) const {
        std::vector<std::int64_t> all;
        for (const auto &item : items()) all.push_back(item.integer(least));
        return all;
    }
    std::vector<std::string> texts() const {
        std::vector<std::string> all;
        for (const auto &item : items()) all.push_back(item.text());
        return all;
    }
    /// Names and values of an object.
    std::vector<std::pair<std::string, Item>> members() const {
        if (!json_->is_object()) fail("it must be an object");
        std::vector<std::pair<std::string, Item>> all;
        for (auto at = json_->begin(); at != json_->end(); ++at)
            all.emplace_back(at.key(), Item(at.value(), fmt::format("{}, {}", where_, at.key())));
        return all;
    }

  private:
    const Json *json_;
    std::string where_;
};

} // namespace squall::io
