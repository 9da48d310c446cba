/// A document in JSON that somebody else may have written: read with bounds, and asked for values of the
/// right kind. What is not as it should be is an Error that names the place in the document.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "squall/io.hpp"

namespace squall::io {

/// Lists and objects in each other, and names in one object, at most.
constexpr int deepest_document = 64, widest_object = 1 << 14;

/// The text of a file of at most `most` bytes. Throws Error.
std::string text_of(const std::string &file, std::size_t most = std::size_t(256) << 20);

/// Parses a text; `what` it is, for messages. Throws Error.
template <class Json> Json parse_document(std::string_view text, const std::string &what) {
    std::vector<int> names;
    const auto bound = [&](int depth, typename Json::parse_event_t event, const Json &) {
        using Event = typename Json::parse_event_t;
        if (event == Event::object_start || event == Event::array_start) {
            if (depth >= deepest_document)
                throw Error(fmt::format("{} is nested more than {} levels deep; it is damaged, restore it",
                                        what, deepest_document));
            names.resize(static_cast<std::size_t>(depth) + 1);
            names.back() = 0;
        }
        // Objects that keep their order are searched from one end to the other for each name.
        if (event == Event::key && ++names.at(static_cast<std::size_t>(depth) - 1) > widest_object)
            throw Error(fmt::format("{} has an object of more than {} names; it is damaged, restore it", what,
                                    widest_object));
        return true;
    };
    try {
        return Json::parse(text, bound);
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
