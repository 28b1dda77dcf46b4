// The input side of gyro-permutation (HiNM, arXiv 2407.20496, section 4): which packed columns share a group of m.
#pragma once

#include "permutation/search_context.h"

namespace hinm {

/// Failed tries that end a tile in the searches that work to a budget; gyro itself takes 1 (published) or 3.
constexpr int long_patience = 40;

/// Reorders the kept columns of every tile on the n:m objective: one column of each group is drawn, the P×P assignment
/// of drawn columns to groups is solved, and accepted when more is kept. A tile ends after `patience` failed tries in
/// a row. Tiles share the remaining budget evenly. Never worsens what `arrangement` keeps.
void gyro_input(SearchContext& context, int patience, Arrangement& arrangement);

/// RIA's linear-sum assignment (ICLR 2024): the same assignment for slot 0, 1, … m − 1 of all groups in turn, one pass.
void assign_slots_in_turn(SearchContext& context, Arrangement& arrangement);

}  // namespace hinm
