// One training run as a caller outside sees it, whatever its number type.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "training/engine/char_transformer.h"
#include "training/engine/perceptron.h"
#include "training/engine/trainer.h"
#include "training/labs/character_text.h"
#include "training/labs/classification.h"
#include "training/labs/teacher_student.h"

namespace hinm::training {

struct TeacherStudentSpec {
  TeacherShape teacher;
  /// Hidden widths of the student.
  std::vector<std::int64_t> hidden;
};

struct CharacterTextSpec {
  TextShape text;
  TransformerShape network;
  std::vector<std::int32_t> tokens;
};

struct ClassificationSpec {
  ClassificationShape shape;
  std::vector<std::int64_t> hidden;
  std::shared_ptr<const LabelledSamples> train;
  std::shared_ptr<const LabelledSamples> held_out;
};

struct TrainingSpec {
  TrainerSettings settings;
  std::variant<TeacherStudentSpec, CharacterTextSpec, ClassificationSpec> lab;
  /// The float64 reference instead of float32.
  bool reference = false;
};

struct ParameterInfo {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  /// Place among the prunable layers, or −1.
  std::int64_t prunable = -1;
};

class TrainingSession {
 public:
  static Result<std::shared_ptr<TrainingSession>> create(TrainingSpec spec);
  virtual ~TrainingSession() = default;

  virtual std::int64_t step() const = 0;
  virtual const History& history() const = 0;
  virtual std::vector<ParameterInfo> parameters() = 0;
  virtual Status run(std::int64_t until, const JobControl& control) = 0;
  virtual Result<Evaluation> evaluate(const JobControl& control) = 0;
  /// Values of a parameter, rounded to float32.
  virtual Result<std::vector<float>> values(std::size_t parameter) = 0;
  /// Weight of a prunable layer as it would be deployed after the last evaluation or step.
  virtual Result<std::vector<float>> effective(std::size_t layer) = 0;
  /// Mask that is counted for the flip rate; empty where there is none.
  virtual Result<Mask> mask(std::size_t layer) = 0;
  virtual Status set_values(std::size_t parameter, const std::vector<float>& values) = 0;
  virtual Status set_mask(std::size_t layer, Mask mask) = 0;
  virtual std::vector<std::uint8_t> save() const = 0;
  virtual Status restore(const std::vector<std::uint8_t>& bytes) = 0;
};

}  // namespace hinm::training
