/// The keys of a run file, each described once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/schema.hpp"
#include "runfile/settings.hpp"

namespace squall::transport {

/// As squall::Key, of these settings.
struct TransportKey {
    std::string name;
    std::function<Slot(Settings &)> slot; ///< of a tracer, its releases or a stream: of the last of its list
    std::string meaning;
    Rule rule{};
    Presence presence = Presence::optional;
    std::string default_text{};
};

struct TransportTable {
    std::string name, meaning;
    std::vector<TransportKey> keys;
};

/// All tables but the next four.
const std::vector<TransportTable> &tables();
const TransportTable &tracer_keys();  ///< [tracer.<name>]
const TransportTable &release_keys(); ///< [tracer.<name>.release.<name>]
const TransportTable &field_keys();   ///< [field.<name>]
const TransportTable &stream_keys();  ///< [output.<stream>]: those of squall-model's that this program has

/// Markdown: all tables and keys. docs/reference/transport-run-file.md is this text.
std::string key_reference();

} // namespace squall::transport
