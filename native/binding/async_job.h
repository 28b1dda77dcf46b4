// One long native computation as a promise: runs on a worker thread, reports progress, hears of a cancel.
#pragma once

#include <napi.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/job_control.h"
#include "base/result.h"

namespace hinm::binding {

/// A JavaScript Error with a `code`, made from a native Error.
inline Napi::Error to_js_error(Napi::Env env, const Error& error) {
  Napi::Error js_error = Napi::Error::New(env, error.message);
  js_error.Set("code", Napi::String::New(env, error.code));
  return js_error;
}

// The last argument of every asynchronous binding: `{ cancel?: Int32Array(1), progress?: (done, total) => void }`.
// JavaScript cancels by storing 1 in `cancel[0]`; the memory of the flag is shared with the worker thread.

/// Runs `work` off the main thread and resolves a promise with what `convert` makes of its value. `keep` holds
/// the typed arrays that `work` reads, so that they outlive it. Exceptions of the standard library (out of
/// memory) become a rejected promise; nothing is thrown across the boundary.
template <class T>
class AsyncJob : public Napi::AsyncWorker {
 public:
  using Work = std::function<Result<T>(const JobControl&)>;
  using Convert = std::function<Napi::Value(Napi::Env, T&)>;

  static Napi::Value start(Napi::Env env, const Napi::Value& options, std::vector<Napi::Value> keep, Work work, Convert convert) {
    auto* job = new AsyncJob(env, std::move(work), std::move(convert));
    for (const Napi::Value& value : keep) job->kept_.push_back(Napi::Persistent(value.As<Napi::Object>()));
    if (options.IsObject()) job->read_options(options.As<Napi::Object>());
    const Napi::Promise promise = job->deferred_.Promise();
    job->Queue();
    return promise;
  }

 protected:
  void Execute() override {
    try {
      const JobControl control(stop_flag_, [this](double done, double total) { report(done, total); });
      result_ = std::make_unique<Result<T>>(work_(control));
    } catch (const std::bad_alloc&) {
      result_ = std::make_unique<Result<T>>(Error{"OUT_OF_MEMORY", "There is not enough memory for this operation; close other programs or choose a smaller layer."});
    } catch (const std::exception& exception) {
      result_ = std::make_unique<Result<T>>(Error{"INTERNAL", std::string("The native module failed: ") + exception.what() + "."});
    }
  }

  void OnOK() override {
    const Napi::HandleScope scope(Env());
    release();
    if (!result_->ok()) {
      deferred_.Reject(to_js_error(Env(), result_->error()).Value());
      return;
    }
    deferred_.Resolve(convert_(Env(), result_->value()));
  }

 private:
  AsyncJob(Napi::Env env, Work work, Convert convert)
      : Napi::AsyncWorker(env), deferred_(Napi::Promise::Deferred::New(env)), work_(std::move(work)), convert_(std::move(convert)) {}

  void read_options(const Napi::Object& options) {
    const Napi::Value cancel = options.Get("cancel");
    if (cancel.IsTypedArray()) {
      cancel_ = Napi::Persistent(cancel.As<Napi::Object>());
      stop_flag_ = cancel.As<Napi::Int32Array>().Data();
    }
    const Napi::Value progress = options.Get("progress");
    if (progress.IsFunction()) {
      progress_ = Napi::ThreadSafeFunction::New(Env(), progress.As<Napi::Function>(), "hinm progress", 0, 1);
      has_progress_ = true;
    }
  }

  // Called from worker threads of the computation; at most one message every 33 ms crosses to JavaScript.
  void report(double done, double total) {
    if (!has_progress_) return;
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    auto last = last_report_.load(std::memory_order_relaxed);
    if (now - last < 33'000'000 || !last_report_.compare_exchange_strong(last, now)) return;
    progress_.NonBlockingCall([done, total](Napi::Env env, Napi::Function callback) {
      callback.Call({Napi::Number::New(env, done), Napi::Number::New(env, total)});
    });
  }

  void release() {
    if (has_progress_) progress_.Release();
    kept_.clear();
    cancel_.Reset();
  }

  Napi::Promise::Deferred deferred_;
  Work work_;
  Convert convert_;
  std::unique_ptr<Result<T>> result_;
  std::vector<Napi::ObjectReference> kept_;
  Napi::ObjectReference cancel_;
  std::int32_t* stop_flag_ = nullptr;
  Napi::ThreadSafeFunction progress_;
  bool has_progress_ = false;
  std::atomic<std::int64_t> last_report_{0};
};

}  // namespace hinm::binding
