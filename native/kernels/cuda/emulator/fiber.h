// A fiber: one CUDA thread of the emulator, with its own stack, switched by hand.
#pragma once

#include <cstddef>
#include <memory>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace hinm::simt {

/// A place where execution can be left and taken up again.
struct Context {
#if defined(__x86_64__)
  void* stack_pointer = nullptr;
#else
  ucontext_t state;
#endif
  void* sanitizer_stack = nullptr;       ///< the address sanitizer's own record of the stack
  const void* stack_bottom = nullptr;    ///< as the address sanitizer asks for it
  std::size_t stack_size = 0;
};

/// Prepares `context` to run `entry` on the stack; `entry` must never return.
void prepare(Context& context, char* stack, std::size_t size, void (*entry)());

/// Leaves `from` and goes on in `to`. `ending` says that `from` will never be taken up again.
void switch_context(Context& from, Context& to, bool ending = false);

/// To be called first in every entry function; `starter` is the context that switched to it.
void entered(Context& starter);

}  // namespace hinm::simt
