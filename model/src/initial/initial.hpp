/// Initial states: built-in cases and wrfinput files.
///
/// Adding a case is one file in initial/cases and one line in its registry.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <mpi.h>

#include "grid/grid.hpp"
#include "grid/ground.hpp"
#include "grid/large_scale_forcing.hpp"
#include "grid/physics_state.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "initial/base_rule.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// A patch's grid and state. Only owned points need be set (at a domain edge the last face u(nx)
/// or v(ny) too); the caller fills halos of `state` and of the 2-D and 3-D arrays of `grid`.
struct InitialState {
    Grid grid;
    State state;
    ScalarSet scalars;         ///< what state.scalars are
    PhysicsState physics;      ///< zero where a run begins
    Ground ground;             ///< what boundary layers lie on
    LargeScaleForcing forcing; ///< of a flow too wide for the domain
    BaseRule base_rule;        ///< how the grid's base state is made of its mub and phb
};

/// One parameter of a built-in case: its key in [initial], unit (as in run files, "" where it
/// has none), default in SI units, and what it is.
struct CaseParameter {
    std::string key, unit;
    double value;
    std::string meaning;
};

/// A built-in case.
struct Case {
    std::string name;  ///< as in initial.case
    std::string title; ///< one line, with its source
    std::vector<CaseParameter> parameters;
    std::function<InitialState(const Config &, const Patch &)> make;
};

/// All built-in cases, by name.
const std::map<std::string, Case> &cases();

/// Whether the configuration's built-in case has a parameter of this name; false for an initial file.
bool has_parameter(const Config &config, const std::string &key);

/// What the driver must know of a wrfinput file before it can lay out the run.
struct WrfInputInfo {
    int nx = 0, ny = 0, nz = 0;
    double dx = 0, dy = 0;
    std::string start; ///< ISO 8601
    bool hybrid = false;
    bool ideal = false; ///< written by ideal.exe: it comes without a boundary file
    bool has_w = false;
    /// What PHB was made with, see DynamicsConfig; 0: the file lacks what would tell.
    int hypsometric = 0;
};

/// Reads the header. Throws std::runtime_error: the file, and what is wrong or missing.
WrfInputInfo inspect_wrfinput(const std::string &file);

/// Reads this patch's part of a wrfinput file. Every rank reads its own box.
InitialState read_wrfinput(const Config &config, const Patch &patch);

/// The initial state that the configuration asks for.
InitialState make_initial_state(const Config &config, const Patch &patch);

/// Sets w on owned points from the flow over the terrain: the kinematic condition at the surface,
/// decaying with eta squared above it. What WRF starts from, unless it is told to take its input's
/// (dyn_em/start_em). Call it once the halos of terrain, u and v are filled; w's halo is stale then.
void set_initial_w(InitialState &initial);

/// Whether the run asks for the w that the state was made with, and that is there: WRF takes what is nowhere
/// above 1e-6 m/s for none. Collective over the domain's ranks; null: it is all here.
bool keeps_given_w(const InitialConfig &config, const InitialState &initial, MPI_Comm comm);

} // namespace squall
