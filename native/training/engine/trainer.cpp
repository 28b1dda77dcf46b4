#include "training/engine/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "training/engine/loss.h"
#include "training/methods/method_classes.h"
#include "training/methods/soft_threshold.h"

namespace hinm::training {
namespace {

double now_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

template <class T>
Result<std::unique_ptr<Trainer<T>>> Trainer<T>::create(const TrainerSettings& settings, std::unique_ptr<Network<T>> network,
                                                       std::shared_ptr<const Task<T>> task) {
  if (settings.total < 1 || settings.diagnose_every < 0) {
    return invalid_argument("A run of " + std::to_string(settings.total) + " steps with a diagnosis every " + std::to_string(settings.diagnose_every) +
                            " is not possible; choose at least 1 step, and 0 or more between diagnoses.");
  }
  auto method = make_method<T>(settings.method);
  if (!method.ok()) return method.error();
  for (const Linear<T>* layer : network->prunable()) {
    if (settings.method.kind == MethodKind::dense) break;
    if (const Status fits = check_shape(settings.method, layer->weight.name, layer->outputs(), layer->inputs()); !fits.ok()) return fits.error();
  }
  return std::unique_ptr<Trainer>(new Trainer(settings, std::move(network), std::move(task), std::move(method).value()));
}

template <class T>
Trainer<T>::Trainer(const TrainerSettings& settings, std::unique_ptr<Network<T>> network, std::shared_ptr<const Task<T>> task,
                    std::unique_ptr<SparseMethod<T>> method)
    : settings_(settings),
      network_(std::move(network)),
      task_(std::move(task)),
      method_(std::move(method)),
      dense_(std::make_unique<DenseMethod<T>>(settings.method)),
      switch_(settings.optimizer.beta2, settings.method.switch_tolerance, settings.total / 10, settings.total / 2) {
  for (Linear<T>* layer : network_->prunable()) {
    layer->numerics = settings.method.numerics;
    sparse_.emplace_back().layer = layer;
  }
}

template <class T>
void Trainer<T>::begin() {
  if (begun_) return;
  for (auto& weight : sparse_) method_->begin(info_at(0), weight);
  begun_ = true;
}

template <class T>
StepInfo Trainer<T>::info_at(std::int64_t step) const {
  return {step, settings_.total, settings_.seed, learning_rate(settings_.optimizer, step, settings_.total), false};
}

template <class T>
bool Trainer<T>::is_dense_phase() const {
  return settings_.method.kind == MethodKind::step && !switch_.switched();
}

template <class T>
void Trainer<T>::project(const StepInfo& info) {
  for (auto& weight : sparse_) (info.evaluate ? *method_ : method()).project(info, weight);
  network_->refresh_dense();
}

template <class T>
std::vector<Parameter<T>*> Trainer<T>::learned() {
  std::vector<Parameter<T>*> all = network_->parameters();
  for (auto& weight : sparse_) {
    if (!weight.scores.value.empty()) all.push_back(&weight.scores);
  }
  return all;
}

template <class T>
Status Trainer<T>::run(std::int64_t until, const JobControl& control) {
  begin();
  const std::int64_t last = std::min(until, settings_.total);
  while (step_ < last) {
    if (control.stop_requested()) return cancelled();
    const double start = now_seconds();
    if (const Status made = make_step(); !made.ok()) return made;
    history_.seconds += now_seconds() - start;
    control.report(static_cast<double>(step_), static_cast<double>(settings_.total));
  }
  return success();
}

template <class T>
Status Trainer<T>::not_finite_loss(double loss) const {
  std::string place = "every layer's weight is still finite";
  for (const auto& weight : sparse_) {
    for (const T value : weight.layer->weight.value) {
      if (!std::isfinite(value)) {
        place = "the weight of " + weight.layer->weight.name + " is not finite";
        break;
      }
    }
  }
  return not_finite("The loss became " + std::to_string(loss) + " at step " + std::to_string(step_) + " (" + place +
                    "), so this run stopped there with its history kept; lower the learning rate or clip the gradients.");
}

/// What is remembered of step k until the weights of k + 1 are known.
template <class T>
struct Trainer<T>::Probe {
  Diagnosis diagnosis;
  std::vector<std::vector<T>> gradients;  ///< of all network parameters, before any hook
  std::vector<std::vector<T>> values;
  std::vector<std::vector<T>> effective;  ///< of the prunable layers
  std::vector<Mask> masks;
  const Batch<T>* batch = nullptr;
};

template <class T>
Status Trainer<T>::make_step() {
  const StepInfo info = info_at(step_);
  const SampleKey key{settings_.seed, static_cast<std::uint32_t>(step_), 0};
  const bool diagnoses = settings_.diagnose_every > 0 && step_ % settings_.diagnose_every == 0;
  task_->draw(settings_.first_data_step + step_, batch_);
  project(info);
  Probe probe;
  for (auto& weight : sparse_) weight.layer->measures_sampler = diagnoses;
  if (diagnoses && settings_.diagnose_held_out) {
    const double start = now_seconds();
    task_->held_out(step_ / settings_.diagnose_every % task_->held_out_batches(), probe_batch_);
    probe.batch = &probe_batch_;
    const double loss = network_->forward(probe_batch_, settings_.compute);
    network_->backward(probe_batch_, key, settings_.compute);
    probe_before(info, loss, probe);
    history_.diagnostic_seconds += now_seconds() - start;
  }
  const double loss = network_->forward(batch_, settings_.compute);
  if (!std::isfinite(loss)) return not_finite_loss(loss);
  network_->backward(batch_, key, settings_.compute);
  const double start = now_seconds();
  if (diagnoses && !settings_.diagnose_held_out) {
    probe.batch = &batch_;
    probe_before(info, loss, probe);
  }
  double diagnostic = now_seconds() - start;
  update(info);
  history_.losses.push_back(loss);
  ++step_;
  if (!diagnoses) return success();
  const double again = now_seconds();
  probe_after(probe);
  history_.diagnoses.push_back(std::move(probe.diagnosis));
  diagnostic += now_seconds() - again;
  history_.diagnostic_seconds += diagnostic;
  return success();
}

template <class T>
void Trainer<T>::update(const StepInfo& info) {
  for (auto& weight : sparse_) method().hook_gradient(info, weight);
  const auto parameters = learned();
  clip_gradients(parameters, settings_.optimizer.clip);
  for (auto& weight : sparse_) method().before_step(info, weight);
  const bool steps_method = settings_.method.kind == MethodKind::step;
  const bool freeze = steps_method && switch_.switched();
  std::vector<T> second_before;
  if (is_dense_phase()) {
    for (auto& weight : sparse_) second_before.insert(second_before.end(), weight.layer->weight.second_moment.begin(), weight.layer->weight.second_moment.end());
  }
  for (Parameter<T>* parameter : parameters) {
    adam_step(*parameter, settings_.optimizer, info.rate, {step_, second_moment_steps_}, freeze, settings_.compute.threads);
  }
  if (!freeze) ++second_moment_steps_;
  if (is_dense_phase()) {
    double change = 0;
    std::size_t at = 0;
    for (auto& weight : sparse_) {
      for (const T v : weight.layer->weight.second_moment) change += std::abs(static_cast<double>(v - second_before[at++]));
    }
    switch_.observe(step_, at == 0 ? 0 : change / static_cast<double>(at));
  }
  for (auto& weight : sparse_) method().after_step(info, weight);
}

template <class T>
void Trainer<T>::probe_before(const StepInfo& info, double loss, Probe& probe) {
  probe.diagnosis.step = info.step;
  probe.diagnosis.loss = loss;
  for (const Parameter<T>* parameter : network_->parameters()) {
    probe.gradients.push_back(parameter->gradient);
    probe.values.push_back(parameter->value);
  }
  NumericsLoss total;
  for (auto& weight : sparse_) {
    probe.effective.push_back(weight.layer->effective.data);
    probe.masks.push_back(method().counted_mask(weight));
    const NumericsLoss& one = weight.layer->last_loss;
    total.forward.add(one.forward);
    total.forward.add(one.backward);
    total.sampler.difference += one.sampler.difference;
    total.sampler.magnitude += one.sampler.magnitude;
    total.sampler.squared_difference += one.sampler.squared_difference;
    total.sampler.squared += one.sampler.squared;
  }
  const auto share = [](double part, double whole) { return whole == 0 ? 0 : part / whole; };
  const double quantized = static_cast<double>(total.forward.values);
  probe.diagnosis.sampler_bias = share(total.sampler.difference, total.sampler.magnitude);
  probe.diagnosis.sampler_variance = share(total.sampler.squared_difference, total.sampler.squared);
  probe.diagnosis.saturated = share(static_cast<double>(total.forward.saturated), quantized);
  probe.diagnosis.underflowed = share(static_cast<double>(total.forward.underflowed), quantized);
}

template <class T>
void Trainer<T>::probe_after(Probe& probe) {
  Diagnosis& diagnosis = probe.diagnosis;
  project(info_at(step_));
  diagnosis.actual = diagnosis.loss - network_->forward(*probe.batch, settings_.compute);
  const auto parameters = network_->parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    double dense = 0, sparse = 0;
    const auto layer = std::find_if(sparse_.begin(), sparse_.end(), [&](const auto& weight) { return &weight.layer->weight == parameters[p]; });
    const std::vector<T>* before = layer == sparse_.end() ? &probe.values[p] : &probe.effective[static_cast<std::size_t>(layer - sparse_.begin())];
    const std::vector<T>* after = layer == sparse_.end() ? &parameters[p]->value : &layer->layer->effective.data;
    for (std::size_t i = 0; i < before->size(); ++i) {
      const double gradient = static_cast<double>(probe.gradients[p][i]);
      dense += gradient * static_cast<double>(probe.values[p][i] - parameters[p]->value[i]);
      sparse += gradient * static_cast<double>((*before)[i] - (*after)[i]);
    }
    diagnosis.predicted_dense += dense;
    diagnosis.predicted_sparse += sparse;
  }
  double flips = 0, weights = 0;
  for (std::size_t l = 0; l < sparse_.size(); ++l) {
    const Mask mask = method().counted_mask(sparse_[l]);
    // A method without a mask in this phase has nothing to flip.
    if (mask.size() != probe.masks[l].size()) continue;
    const double count = static_cast<double>(mask.size());
    flips += flip_rate(probe.masks[l], mask) * count;
    weights += count;
  }
  diagnosis.flip_rate = weights == 0 ? 0 : flips / weights;
  describe_layers(diagnosis);
  for (std::size_t l = 0; l < sparse_.size(); ++l) {
    if (probe.masks[l].empty()) method().project(info_at(step_), sparse_[l]);
    else method().project_frozen(info_at(step_), probe.masks[l], sparse_[l]);
  }
  diagnosis.frozen = diagnosis.loss - network_->forward(*probe.batch, settings_.compute);
}

template <class T>
void Trainer<T>::describe_layers(Diagnosis& diagnosis) {
  const GroupPattern pattern = settings_.method.pattern;
  for (auto& weight : sparse_) {
    const auto values = std::as_const(weight.layer->weight).values();
    const Matrix<T>& effective = weight.layer->effective;
    LayerRecord record;
    record.scale = weight.scale;
    double dense_norm = 0, sparse_norm = 0;
    for (std::size_t i = 0; i < effective.data.size(); ++i) {
      dense_norm += static_cast<double>(values.data[i]) * static_cast<double>(values.data[i]);
      sparse_norm += static_cast<double>(effective.data[i]) * static_cast<double>(effective.data[i]);
    }
    record.norm_share = dense_norm == 0 ? 1 : std::sqrt(sparse_norm / dense_norm);
    if (values.cols % pattern.of == 0) {
      Matrix<T> soft(values.rows, values.cols);
      soft_threshold(values, pattern, soft.view());
      record.scale_now = projection_scale(values, MatrixView<const T>(soft.view()));
      std::int64_t short_groups = 0;
      for (std::size_t g = 0; g < effective.data.size(); g += static_cast<std::size_t>(pattern.of)) {
        int alive = 0;
        for (int i = 0; i < pattern.of; ++i) alive += effective.data[g + static_cast<std::size_t>(i)] != 0;
        short_groups += alive < pattern.kept;
      }
      record.short_groups = static_cast<double>(short_groups) * pattern.of / static_cast<double>(effective.data.size());
    }
    diagnosis.layers.push_back(record);
  }
}

template <class T>
Result<Evaluation> Trainer<T>::evaluate(const JobControl& control) {
  begin();
  StepInfo info = info_at(step_);
  info.evaluate = true;
  project(info);
  Batch<T> batch;
  Evaluation evaluation;
  double samples = 0, correct = 0;
  for (std::int64_t i = 0; i < task_->held_out_batches(); ++i) {
    if (control.stop_requested()) return cancelled();
    task_->held_out(i, batch);
    const double loss = network_->forward(batch, settings_.compute);
    const auto rows = static_cast<double>(network_->output().rows);
    evaluation.loss += loss * rows;
    samples += rows;
    if (task_->has_labels()) correct += static_cast<double>(count_correct(network_->output(), batch.labels.data()));
  }
  evaluation.loss /= samples * task_->loss_unit();
  evaluation.accuracy = correct / samples;
  if (!std::isfinite(evaluation.loss)) return not_finite("The held-out loss is not finite after step " + std::to_string(step_) + "; lower the learning rate.");
  return evaluation;
}

template <class T>
Status Trainer<T>::set_mask(std::size_t layer, Mask mask) {
  if (settings_.method.kind != MethodKind::fixed_mask) return invalid_argument("Only a run with fixed masks takes a mask from outside; choose the method fixed-mask.");
  if (layer >= sparse_.size() || mask.size() != sparse_[layer].layer->weight.value.size()) {
    return invalid_argument("A mask of " + std::to_string(mask.size()) + " entries does not fit prunable layer " + std::to_string(layer) + " of " +
                            std::to_string(sparse_.size()) + "; give one byte, 0 or 1, for each weight.");
  }
  if (std::any_of(mask.begin(), mask.end(), [](std::uint8_t bit) { return bit > 1; })) {
    return invalid_argument("The mask of layer " + std::to_string(layer) + " has entries other than 0 and 1; give one byte, 0 or 1, for each weight.");
  }
  sparse_[layer].mask = std::move(mask);
  method_->after_step({}, sparse_[layer]);
  return success();
}

template <class T>
Status Trainer<T>::set_values(std::size_t parameter, const std::vector<T>& values) {
  const auto parameters = network_->parameters();
  if (begun_) return invalid_argument("Weights can be given before the first step only; start a new run from them.");
  if (parameter >= parameters.size() || values.size() != parameters[parameter]->value.size()) {
    return invalid_argument("The weights given for parameter " + std::to_string(parameter) + " have " + std::to_string(values.size()) +
                            " entries, which does not fit this network; take them from a run of the same shape.");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      return not_finite("Entry " + std::to_string(i) + " of the weights given for " + parameters[parameter]->name + " is not finite; repair or replace it.");
    }
  }
  parameters[parameter]->value = values;
  network_->refresh_dense();
  return success();
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace hinm::training
