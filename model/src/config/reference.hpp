/// The reference page of run files.
#pragma once

#include <string>

namespace squall {

/// Markdown: every table and key, what it takes, its default and its meaning, and the parameters
/// of the built-in cases. docs/reference/run-file.md is this text.
std::string run_file_reference();

/// The same for programs, JSON: {"tables": [{"name", "meaning", "keys": [...]}], "cases": [{"name",
/// "title", "keys"}], "fuels": [...]}, those as fire::Fuel. A key has "name", "takes", "meaning", "required"
/// ("always", "with a case" or "no"), "unit" (of a quantity, else ""), "choices", and where it has a default
/// either "default", as a run file would write it, or "default_text", in words. [output.<stream>] and
/// [tracer.<name>] stand under these names.
std::string run_file_schema();

} // namespace squall
