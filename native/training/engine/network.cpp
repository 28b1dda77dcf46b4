#include "training/engine/network.h"

#include <cmath>

#include "base/random.h"

namespace hinm::training {
namespace {

constexpr std::uint32_t initialisation = 0x494E4954;

}  // namespace

template <class T>
void initialise_uniform(Linear<T>& layer, std::uint64_t seed) {
  RandomStream random(seed, initialisation, layer.identity());
  const double bound = 1 / std::sqrt(static_cast<double>(layer.inputs()));
  for (T& value : layer.weight.value) value = static_cast<T>(bound * (2 * random.uniform() - 1));
}

template <class T>
void initialise_normal(Parameter<T>& parameter, double deviation, std::uint64_t seed, std::uint32_t identity) {
  RandomStream random(seed, initialisation, identity);
  for (T& value : parameter.value) value = static_cast<T>(deviation * random.normal());
}

template void initialise_uniform(Linear<float>&, std::uint64_t);
template void initialise_uniform(Linear<double>&, std::uint64_t);
template void initialise_normal(Parameter<float>&, double, std::uint64_t, std::uint32_t);
template void initialise_normal(Parameter<double>&, double, std::uint64_t, std::uint32_t);

}  // namespace hinm::training
