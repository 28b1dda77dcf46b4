#include "kernels/cuda/testing/resource_report.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "kernels/cuda/fatbins.h"

using namespace hinm::cuda;

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("what ptxas says is read kernel by kernel") {
  const std::vector<KernelResources> found = parse_ptxas(
      "ptxas info    : Compiling entry function 'b' for 'sm_100'\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 32 registers\n"
      "ptxas info    : Compiling entry function 'b' for 'sm_80'\n    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\nptxas info    : Used 254 registers, used 1 barriers\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].machine == "sm_80");
  CHECK(found[0].registers == 254);
  CHECK(found[0].spill_bytes == 20);
  CHECK(found[0].stack_bytes == 16);
  CHECK(found[1].machine == "sm_100");
}

TEST_CASE("the resource report in the repository is that of this build, and nothing spills") {
  if (fatbins().empty()) {
    MESSAGE("no nvcc in this build: there is nothing to compare");
    return;
  }
  std::string said;
  for (const Fatbin& fatbin : fatbins()) said += read_file(std::string(HINM_FATBIN_FOLDER) + "/" + fatbin.name + ".fatbin.log");
  const std::vector<KernelResources> resources = parse_ptxas(said);
  std::set<std::string> machines;
  for (const KernelResources& entry : resources) {
    machines.insert(entry.machine);
    CAPTURE(entry.kernel);
    CAPTURE(entry.machine);
    CHECK(entry.spill_bytes == 0);
    CHECK(entry.stack_bytes == 0);
  }
  CHECK(machines == std::set<std::string>{"sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120"});
  const std::string path = std::string(HINM_NATIVE_SOURCE) + "/kernels/cuda/resource-report.txt";
  const std::string report = format_resources(resources, HINM_NVCC_VERSION);
  if (std::getenv("HINM_WRITE_RESOURCE_REPORT")) std::ofstream(path, std::ios::binary) << report;
  const std::string kept = read_file(path);
  if (kept.substr(0, kept.find('\n')) != report.substr(0, report.find('\n'))) {
    MESSAGE("the kept report is of another nvcc: registers cannot be compared");
    return;
  }
  CHECK(kept == report);
}
