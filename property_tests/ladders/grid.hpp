#pragma once

#include <string>
#include <vector>

#include "generators/situations.hpp"

namespace counterfoil {

/// One cell of the grid: what is found, what is asked, when, under which policy.
struct Cell {
    std::string table;   ///< what is found: nothing, in_progress, completed, unknown, tombstone
    std::string row;     ///< the request and the policy's switches
    std::string column;  ///< when
    Situation situation;
};

/// The full small grid: every state, with the same, another and an incomparable fingerprint,
/// before, at and after each instant at which something may change, under each switch of the policy
/// that the state looks at. Table by table, row by row.
std::vector<Cell> grid();

/// The grid as the tables of docs/judgement.md: in each cell the verdict and, in brackets, the
/// rule.
std::string grid_as_markdown();

}  // namespace counterfoil
