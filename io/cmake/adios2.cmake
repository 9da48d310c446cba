# The site's own ADIOS2 if CMake finds one, else the one that tools/adios2 has built. What it has is in the
# lines of adios2_config: `define ADIOS2_HAVE_SST` and the like.
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/adios2 --prefix
                OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
find_package(adios2 2.10 CONFIG QUIET COMPONENTS CXX MPI HINTS ${prefix})
if(adios2_FOUND)
  get_target_property(headers adios2::cxx INTERFACE_INCLUDE_DIRECTORIES)
  file(STRINGS ${headers}/adios2/common/ADIOSConfig.h adios2_config REGEX "define ADIOS2_HAVE_")
endif()
