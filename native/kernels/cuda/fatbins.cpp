#include "kernels/cuda/fatbins.h"

#if defined(HINM_FATBINS)
extern const unsigned char hinm_fatbin_mma_bf16[], hinm_fatbin_mma_f16[], hinm_fatbin_warpgroup[], hinm_fatbin_checks[];
extern const std::size_t hinm_fatbin_mma_bf16_size, hinm_fatbin_mma_f16_size, hinm_fatbin_warpgroup_size, hinm_fatbin_checks_size;
#endif

namespace hinm::cuda {

const std::vector<Fatbin>& fatbins() {
  static const std::vector<Fatbin> all{
#if defined(HINM_FATBINS)
      {"mma_bf16", hinm_fatbin_mma_bf16, hinm_fatbin_mma_bf16_size, false},
      {"mma_f16", hinm_fatbin_mma_f16, hinm_fatbin_mma_f16_size, false},
      {"warpgroup", hinm_fatbin_warpgroup, hinm_fatbin_warpgroup_size, true},
      {"checks", hinm_fatbin_checks, hinm_fatbin_checks_size, false},
#endif
  };
  return all;
}

}  // namespace hinm::cuda
