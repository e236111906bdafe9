#pragma once
// One question a state, tried in the order of model::kStates; the first that holds is the verdict. Each is pure.

#include "detect/case.h"

namespace tidemark::detect::states {

bool is_unknown(const CursorCase& c);
bool is_rewound(const CursorCase& c);
bool is_delayed(const CursorCase& c);
bool is_abandoned(const CursorCase& c);
bool is_idle(const CursorCase& c);
bool is_unused(const CursorCase& c);
bool is_unacked_blocked(const CursorCase& c);
bool is_ack_hole(const CursorCase& c);
bool is_stalled(const CursorCase& c);
bool is_lagging(const CursorCase& c);

// Whether those whom the broker sends to ask for more. Standbys of a Failover subscription hold permits for the day
// when they are needed.
bool somebody_asks(const model::CursorView& cursor);

}  // namespace tidemark::detect::states
