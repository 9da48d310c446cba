/// Contact files: where a network stream can be joined. The text is ADIOS2's, so that any program that uses
/// its engine SST can join.
#pragma once

#include <string>

namespace squall::io::sst {

/// What they end in; ADIOS2 adds it to the name that it is given.
inline const std::string ending = ".sst";

/// Whether a text is that of a contact file.
bool is_contact(const std::string &text);
/// The text of a contact file, "" if there is none at `path`.
std::string contact_at(const std::string &path);
/// Puts a contact file in place, all at once. Throws Error.
void put_contact(const std::string &path, const std::string &text);
/// Removes it unless it is somebody else's by now.
void remove_contact(const std::string &path, const std::string &text);

/// The contact file that `where` means: one of that name, or the only one in a directory; "" if there is none
/// (yet). Throws Error if there are several.
std::string contact_file(const std::string &where);

} // namespace squall::io::sst
