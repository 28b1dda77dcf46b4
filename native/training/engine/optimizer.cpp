#include "training/engine/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "training/engine/compute.h"

namespace hinm::training {

double learning_rate(const OptimizerSettings& settings, std::int64_t step, std::int64_t total) {
  if (step < settings.warm_up) return settings.rate * static_cast<double>(step + 1) / static_cast<double>(settings.warm_up);
  const double span = static_cast<double>(std::max<std::int64_t>(1, total - settings.warm_up));
  const double progress = std::min(1.0, static_cast<double>(step - settings.warm_up) / span);
  return settings.rate * (settings.final_share + (1 - settings.final_share) * 0.5 * (1 + std::cos(std::numbers::pi * progress)));
}

template <class T>
double clip_gradients(const std::vector<Parameter<T>*>& parameters, double clip) {
  double sum = 0;
  for (const Parameter<T>* parameter : parameters) {
    for (const T g : parameter->gradient) sum += static_cast<double>(g) * static_cast<double>(g);
  }
  const double norm = std::sqrt(sum);
  if (clip <= 0 || !(norm > clip)) return norm;
  const T factor = static_cast<T>(clip / norm);
  for (Parameter<T>* parameter : parameters) {
    for (T& g : parameter->gradient) g *= factor;
  }
  return norm;
}

template <class T>
void adam_step(Parameter<T>& p, const OptimizerSettings& settings, double rate, MomentSteps steps, bool freeze_second, int threads) {
  const T beta1 = static_cast<T>(settings.beta1), beta2 = static_cast<T>(freeze_second ? 1 : settings.beta2);
  const T fresh1 = static_cast<T>(1 - settings.beta1), fresh2 = static_cast<T>(freeze_second ? 0 : 1 - settings.beta2);
  const T unbias1 = static_cast<T>(1 / (1 - std::pow(settings.beta1, static_cast<double>(steps.first + 1))));
  const T unbias2 = static_cast<T>(1 / (1 - std::pow(settings.beta2, static_cast<double>(steps.second + (freeze_second ? 0 : 1)))));
  const T lr = static_cast<T>(rate), epsilon = static_cast<T>(settings.epsilon);
  const T keep = static_cast<T>(1 - (p.decays ? rate * settings.weight_decay : 0));
  for_pieces(static_cast<std::int64_t>(p.value.size()), 16384, threads, [&](std::int64_t first, std::int64_t last) {
    T *w = p.value.data(), *m = p.first_moment.data(), *v = p.second_moment.data();
    const T* g = p.gradient.data();
    for (std::int64_t i = first; i < last; ++i) {
      m[i] = beta1 * m[i] + fresh1 * g[i];
      v[i] = beta2 * v[i] + fresh2 * g[i] * g[i];
      w[i] = keep * w[i] - lr * (m[i] * unbias1) / (std::sqrt(v[i] * unbias2) + epsilon);
    }
  });
}

template double clip_gradients(const std::vector<Parameter<float>*>&, double);
template double clip_gradients(const std::vector<Parameter<double>*>&, double);
template void adam_step(Parameter<float>&, const OptimizerSettings&, double, MomentSteps, bool, int);
template void adam_step(Parameter<double>&, const OptimizerSettings&, double, MomentSteps, bool, int);

}  // namespace hinm::training
