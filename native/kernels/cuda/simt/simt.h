// The instructions that the kernels are written in. nvcc turns them into PTX, g++ into calls of the emulator, so that
// one source runs on the device and in the tests. Kernels contain no other assembler.
//
// Notation of the tensor-core layouts: g = lane / 4, t = lane % 4 (PTX ISA, "Matrix fragments for mma").
#pragma once

#include "kernels/cuda/number_formats.h"

#if defined(__CUDACC__)
#include "kernels/cuda/simt/simt_device.h"
#else
#include "kernels/cuda/simt/simt_emulated.h"
#endif
