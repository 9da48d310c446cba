/// What the user says of WRF's output beside the namelist: squall_io.toml.
#pragma once

#include <map>
#include <string>

#include <mpi.h>

#include "squall/io.hpp"

namespace squall::wrf {

inline constexpr const char *settings_file = "squall_io.toml";

class Settings {
  public:
    /// Of the text of the file; "" says nothing. Throws io::Error with the line for an unknown key or a wrong
    /// value.
    explicit Settings(const std::string &text = "");

    const io::SessionSpec &session() const { return session_; }
    /// Whether ranks are set aside to write.
    bool servers() const { return session_.servers > 0 || session_.servers_per_node > 0; }

    /// Sets what is said of a kind of files: WRF's data set in lower case, history, restart, auxhist1, ...
    void apply(const std::string &kind, io::StreamSpec &spec) const;
    /// Where files of this kind go; empty: where WRF says.
    std::string directory(const std::string &kind) const;

  private:
    struct Stream {
        std::map<std::string, std::string> keys, options;
        std::string directory;
    };
    io::SessionSpec session_;
    std::map<std::string, Stream> streams_;
};

/// Those of this run, from the file in the working directory. The first call is collective over `comm`.
const Settings &settings(MPI_Comm comm);

} // namespace squall::wrf
