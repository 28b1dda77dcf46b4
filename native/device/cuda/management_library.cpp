#include "device/cuda/management_library.h"

#include <cstdlib>
#include <vector>

namespace hinm::cuda {
namespace {

/// nvmlClocksEventReason bits, in NVIDIA's wording.
struct Throttle {
  unsigned long long bit;
  const char* words;
};
constexpr Throttle kThrottles[] = {
    {0x1, "idle"},
    {0x2, "application clocks"},
    {0x4, "power cap"},
    {0x8, "hardware slowdown"},
    {0x10, "sync boost"},
    {0x20, "software thermal slowdown"},
    {0x40, "hardware thermal slowdown"},
    {0x80, "hardware power brake"},
    {0x100, "display clocks"},
};

constexpr unsigned kSmClock = 1;
constexpr unsigned kMemoryClock = 2;
constexpr unsigned kGpuTemperature = 0;

}  // namespace

Result<std::shared_ptr<const ManagementLibrary>> ManagementLibrary::open(const std::string& asked) {
  std::vector<std::string> names;
  const char* environment = std::getenv("HINM_NVML");
  if (!asked.empty()) {
    names = {asked};
  } else if (environment && *environment) {
    names = {environment};
  } else {
#if defined(_WIN32)
    names = {"nvml.dll"};
#else
    names = {"libnvidia-ml.so.1", "libnvidia-ml.so"};
#endif
  }
  Result<device::SharedLibrary> library = device::SharedLibrary::open(names);
  if (!library.ok()) return Error{"DEVICE_UNAVAILABLE", "NVIDIA's management library: " + library.error().message + "."};
  std::shared_ptr<ManagementLibrary> nvml(new ManagementLibrary(std::move(library).value()));
  const auto init = reinterpret_cast<int (*)()>(nvml->library_.symbol("nvmlInit_v2"));
  if (!init) return Error{"DEVICE_UNAVAILABLE", "NVIDIA's management library is too old: it has no nvmlInit_v2."};
  if (const int status = init(); status != 0) return Error{"DEVICE_UNAVAILABLE", "NVIDIA's management library did not start: " + nvml->words(status) + "."};
  return std::shared_ptr<const ManagementLibrary>(std::move(nvml));
}

std::string ManagementLibrary::words(int status) const {
  const auto text = reinterpret_cast<const char* (*)(int)>(library_.symbol("nvmlErrorString"));
  return text ? std::string(text(status)) : "NVML error " + std::to_string(status);
}

template <class Call>
Fact ManagementLibrary::read(const std::string& uuid, const char* function, Call call) const {
  const auto find = reinterpret_cast<int (*)(const char*, Handle*)>(library_.symbol("nvmlDeviceGetHandleByUUID"));
  void* symbol = library_.symbol(function);
  if (!find || !symbol) return Fact::unknown(std::string("the management library has no ") + (find ? function : "nvmlDeviceGetHandleByUUID"));
  Handle handle = nullptr;
  if (const int status = find(uuid.c_str(), &handle); status != 0) return Fact::unknown(words(status));
  return call(symbol, handle);
}

Fact ManagementLibrary::number(const std::string& uuid, const char* function, double scale) const {
  return read(uuid, function, [&](void* symbol, Handle handle) {
    unsigned value = 0;
    const int status = reinterpret_cast<int (*)(Handle, unsigned*)>(symbol)(handle, &value);
    return status == 0 ? Fact::known(value * scale) : Fact::unknown(words(status));
  });
}

Fact ManagementLibrary::clock(const std::string& uuid, const char* function, unsigned domain) const {
  return read(uuid, function, [&](void* symbol, Handle handle) {
    unsigned value = 0;
    const int status = reinterpret_cast<int (*)(Handle, unsigned, unsigned*)>(symbol)(handle, domain, &value);
    return status == 0 ? Fact::known(static_cast<double>(value)) : Fact::unknown(words(status));
  });
}

Fact ManagementLibrary::temperature(const std::string& uuid) const { return clock(uuid, "nvmlDeviceGetTemperature", kGpuTemperature); }

Fact ManagementLibrary::energy(const std::string& uuid) const {
  return read(uuid, "nvmlDeviceGetTotalEnergyConsumption", [&](void* symbol, Handle handle) {
    unsigned long long millijoules = 0;
    const int status = reinterpret_cast<int (*)(Handle, unsigned long long*)>(symbol)(handle, &millijoules);
    return status == 0 ? Fact::known(static_cast<double>(millijoules) / 1000) : Fact::unknown(words(status));
  });
}

Fact ManagementLibrary::throttle(const std::string& uuid) const {
  // Newer libraries call the same thing event reasons.
  const char* newer = "nvmlDeviceGetCurrentClocksEventReasons";
  const char* function = library_.symbol(newer) ? newer : "nvmlDeviceGetCurrentClocksThrottleReasons";
  return read(uuid, function, [&](void* symbol, Handle handle) {
    unsigned long long bits = 0;
    const int status = reinterpret_cast<int (*)(Handle, unsigned long long*)>(symbol)(handle, &bits);
    if (status != 0) return Fact::unknown(words(status));
    std::string reasons;
    for (const Throttle& throttle : kThrottles) {
      if ((bits & throttle.bit) != 0) reasons += (reasons.empty() ? "" : ", ") + std::string(throttle.words);
    }
    return Fact::known(reasons.empty() ? std::string("none") : reasons);
  });
}

Fact ManagementLibrary::mode(const std::string& uuid, const char* function) const {
  return read(uuid, function, [&](void* symbol, Handle handle) {
    int enabled = 0;
    const int status = reinterpret_cast<int (*)(Handle, int*)>(symbol)(handle, &enabled);
    return status == 0 ? Fact::known(enabled != 0) : Fact::unknown(words(status));
  });
}

Fact ManagementLibrary::pair_mode(const std::string& uuid, const char* function) const {
  return read(uuid, function, [&](void* symbol, Handle handle) {
    int current = 0, pending = 0;
    const int status = reinterpret_cast<int (*)(Handle, int*, int*)>(symbol)(handle, &current, &pending);
    return status == 0 ? Fact::known(current != 0) : Fact::unknown(words(status));
  });
}

Fact ManagementLibrary::driver_version() const {
  const auto get = reinterpret_cast<int (*)(char*, unsigned)>(library_.symbol("nvmlSystemGetDriverVersion"));
  if (!get) return Fact::unknown("the management library has no nvmlSystemGetDriverVersion");
  char text[96] = {};
  const int status = get(text, sizeof text - 1);
  return status == 0 ? Fact::known(std::string(text)) : Fact::unknown(words(status));
}

Facts ManagementLibrary::facts(const std::string& uuid) const {
  return {
      {"driverVersion", driver_version()},
      {"ecc", pair_mode(uuid, "nvmlDeviceGetEccMode")},
      {"mig", pair_mode(uuid, "nvmlDeviceGetMigMode")},
      {"persistence", mode(uuid, "nvmlDeviceGetPersistenceMode")},
      {"powerLimitWatts", number(uuid, "nvmlDeviceGetPowerManagementLimit", 1e-3)},
      {"powerLimitDefaultWatts", number(uuid, "nvmlDeviceGetPowerManagementDefaultLimit", 1e-3)},
      {"smClockMaxMhz", clock(uuid, "nvmlDeviceGetMaxClockInfo", kSmClock)},
      {"memoryClockMaxMhz", clock(uuid, "nvmlDeviceGetMaxClockInfo", kMemoryClock)},
  };
}

DeviceMoment ManagementLibrary::moment(const std::string& uuid) const {
  DeviceMoment now;
  now.sm_clock = clock(uuid, "nvmlDeviceGetClockInfo", kSmClock);
  now.memory_clock = clock(uuid, "nvmlDeviceGetClockInfo", kMemoryClock);
  now.temperature = temperature(uuid);
  now.power = number(uuid, "nvmlDeviceGetPowerUsage", 1e-3);
  now.energy = energy(uuid);
  now.throttle_reasons = throttle(uuid);
  return now;
}

}  // namespace hinm::cuda
