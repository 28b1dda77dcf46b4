#include "kernels/cuda/testing/resource_report.h"

#include <algorithm>
#include <cstdio>
#include <regex>
#include <sstream>

#include "kernels/cuda/product/gather_probe.h"
#include "kernels/cuda/product/variants.h"

namespace hinm::cuda {
namespace {

/// Shared memory of a block of the kernels that are no products.
int probe_shared_bytes(const std::string& kernel) {
  if (kernel == "hinm_gather_256") return GatherProbe<256>::kSharedBytes;
  return kernel == "hinm_gather_512" ? GatherProbe<512>::kSharedBytes : 0;
}

}  // namespace

std::vector<KernelResources> parse_ptxas(const std::string& text) {
  static const std::regex compiling("Compiling entry function '(\\w+)' for '(\\w+)'");
  static const std::regex stack("(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
  static const std::regex used("Used (\\d+) registers");
  std::vector<KernelResources> found;
  std::istringstream lines(text);
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, match, compiling)) {
      KernelResources entry;
      entry.kernel = match[1];
      entry.machine = match[2];
      found.push_back(entry);
    } else if (!found.empty() && std::regex_search(line, match, stack)) {
      found.back().stack_bytes = std::stoi(match[1]);
      found.back().spill_bytes = std::stoi(match[2]) + std::stoi(match[3]);
    } else if (!found.empty() && std::regex_search(line, match, used)) {
      found.back().registers = std::stoi(match[1]);
    }
  }
  // "sm_80" comes before "sm_100".
  const auto order = [](const KernelResources& entry) { return std::make_pair(entry.kernel, std::make_pair(std::stoi(entry.machine.substr(3)), entry.machine)); };
  std::sort(found.begin(), found.end(), [&](const KernelResources& a, const KernelResources& b) { return order(a) < order(b); });
  return found;
}

std::string format_resources(const std::vector<KernelResources>& resources, const std::string& nvcc_version) {
  std::string text =
      "# nvcc " + nvcc_version +
      "\n# What ptxas gave each kernel. Made by: HINM_WRITE_RESOURCE_REPORT=1 native/build/kernels_test -tc='*resource report*'\n"
      "# kernel                                machine  registers  stack B  spilled B  threads  shared B\n";
  for (const KernelResources& entry : resources) {
    const auto variant = std::find_if(variants().begin(), variants().end(), [&](const Variant& each) { return each.kernel == entry.kernel; });
    const int threads = variant != variants().end() ? variant->threads : 128;
    const int shared = variant != variants().end() ? variant->shared_bytes : probe_shared_bytes(entry.kernel);
    char line[160];
    std::snprintf(line, sizeof line, "%-40s %-8s %8d %8d %10d %8d %9d\n", entry.kernel.c_str(), entry.machine.c_str(), entry.registers, entry.stack_bytes,
                  entry.spill_bytes, threads, shared);
    text += line;
  }
  return text;
}

}  // namespace hinm::cuda
