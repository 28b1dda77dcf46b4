#include "device/cuda/device_list.h"

#include "base/build_info.h"
#include "device/cuda/management_library.h"
#include "kernels/cuda/fatbins.h"

namespace hinm::cuda {
namespace {

/// sm_80 is the first with sparse tensor cores.
constexpr int kOldestCapability = 80;

std::string capability_text(int capability) { return std::to_string(capability / 10) + "." + std::to_string(capability % 10); }

Result<int> attribute(const Driver& driver, int ordinal, int which, const char* name) {
  int value = 0;
  const Status status = driver.check(driver.api().device_attribute(&value, which, ordinal), std::string("reading ") + name);
  if (!status.ok()) return status.error();
  return value;
}

Fact attribute_fact(const Driver& driver, int ordinal, int which, const char* name, double scale = 1) {
  const Result<int> value = attribute(driver, ordinal, which, name);
  return value.ok() ? Fact::known(value.value() * scale) : Fact::unknown(value.error().message);
}

Fact name_fact(const Driver& driver, int ordinal) {
  char name[256] = {};
  const Status status = driver.check(driver.api().device_name(name, sizeof name - 1, ordinal), "reading the name");
  return status.ok() ? Fact::known(std::string(name)) : Fact::unknown(status.error().message);
}

Facts driver_facts(const Driver& driver, int ordinal) {
  Facts facts{{"name", name_fact(driver, ordinal)}};
  const Result<std::string> uuid = device_uuid(driver, ordinal);
  facts.emplace_back("uuid", uuid.ok() ? Fact::known(uuid.value()) : Fact::unknown(uuid.error().message));
  const Result<DeviceLimits> limits = device_limits(driver, ordinal);
  facts.emplace_back("computeCapability", limits.ok() ? Fact::known(capability_text(limits.value().capability)) : Fact::unknown(limits.error().message));
  facts.emplace_back("memoryBytes", limits.ok() ? Fact::known(static_cast<double>(limits.value().memory_bytes)) : Fact::unknown(limits.error().message));
  facts.emplace_back("multiprocessors", attribute_fact(driver, ordinal, kAttributeMultiprocessors, "the multiprocessors"));
  facts.emplace_back("l2Bytes", attribute_fact(driver, ordinal, kAttributeL2Bytes, "the L2 size"));
  facts.emplace_back("sharedPerBlockBytes", attribute_fact(driver, ordinal, kAttributeSharedPerBlockOptIn, "the shared memory of a block"));
  facts.emplace_back("clockMhz", attribute_fact(driver, ordinal, kAttributeClockRate, "the clock", 1e-3));
  facts.emplace_back("memoryBusBits", attribute_fact(driver, ordinal, kAttributeMemoryBusWidth, "the memory bus"));
  facts.emplace_back("cudaVersion", Fact::known(driver.version_text()));
  return facts;
}

}  // namespace

Result<DeviceLimits> device_limits(const Driver& driver, int ordinal) {
  DeviceLimits limits;
  const Result<int> major = attribute(driver, ordinal, kAttributeCapabilityMajor, "the compute capability");
  const Result<int> minor = attribute(driver, ordinal, kAttributeCapabilityMinor, "the compute capability");
  const Result<int> multiprocessors = attribute(driver, ordinal, kAttributeMultiprocessors, "the multiprocessors");
  const Result<int> shared = attribute(driver, ordinal, kAttributeSharedPerBlockOptIn, "the shared memory of a block");
  const Result<int> l2 = attribute(driver, ordinal, kAttributeL2Bytes, "the L2 size");
  for (const Result<int>* each : {&major, &minor, &multiprocessors, &shared, &l2}) {
    if (!each->ok()) return each->error();
  }
  if (Status status = driver.check(driver.api().device_memory(&limits.memory_bytes, ordinal), "reading the memory size"); !status.ok()) return status.error();
  limits.capability = major.value() * 10 + minor.value();
  limits.multiprocessors = multiprocessors.value();
  limits.shared_per_block = shared.value();
  limits.l2_bytes = l2.value();
  return limits;
}

Result<std::string> device_uuid(const Driver& driver, int ordinal) {
  DeviceUuid uuid{};
  if (Status status = driver.check(driver.api().device_uuid(&uuid, ordinal), "reading the UUID"); !status.ok()) return status.error();
  static const char* digits = "0123456789abcdef";
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[uuid.bytes[i] >> 4];
    text += digits[uuid.bytes[i] & 15];
  }
  return text;
}

std::string why_unusable(const DeviceLimits& limits) {
  if (limits.capability < kOldestCapability) {
    return "This GPU has compute capability " + capability_text(limits.capability) + "; the kernels need 8.0 or later, where sparse tensor cores begin.";
  }
  return {};
}

DeviceList list_devices(const std::string& driver_library, const std::string& management_library) {
  DeviceList list;
  Result<std::shared_ptr<const Driver>> driver = Driver::open(driver_library);
  if (!driver.ok()) {
    list.driver = Fact::unknown(driver.error().message);
    return list;
  }
  list.driver = Fact::known(driver.value()->version_text());
  const Result<std::shared_ptr<const ManagementLibrary>> nvml = ManagementLibrary::open(management_library);
  for (int ordinal = 0; ordinal < driver.value()->device_count(); ++ordinal) {
    DeviceInfo device;
    device.ordinal = ordinal;
    device.facts = driver_facts(*driver.value(), ordinal);
    const Result<std::string> uuid = device_uuid(*driver.value(), ordinal);
    if (nvml.ok() && uuid.ok()) {
      for (auto& fact : nvml.value()->facts(uuid.value())) device.facts.push_back(std::move(fact));
    } else {
      device.facts.emplace_back("management", Fact::unknown(nvml.ok() ? uuid.error().message : nvml.error().message));
    }
    const Result<DeviceLimits> limits = device_limits(*driver.value(), ordinal);
    device.reason = !limits.ok() ? limits.error().message : why_unusable(limits.value());
    if (device.reason.empty() && fatbins().empty()) device.reason = "This build has no GPU kernels (" + build_info().cuda + "); build it where nvcc is installed.";
    device.usable = device.reason.empty();
    list.devices.push_back(std::move(device));
  }
  return list;
}

}  // namespace hinm::cuda
