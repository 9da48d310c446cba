// What is compiled for graphics processors: the kernels, and the functions that launch them, as one file.
//
// Clang takes plain functions between the two pragmas as code of both processors, and lambdas and constexpr
// functions everywhere: so kernels carry no marks of their own. What is not to be such code, the system's
// headers above all, comes before.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <cuda_runtime.h>
#include <fmt/format.h>
#include <mpi.h>
#include <omp.h>

#pragma clang force_cuda_host_device begin
#include "boundary/relaxed_rows.hpp"
#include "boundary/specified_rows.hpp"
#include "dynamics/mass_flux.hpp"
#include "dynamics/rotation.hpp"
#include "dynamics/row_flags.hpp"
#include "grid/surface_wind.hpp"
#include "dynamics/state_equation.hpp"
#include "dynamics/substep_sum.hpp"

#include "boundary/relaxed_rows.cpp"
#include "boundary/specified_rows.cpp"
#include "dynamics/acoustic.cpp"
#include "dynamics/acoustic_columns.cpp"
#include "dynamics/damping.cpp"
#include "dynamics/diffusion/closure.cpp"
#include "dynamics/diffusion/coordinate.cpp"
#include "dynamics/diffusion/deformation.cpp"
#include "dynamics/diffusion/metrics.cpp"
#include "dynamics/diffusion/scalar.cpp"
#include "dynamics/diffusion/sponge.cpp"
#include "dynamics/diffusion/stability.cpp"
#include "dynamics/diffusion/stress.cpp"
#include "dynamics/diffusion/tke.cpp"
#include "dynamics/diffusion/viscosity.cpp"
#include "dynamics/scalar_limiter.cpp"
#include "dynamics/scalar_stage.cpp"
#include "dynamics/side_lines.cpp"
#include "dynamics/sixth_order.cpp"
#include "dynamics/slow_terms.cpp"
#include "dynamics/stage_end.cpp"
#include "physics/kessler/columns.cpp"
#include "physics/kessler/reactions.cpp"
#include "physics/kessler/sedimentation.cpp"
#include "physics/moist_patch.cpp"
#include "physics/wdm/rain_fall.cpp"
#include "physics/wdm/scheme.hpp"
#include "physics/wsm3/columns.cpp"
#include "physics/wsm5/reactions.hpp"
#include "physics/wsm6/reactions.hpp"
#include "physics/wsm6/scheme.hpp"
#include "physics/wsm6/sedimentation.cpp"
#include "run/health_scan.cpp"
#include "solver/stage_kernels.cpp"
#include "solver/substeps.cpp"
#pragma clang force_cuda_host_device end

#include "boundary/lateral_chains.cpp"
#include "dynamics/active_rows.cpp"
#include "dynamics/scalar_transport.cpp"
#include "parallel/halo_copies.cpp"
#include "physics/kessler/kessler.cpp"
#include "physics/wdm/wdm.cpp"
#include "physics/wsm3/wsm3.cpp"
#include "physics/wsm5/wsm5.cpp"
#include "physics/wsm6/wsm6.cpp"
#include "run/monitor.cpp"
#include "solver/sides.cpp"
#include "solver/slow_tendencies.cpp"
#include "solver/solver.cpp"
#include "solver/stage.cpp"

#include "dynamics/diffusion/diffusion.cpp" // last: it opens a namespace
