"""The programs and libraries of Squall, of the archive of a release in dist/, or of the checkout (@main)."""

from pathlib import Path

from spack.package import *


class Squall(CMakePackage):
    """A limited-area weather model (the ARW equations) and its output runtime, squall_io.

    Installs squall-model, squall-io and the libraries. The command `squall` is Python: with these programs
    on PATH, `pip install ".[all]"` in the checkout adds it.
    """

    git = Path(__file__).resolve().parents[4].as_uri()
    license("Apache-2.0")
    version("main", branch="main")
    version("0.1.0", sha256="3b5e5192d2c20fc0e2fe1ed3e53b0c3576851c4caf4e9d5832e7a64c3283a37e")

    variant("double", default=False, description="Compute in double precision")
    variant("pnetcdf", default=True, description="Engine pnetcdf")
    variant("parallel_netcdf", default=True, description="Engine netcdf-parallel")
    variant("adios2", default=False, description="Engine adios")
    variant("fortran", default=True, description="Fortran module squall_io")
    variant("simgrid", default=False, description="squall-planner simulates messages and disks")

    # >>> needs: spack
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("netcdf-c+mpi", when="+parallel_netcdf")
    depends_on("netcdf-c~mpi", when="~parallel_netcdf")
    depends_on("zstd")
    depends_on("nlohmann-json")
    depends_on("tomlplusplus", type="build")
    depends_on("cli11", type="build")
    depends_on("spdlog")
    depends_on("fmt")
    depends_on("googletest", type="test")
    depends_on("c-blosc")
    depends_on("parallel-netcdf", when="+pnetcdf")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("simgrid", when="+simgrid")
    depends_on("adios2+mpi+blosc2~hdf5", when="+adios2")
    conflicts("%gcc@:10", msg="Squall is C++20: GCC 11 or later")
    conflicts("%clang@:13", msg="Squall is C++20: Clang 14 or later")
    # <<< needs

    generator("ninja")

    def url_for_version(self, version):
        return f"{self.git}/dist/squall-{version}.tar.gz"

    def cmake_args(self):
        return [
            self.define_from_variant("SQUALL_DOUBLE", "double"),
            self.define("SQUALL_NATIVE", False),  # Spack says for which processor
            self.define("SQUALL_TESTS", self.run_tests and self.spec.satisfies("@main")),  # archives have none
        ]
