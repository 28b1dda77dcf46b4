// How a long computation hears of a cancel and tells of its progress.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace hinm {

/// Handed to every long native function. Check `stop_requested()` at least every 50 ms of work, so that a
/// cancel is obeyed within 200 ms; call `report()` as often as convenient (the receiver coalesces).
class JobControl {
 public:
  using Report = std::function<void(double done, double total)>;

  JobControl() = default;
  explicit JobControl(std::int32_t* stop_flag, Report report = {}) : stop_flag_(stop_flag), report_(std::move(report)) {}

  bool stop_requested() const {
    return stop_flag_ != nullptr && std::atomic_ref<std::int32_t>(*stop_flag_).load(std::memory_order_relaxed) != 0;
  }
  void report(double done, double total) const {
    if (report_) report_(done, total);
  }

 private:
  std::int32_t* stop_flag_ = nullptr;
  Report report_;
};

}  // namespace hinm
