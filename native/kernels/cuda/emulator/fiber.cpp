#include "kernels/cuda/emulator/fiber.h"

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__)
// Saves the six registers that a System V callee must keep, swaps stacks and returns on the other one. ucontext
// would also work but asks the kernel for the signal mask at each switch, which made the suites six times slower.
extern "C" void hinm_simt_switch(void** save, void* to);
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".globl hinm_simt_switch\n"
    ".hidden hinm_simt_switch\n"
    ".type hinm_simt_switch,@function\n"
    "hinm_simt_switch:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp,(%rdi)\n"
    "  movq %rsi,%rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size hinm_simt_switch,.-hinm_simt_switch\n");
#endif

namespace hinm::simt {

void prepare(Context& context, char* stack, std::size_t size, void (*entry)()) {
  context.stack_bottom = stack;
  context.stack_size = size;
  context.sanitizer_stack = nullptr;
#if defined(__x86_64__)
  const auto top = (reinterpret_cast<std::uintptr_t>(stack) + size) & ~std::uintptr_t{15};
  void** slot = reinterpret_cast<void**>(top);
  *--slot = nullptr;  // the return address of `entry`: it never returns
  *--slot = reinterpret_cast<void*>(entry);
  for (int saved = 0; saved < 6; ++saved) *--slot = nullptr;
  context.stack_pointer = slot;
#else
  getcontext(&context.state);
  context.state.uc_stack.ss_sp = stack;
  context.state.uc_stack.ss_size = size;
  context.state.uc_link = nullptr;
  makecontext(&context.state, entry, 0);
#endif
}

void switch_context(Context& from, Context& to, [[maybe_unused]] bool ending) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(ending ? nullptr : &from.sanitizer_stack, to.stack_bottom, to.stack_size);
#endif
#if defined(__x86_64__)
  hinm_simt_switch(&from.stack_pointer, to.stack_pointer);
#else
  swapcontext(&from.state, &to.state);
#endif
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(from.sanitizer_stack, nullptr, nullptr);
#endif
}

void entered([[maybe_unused]] Context& starter) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &starter.stack_bottom, &starter.stack_size);
#endif
}

}  // namespace hinm::simt
