#include "base/build_info.h"

namespace hinm {

BuildInfo build_info() { return {HINM_BUILD_TYPE, HINM_COMPILER, HINM_FLAGS, HINM_CUDA_STATE}; }

}  // namespace hinm
