/// Budgets of dry air and water: what crosses the sides of domains, and what two-way nesting does not
/// conserve.
///
/// Over an interval, an hour of model time if nothing ends before,
///   change = in - out + rim + nests + rest.
/// The sides lie inside the specified rows (dynamics/side_fluxes.hpp). Rim: what the rows outside of them
/// were given, and for water what relaxation brings to those inside. Nests: what the parent's cells got when
/// they took the nest's means, whose mass is not what the parent's own fluxes had brought there: the only
/// term of dry air that no flux accounts for. Rest: of dry air rounding, of water what ground and physics
/// give and take (evaporation less precipitation), and mixing. Sums are the same bits on any ranks.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

#include "dynamics/account.hpp"

namespace squall {

/// Of one kind of mass [kg].
struct MassBudget {
    double mass = 0; ///< at the end
    double change = 0, in = 0, out = 0, rim = 0, nests = 0, rest = 0;
    MassBudget &operator+=(const MassBudget &next); ///< of the interval that follows
};

struct Budget {
    int domain = 1;
    std::string name;        ///< of a nest; empty: the outermost domain
    double from = 0, to = 0; ///< [s since run.start]
    double area = 0;         ///< [m2]
    MassBudget dry, water;
    Budget &operator+=(const Budget &next);
};

/// Adds up the accounts of all ranks. Collective.
void add_up(MPI_Comm comm, std::vector<Account> &accounts);

/// What an account says, added up and closed at a time; domain and name are left alone.
Budget budget_of(const Account &account, double seconds);

/// A table of mean values over the domains' areas, dry air in Pa and water in kg m-2.
std::string format_budgets(const std::vector<Budget> &budgets);

/// Budgets of a run as they come: the last of each domain, and since the run began.
class BudgetBook {
  public:
    void add(const std::vector<Budget> &budgets);
    const std::vector<Budget> &total() const {
        return total_;
    } ///< by domain, in the order in which they came

  private:
    std::vector<Budget> total_;
};

} // namespace squall
