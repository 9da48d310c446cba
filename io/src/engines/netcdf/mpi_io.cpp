#include "engines/netcdf/mpi_io.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

#include <linux/magic.h>
#include <mpi.h>
#include <sys/vfs.h>

namespace squall::io::netcdf {
namespace {

#ifdef OPEN_MPI // whose header says so; others lack what follows, and have no ompio

/// Of a control variable of MPI's, which must be a number; 0 if it cannot be read.
int value_of(int variable) {
    MPI_T_cvar_handle handle;
    int count = 0, value = 0;
    if (MPI_T_cvar_handle_alloc(variable, nullptr, &handle, &count) != MPI_SUCCESS) return 0;
    if (count == 1) MPI_T_cvar_read(handle, &value);
    MPI_T_cvar_handle_free(&handle);
    return value;
}

/// Whether of what Open MPI has opened for files ompio comes first: each has a variable with its priority.
bool ompio_comes_first() {
    int level = 0, variables = 0;
    if (MPI_T_init_thread(MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS) return false;
    std::optional<int> ompio, romio;
    MPI_T_cvar_get_num(&variables);
    for (int v = 0; v < variables; ++v) {
        char text[128] = "";
        int length = sizeof text, level_of_detail = 0, binding = 0, scope = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum words;
        if (MPI_T_cvar_get_info(v, text, &length, &level_of_detail, &type, &words, nullptr, nullptr, &binding,
                                &scope) != MPI_SUCCESS ||
            type != MPI_INT)
            continue;
        const std::string_view name(text);
        if (name == "io_ompio_priority")
            ompio = value_of(v);
        else if (name.starts_with("io_romio") && name.ends_with("_priority") &&
                 !name.ends_with("_delete_priority"))
            romio = value_of(v);
    }
    MPI_T_finalize();
    return ompio && (!romio || *ompio >= *romio);
}

/// Of this process. With the first file that is opened, whichever, Open MPI looks what it has for files.
bool is_ompio() {
    static const bool ompio = [] {
        MPI_File file = MPI_FILE_NULL;
        if (MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
            MPI_File_close(&file);
        return ompio_comes_first();
    }();
    return ompio;
}

#else

bool is_ompio() { return false; }

#endif

} // namespace

OptionInfo ompio_option() {
    return {"ompio",
            OptionInfo::Kind::word,
            "refuse",
            "",
            "Open MPI's own MPI-IO, which does not report all errors when several ranks write",
            {"refuse", "accept"}};
}

void require_errors_reported(const Layout &layout) {
    if (layout.option("ompio", "refuse") == "refuse" && is_ompio())
        throw Error("Open MPI would write it with its own MPI-IO (ompio), which does not report all errors "
                    "when several ranks write together, so that an incomplete frame could be published; make "
                    "it use ROMIO (export OMPI_MCA_io=^ompio, or mpirun --mca io ^ompio), or set the "
                    "stream's option ompio = \"accept\"");
}

std::string name_for_mpi(const std::string &path) {
    if (path.find(':') == path.npos || is_ompio()) return path;
    struct statfs system {};
    const auto directory = std::filesystem::path(path).parent_path();
    const bool nfs = ::statfs(directory.empty() ? "." : directory.c_str(), &system) == 0 &&
                     system.f_type == NFS_SUPER_MAGIC;
    return (nfs ? "nfs:" : "ufs:") + path;
}

} // namespace squall::io::netcdf
