// Which instruction sets this processor and operating system may run.
#pragma once

namespace hinm::device {

struct CpuFeatures {
  bool avx2 = false;    ///< x86-64-v3 with AES and PCLMUL: what `_avx2.cpp` files are compiled for
  bool avx512 = false;  ///< x86-64-v4 with AES and PCLMUL: what `_avx512.cpp` files are compiled for
  bool neon = false;    ///< 64-bit ARM
};

/// Asked once; the operating system's support for the wide registers is part of the answer.
const CpuFeatures& cpu_features();

}  // namespace hinm::device
