#include "training/session.h"

#include <algorithm>
#include <optional>

namespace hinm::training {
namespace {

template <class T>
class SessionOf final : public TrainingSession {
 public:
  explicit SessionOf(std::unique_ptr<Trainer<T>> trainer) : trainer_(std::move(trainer)) {}

  std::int64_t step() const override { return trainer_->step(); }
  const History& history() const override { return trainer_->history(); }
  Status run(std::int64_t until, const JobControl& control) override { return trainer_->run(until, control); }
  Result<Evaluation> evaluate(const JobControl& control) override { return trainer_->evaluate(control); }
  Status set_mask(std::size_t layer, Mask mask) override { return trainer_->set_mask(layer, std::move(mask)); }
  std::vector<std::uint8_t> save() const override { return trainer_->save(); }
  Status restore(const std::vector<std::uint8_t>& bytes) override { return trainer_->restore(bytes); }

  std::vector<ParameterInfo> parameters() override {
    std::vector<ParameterInfo> all;
    for (const Parameter<T>* parameter : trainer_->network().parameters()) {
      const auto& sparse = trainer_->sparse();
      const auto found = std::find_if(sparse.begin(), sparse.end(), [&](const auto& weight) { return &weight.layer->weight == parameter; });
      all.push_back({parameter->name, parameter->rows, parameter->cols, found == sparse.end() ? -1 : found - sparse.begin()});
    }
    return all;
  }

  Result<std::vector<float>> values(std::size_t parameter) override {
    const auto parameters = trainer_->network().parameters();
    if (parameter >= parameters.size()) return no_such("parameter", parameter, parameters.size());
    return rounded(parameters[parameter]->value);
  }

  Result<std::vector<float>> effective(std::size_t layer) override {
    if (layer >= trainer_->sparse().size()) return no_such("prunable layer", layer, trainer_->sparse().size());
    return rounded(trainer_->sparse()[layer].layer->effective.data);
  }

  Result<Mask> mask(std::size_t layer) override {
    if (layer >= trainer_->sparse().size()) return no_such("prunable layer", layer, trainer_->sparse().size());
    return trainer_->counted_mask(layer);
  }

  Status set_values(std::size_t parameter, const std::vector<float>& values) override {
    return trainer_->set_values(parameter, std::vector<T>(values.begin(), values.end()));
  }

 private:
  static std::vector<float> rounded(const std::vector<T>& values) { return std::vector<float>(values.begin(), values.end()); }
  static Error no_such(const char* what, std::size_t index, std::size_t count) {
    return invalid_argument("There is no " + std::string(what) + " " + std::to_string(index) + "; this network has " + std::to_string(count) + ", counted from 0.");
  }
  std::unique_ptr<Trainer<T>> trainer_;
};

std::optional<Error> width_fault(const std::vector<std::int64_t>& widths) {
  for (const std::int64_t width : widths) {
    if (width < 1 || width > 65536) return invalid_argument("A layer width of " + std::to_string(width) + " is out of range; choose 1 to 65536.");
  }
  return std::nullopt;
}

std::string describe(const char* lab, const std::vector<std::int64_t>& widths) {
  std::string text = lab;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    text += i == 0 ? ' ' : '-';
    text += std::to_string(widths[i]);
  }
  return text;
}

template <class T>
struct Parts {
  std::unique_ptr<Network<T>> network;
  std::shared_ptr<const Task<T>> task;
  std::string model;
};

template <class T>
Result<Parts<T>> build(const TeacherStudentSpec& spec, std::uint64_t seed) {
  std::vector<std::int64_t> widths{spec.teacher.inputs};
  widths.insert(widths.end(), spec.hidden.begin(), spec.hidden.end());
  widths.push_back(spec.teacher.outputs);
  if (const auto fault = width_fault(widths)) return *fault;
  if (spec.teacher.batch < 1 || spec.teacher.batch > 65536) {
    return invalid_argument("A batch of " + std::to_string(spec.teacher.batch) + " is out of range; choose 1 to 65536.");
  }
  const PerceptronShape shape{widths, false, static_cast<std::int64_t>(widths.size())};
  return Parts<T>{std::make_unique<Perceptron<T>>(shape, seed), std::make_shared<TeacherStudent<T>>(spec.teacher, seed), describe("teacher-student", widths)};
}

template <class T>
Result<Parts<T>> build(const CharacterTextSpec& spec, std::uint64_t seed) {
  const TransformerShape& n = spec.network;
  if (const auto fault = width_fault({n.symbols, n.length, n.layers, n.width, n.heads, n.hidden, spec.text.batch})) return *fault;
  if (n.width % n.heads != 0) {
    return invalid_argument("A width of " + std::to_string(n.width) + " cannot be shared by " + std::to_string(n.heads) + " heads; choose a multiple.");
  }
  auto task = CharacterText<T>::create(spec.text, spec.tokens, seed);
  if (!task.ok()) return task.error();
  return Parts<T>{std::make_unique<CharTransformer<T>>(n, seed), std::move(task).value(),
                  describe("character transformer", {n.symbols, n.length, n.layers, n.width, n.heads, n.hidden})};
}

template <class T>
Result<Parts<T>> build(const ClassificationSpec& spec, std::uint64_t seed) {
  std::vector<std::int64_t> widths{spec.train->inputs.cols};
  widths.insert(widths.end(), spec.hidden.begin(), spec.hidden.end());
  widths.push_back(spec.shape.classes);
  if (const auto fault = width_fault(widths)) return *fault;
  if (spec.shape.batch < 1) return invalid_argument("A batch of " + std::to_string(spec.shape.batch) + " is out of range; choose 1 or more.");
  auto task = Classification<T>::create(spec.shape, spec.train, spec.held_out, seed);
  if (!task.ok()) return task.error();
  // The last layer, one row a class, stays dense as is usual in pruning.
  const PerceptronShape shape{widths, true, static_cast<std::int64_t>(widths.size()) - 2};
  return Parts<T>{std::make_unique<Perceptron<T>>(shape, seed), std::move(task).value(), describe("classifier", widths)};
}

template <class T>
Result<std::shared_ptr<TrainingSession>> create_of(TrainingSpec& spec) {
  auto parts = std::visit([&](const auto& lab) { return build<T>(lab, spec.settings.seed); }, spec.lab);
  if (!parts.ok()) return parts.error();
  spec.settings.model = parts.value().model;
  auto trainer = Trainer<T>::create(spec.settings, std::move(parts.value().network), parts.value().task);
  if (!trainer.ok()) return trainer.error();
  return std::shared_ptr<TrainingSession>(std::make_shared<SessionOf<T>>(std::move(trainer).value()));
}

}  // namespace

Result<std::shared_ptr<TrainingSession>> TrainingSession::create(TrainingSpec spec) {
  return spec.reference ? create_of<double>(spec) : create_of<float>(spec);
}

}  // namespace hinm::training
