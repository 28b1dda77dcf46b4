#include "training/engine/trainer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/random.h"
#include "training/engine/char_transformer.h"
#include "training/engine/perceptron.h"
#include "training/labs/character_text.h"
#include "training/labs/classification.h"
#include "training/labs/teacher_student.h"

namespace {

using namespace hinm;
using namespace hinm::training;

constexpr TeacherShape small_teacher{8, 16, 4, 16, 64};

TrainerSettings small_settings(MethodKind kind, std::int64_t total = 40) {
  TrainerSettings settings;
  settings.seed = 5;
  settings.total = total;
  settings.optimizer = {0.9, 0.99, 1e-8, 0, 0, 3e-3, 0.05, 4};
  settings.method.kind = kind;
  settings.method.refresh_every = 7;
  settings.diagnose_every = 5;
  settings.model = "small perceptron";
  return settings;
}

template <class T>
std::unique_ptr<Trainer<T>> small_trainer(const TrainerSettings& settings) {
  auto trainer = Trainer<T>::create(settings, std::make_unique<Perceptron<T>>(PerceptronShape{{8, 16, 16, 4}, false, 3}, settings.seed),
                                    std::make_shared<TeacherStudent<T>>(small_teacher, settings.seed));
  REQUIRE(trainer.ok());
  return std::move(trainer).value();
}

constexpr MethodKind all_kinds[] = {MethodKind::dense,    MethodKind::ste,     MethodKind::sr_ste,   MethodKind::s_ste,
                                    MethodKind::transposable, MethodKind::fixed_mask, MethodKind::decaying_mask, MethodKind::step,
                                    MethodKind::bi_mask,  MethodKind::top_kast, MethodKind::powerpropagation, MethodKind::lbc, MethodKind::mask_llm};

}  // namespace

TEST_CASE("n + m steps equal n, save, restore, m bit for bit, for every method") {
  for (const MethodKind kind : all_kinds) {
    CAPTURE(static_cast<int>(kind));
    auto settings = small_settings(kind);
    if (kind == MethodKind::s_ste) settings.method.numerics = {GradientSampler::approximate, GradientSampler::none, true, Fp8Overflow::saturate};
    auto whole = small_trainer<float>(settings), first = small_trainer<float>(settings), second = small_trainer<float>(settings);
    REQUIRE(whole->run(40, {}).ok());
    REQUIRE(first->run(23, {}).ok());
    REQUIRE(second->restore(first->save()).ok());
    CHECK(second->step() == 23);
    REQUIRE(second->run(40, {}).ok());
    CHECK(second->save() == whole->save());
    CHECK(second->evaluate({}).value().loss == whole->evaluate({}).value().loss);
  }
}

TEST_CASE("threads change nothing, for a perceptron and a transformer") {
  std::vector<std::vector<std::uint8_t>> saved;
  for (const int threads : {1, 3}) {
    auto settings = small_settings(MethodKind::s_ste, 6);
    settings.compute.threads = threads;
    settings.optimizer.clip = 1;
    std::vector<std::int32_t> tokens(4000);
    RandomStream random(1);
    for (auto& token : tokens) token = static_cast<std::int32_t>(random.below(20));
    auto text = CharacterText<float>::create({20, 32, 8, 0.2}, tokens, 1);
    REQUIRE(text.ok());
    auto trainer = Trainer<float>::create(settings, std::make_unique<CharTransformer<float>>(TransformerShape{20, 32, 2, 48, 4, 192}, 1), text.value());
    REQUIRE(trainer.ok());
    REQUIRE(trainer.value()->run(6, {}).ok());
    saved.push_back(trainer.value()->save());
  }
  CHECK(saved[0] == saved[1]);
}

TEST_CASE("every method learns, and its deployed weights keep its pattern") {
  for (const MethodKind kind : all_kinds) {
    CAPTURE(static_cast<int>(kind));
    auto trainer = small_trainer<float>(small_settings(kind, 400));
    const double before = trainer->evaluate({}).value().loss;
    REQUIRE(trainer->run(400, {}).ok());
    CHECK(trainer->evaluate({}).value().loss < 0.8 * before);
    if (kind == MethodKind::dense || kind == MethodKind::transposable || kind == MethodKind::top_kast) continue;
    for (const auto& weight : trainer->sparse()) {
      const auto& values = weight.layer->effective.data;
      for (std::size_t g = 0; g < values.size(); g += 4) {
        int alive = 0;
        for (std::size_t i = 0; i < 4; ++i) alive += values[g + i] != 0;
        CHECK(alive <= 2);
      }
    }
  }
}

TEST_CASE("same initial weights and same data for every method of one seed") {
  // The first loss differs only through the projection: dense and a method that starts dense agree exactly.
  auto dense = small_trainer<float>(small_settings(MethodKind::dense)), fading = small_trainer<float>(small_settings(MethodKind::decaying_mask));
  REQUIRE(dense->run(1, {}).ok());
  REQUIRE(fading->run(1, {}).ok());
  CHECK(dense->history().losses[0] == fading->history().losses[0]);
}

TEST_CASE("a frozen mask never flips, and pruned weights stay exactly zero") {
  auto trainer = small_trainer<float>(small_settings(MethodKind::fixed_mask, 60));
  REQUIRE(trainer->run(60, {}).ok());
  for (const Diagnosis& diagnosis : trainer->history().diagnoses) {
    CHECK(diagnosis.flip_rate == 0);
    CHECK(diagnosis.actual == diagnosis.frozen);
  }
  for (const auto& weight : trainer->sparse()) {
    for (std::size_t i = 0; i < weight.mask.size(); ++i) CHECK((weight.mask[i] == 1 || weight.layer->weight.value[i] == 0));
  }
}

TEST_CASE("for a dense run frozen and actual descent agree, and the prediction is exact to first order") {
  auto settings = small_settings(MethodKind::dense);
  settings.optimizer.rate = 1e-6;
  settings.optimizer.warm_up = 0;
  auto trainer = small_trainer<double>(settings);
  REQUIRE(trainer->run(11, {}).ok());
  for (const Diagnosis& d : trainer->history().diagnoses) {
    CHECK(d.actual == d.frozen);
    CHECK(d.predicted_sparse == d.predicted_dense);
    // Steps of 1e-6: the second-order part is a millionth of the first-order one, times the curvature of a small net.
    CHECK(std::abs(d.actual - d.predicted_dense) < 1e-3 * std::abs(d.actual));
  }
}

TEST_CASE("uniform initial weights give S-STE the scale 1.75, Gaussian ones 1.4837") {
  Linear<double> layer("l", 256, 256, false, 0);
  SparseWeight<double> weight;
  weight.layer = &layer;
  MethodSettings settings;
  settings.kind = MethodKind::s_ste;
  auto method = make_method<double>(settings);
  REQUIRE(method.ok());
  initialise_uniform(layer, 4);
  method.value()->begin({}, weight);
  CHECK(std::abs(weight.scale - 1.75) < 0.03);
  initialise_normal(layer.weight, 0.02, 4, 1);
  method.value()->begin({}, weight);
  CHECK(std::abs(weight.scale - 1.4837) < 0.03);
  std::fill(layer.weight.value.begin(), layer.weight.value.end(), 0.0);
  method.value()->begin({}, weight);
  CHECK(weight.scale == 1);
}

TEST_CASE("bad data are refused with one sentence") {
  const auto samples = [](std::int64_t count) { return LabelledSamples{Matrix<float>(count, 4, 0.5f), std::vector<std::int32_t>(static_cast<std::size_t>(count), 1)}; };
  const auto create = [&](LabelledSamples train) {
    return Classification<float>::create({3, 4}, std::make_shared<LabelledSamples>(std::move(train)), std::make_shared<LabelledSamples>(samples(2)), 1);
  };
  CHECK(create(samples(8)).ok());
  auto bad = samples(8);
  bad.labels[5] = 3;
  const auto labels = create(bad);
  REQUIRE(!labels.ok());
  CHECK(labels.error().message == "Label 3 of training sample 5 is out of range; with 3 classes labels are 0 to 2.");
  bad = samples(8);
  bad.inputs.at(3, 2) = std::numeric_limits<float>::quiet_NaN();
  const auto nan = create(bad);
  REQUIRE(!nan.ok());
  CHECK(nan.error().code == "NOT_FINITE");
  CHECK(nan.error().message == "The training data are not finite: sample 3, feature 2; remove or repair that sample.");
  CHECK(!create(samples(3)).ok());
  CHECK(!CharacterText<float>::create({65, 64, 16, 0.1}, std::vector<std::int32_t>(40), 1).ok());
  CHECK(!CharacterText<float>::create({3, 4, 2, 0.5}, std::vector<std::int32_t>(40, 3), 1).ok());
}

TEST_CASE("a diverging loss stops the run with its step, history kept") {
  auto settings = small_settings(MethodKind::dense);
  settings.optimizer.rate = 1e30;
  auto trainer = small_trainer<float>(settings);
  const Status outcome = trainer->run(40, {});
  REQUIRE(!outcome.ok());
  CHECK(outcome.error().code == "NOT_FINITE");
  CHECK(outcome.error().message.find("at step " + std::to_string(trainer->step())) != std::string::npos);
  CHECK(static_cast<std::int64_t>(trainer->history().losses.size()) == trainer->step());
}

TEST_CASE("a checkpoint of another run, cut or damaged, changes nothing") {
  auto trainer = small_trainer<float>(small_settings(MethodKind::s_ste));
  REQUIRE(trainer->run(3, {}).ok());
  const auto before = trainer->save();
  auto other = small_trainer<float>(small_settings(MethodKind::ste));
  CHECK(trainer->restore(other->save()).error().message.find("belongs to another run") != std::string::npos);
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, before.size() / 2, before.size() - 1}) {
    CHECK(!trainer->restore({before.begin(), before.begin() + static_cast<std::ptrdiff_t>(length)}).ok());
  }
  auto damaged = before;
  damaged[before.size() / 3] ^= 1;
  CHECK(!trainer->restore(damaged).ok());
  CHECK(trainer->save() == before);
}

TEST_CASE("a cancel is obeyed between two steps") {
  auto trainer = small_trainer<float>(small_settings(MethodKind::s_ste));
  std::int32_t stop = 0;
  const JobControl control(&stop, [&](double done, double) { stop = done >= 7; });
  const Status outcome = trainer->run(40, control);
  REQUIRE(!outcome.ok());
  CHECK(outcome.error().code == "CANCELLED");
  CHECK(trainer->step() == 7);
}

TEST_CASE("a mask from outside must fit") {
  auto trainer = small_trainer<float>(small_settings(MethodKind::fixed_mask));
  CHECK(!trainer->set_mask(0, Mask(5)).ok());
  CHECK(!trainer->set_mask(9, Mask(128)).ok());
  CHECK(!trainer->set_mask(0, Mask(128, 2)).ok());
  CHECK(!small_trainer<float>(small_settings(MethodKind::ste))->set_mask(0, Mask(128, 1)).ok());
  Mask odd(128, 0);
  odd[3] = odd[17] = 1;
  REQUIRE(trainer->set_mask(0, odd).ok());
  REQUIRE(trainer->run(10, {}).ok());
  CHECK(trainer->sparse()[0].mask == odd);
}
