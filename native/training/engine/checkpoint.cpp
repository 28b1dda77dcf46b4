#include "training/engine/checkpoint.h"

#include <bit>

#include "training/engine/trainer.h"

static_assert(std::endian::native == std::endian::little, "checkpoints are written as the machine holds its numbers");

namespace hinm::training {
namespace {

constexpr char magic[] = "HINM-TRAINING-1";

/// The state of one prunable layer that is not in the network's parameters.
template <class T>
struct LayerState {
  Mask mask;
  Mask explored;
  double scale;
  std::vector<T> scores, first, second;
};

Error unreadable(const char* why) {
  return {"INVALID_ARGUMENT", std::string("The checkpoint cannot be read: ") + why + "; the run was left as it was."};
}

}  // namespace

std::uint64_t checksum(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 0x100000001B3;
  return hash;
}

std::vector<std::uint8_t> ByteWriter::finish() {
  const std::uint64_t sum = checksum(bytes_.data(), bytes_.size());
  append(&sum, sizeof sum);
  return std::move(bytes_);
}

ByteReader::ByteReader(const std::vector<std::uint8_t>& bytes) : bytes_(&bytes) {
  std::uint64_t sum = 0;
  if (bytes.size() < sizeof sum) {
    ok_ = false;
    return;
  }
  end_ = bytes.size() - sizeof sum;
  std::memcpy(&sum, bytes.data() + end_, sizeof sum);
  ok_ = sum == checksum(bytes.data(), end_);
}

template <class T>
std::string Trainer<T>::fingerprint() const {
  const MethodSettings& m = settings_.method;
  return settings_.model + ", " + (sizeof(T) == 4 ? "float32" : "float64") + ", method " + std::to_string(static_cast<int>(m.kind)) + ", " +
         std::to_string(m.pattern.kept) + ":" + std::to_string(m.pattern.of) + ", seed " + std::to_string(settings_.seed) + ", " +
         std::to_string(settings_.total) + " steps";
}

template <class T>
std::vector<std::uint8_t> Trainer<T>::save() const {
  ByteWriter writer;
  writer.text(magic);
  writer.text(fingerprint());
  writer.value(step_);
  writer.value(second_moment_steps_);
  writer.value(static_cast<std::uint8_t>(begun_));
  writer.list(switch_.state());
  for (const Parameter<T>* parameter : network_->parameters()) {
    writer.list(parameter->value);
    writer.list(parameter->first_moment);
    writer.list(parameter->second_moment);
  }
  for (const auto& weight : sparse_) {
    writer.list(weight.mask);
    writer.list(weight.explored);
    writer.value(weight.scale);
    writer.list(weight.scores.value);
    writer.list(weight.scores.first_moment);
    writer.list(weight.scores.second_moment);
  }
  return writer.finish();
}

template <class T>
Status Trainer<T>::restore(const std::vector<std::uint8_t>& bytes) {
  ByteReader reader(bytes);
  if (!reader.ok() || reader.text() != magic) return unreadable("it is no training checkpoint, or it is damaged or cut short");
  const std::string origin = reader.text();
  if (origin != fingerprint()) {
    return Error{"INVALID_ARGUMENT", "The checkpoint belongs to another run (" + origin + "), but this run is " + fingerprint() +
                                         "; open it with the settings that made it. The run was left as it was."};
  }
  const auto step = reader.value<std::int64_t>();
  const auto second_steps = reader.value<std::int64_t>();
  const bool begun = reader.value<std::uint8_t>() != 0;
  const auto switch_state = reader.list<double>();
  const auto parameters = network_->parameters();
  std::vector<std::vector<T>> tensors;
  for (const Parameter<T>* parameter : parameters) {
    for (int part = 0; part < 3; ++part) {
      tensors.push_back(reader.list<T>());
      if (tensors.back().size() != parameter->value.size()) return unreadable("a tensor has another size than this network's");
    }
  }
  std::vector<LayerState<T>> layers;
  for (std::size_t i = 0; i < sparse_.size(); ++i) {
    LayerState<T> layer;
    layer.mask = reader.list<std::uint8_t>();
    layer.explored = reader.list<std::uint8_t>();
    layer.scale = reader.value<double>();
    layer.scores = reader.list<T>();
    layer.first = reader.list<T>();
    layer.second = reader.list<T>();
    const std::size_t count = sparse_[i].layer->weight.value.size();
    for (const Mask* mask : {&layer.mask, &layer.explored}) {
      if (!mask->empty() && mask->size() != count) return unreadable("a mask has another size than this network's layer");
    }
    if (layer.scores.size() != layer.first.size() || layer.scores.size() != layer.second.size() || layer.scores.size() % 6 != 0) {
      return unreadable("the scores of a layer are incomplete");
    }
    layers.push_back(std::move(layer));
  }
  if (!reader.ok() || step < 0 || step > settings_.total) return unreadable("it ends too early");

  step_ = step;
  second_moment_steps_ = second_steps;
  begun_ = begun;
  switch_.restore(switch_state);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    parameters[p]->value = std::move(tensors[3 * p]);
    parameters[p]->first_moment = std::move(tensors[3 * p + 1]);
    parameters[p]->second_moment = std::move(tensors[3 * p + 2]);
  }
  for (std::size_t i = 0; i < sparse_.size(); ++i) {
    auto& weight = sparse_[i];
    weight.mask = std::move(layers[i].mask);
    weight.explored = std::move(layers[i].explored);
    weight.scale = layers[i].scale;
    if (layers[i].scores.empty()) continue;
    weight.scores = Parameter<T>(weight.layer->weight.name + ".scores", static_cast<std::int64_t>(layers[i].scores.size() / 6), 6, false);
    weight.scores.value = std::move(layers[i].scores);
    weight.scores.first_moment = std::move(layers[i].first);
    weight.scores.second_moment = std::move(layers[i].second);
  }
  network_->refresh_dense();
  history_ = {};
  return success();
}

template std::string Trainer<float>::fingerprint() const;
template std::string Trainer<double>::fingerprint() const;
template std::vector<std::uint8_t> Trainer<float>::save() const;
template std::vector<std::uint8_t> Trainer<double>::save() const;
template Status Trainer<float>::restore(const std::vector<std::uint8_t>&);
template Status Trainer<double>::restore(const std::vector<std::uint8_t>&);

}  // namespace hinm::training
