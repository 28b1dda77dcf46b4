// Faults that a test may plant: each changes how the emulated machine answers one instruction, as if the kernel had
// been written without it or with a wrong operand. The kernel sources stay as they are shipped.
#pragma once

#include <cstdint>

namespace hinm::simt {

enum class Fault : std::uint8_t {
  none,
  skip_block_barrier,        ///< __syncthreads does nothing
  divergent_barrier,         ///< the first warp leaves out its second __syncthreads
  wait_one_group_short,      ///< cp.async.wait_group waits for one group less
  drop_commit,               ///< every other cp.async.commit_group is left out
  ignore_copy_guard,         ///< cp.async copies even where the kernel asked for zeros
  swap_selector,             ///< mma.sp and wgmma.sp take the other half of the metadata lanes
  skip_proxy_fence,          ///< no fence.proxy.async between cp.async and wgmma
  skip_phase_wait,           ///< every third mbarrier wait returns at once
  wrong_parity,              ///< mbarrier waits look at the other phase
  arrive_twice,              ///< a thread arrives twice at an mbarrier
  drop_expected_bytes,       ///< mbarrier.arrive.expect_tx announces no bytes
  skip_wgmma_wait,           ///< wgmma.wait_group does nothing
  skip_wgmma_fence,          ///< wgmma.fence does nothing
  wrong_leading_offset,      ///< the descriptor's distance between 64-column blocks is doubled
  wrong_stride_offset,       ///< the descriptor's distance between 8-row groups is halved
  wrong_start,               ///< the descriptor starts one 8-row group late
  skip_named_barrier,        ///< bar.sync among the consumers does nothing
  skip_device_fence,         ///< partial sums are published without a device-wide fence
};

}  // namespace hinm::simt
