//===- TrainingFlags.cpp - how a model is trained -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TrainingFlags.h"

#include "Driver.h"

using namespace hgc;
using namespace hgc::driver;

void TrainingFlags::addTo(ArgParser &parser, TrainingOptions &options) {
  parser.flag("train", options.enabled, "add init, train_step and evaluate; needs --loss");
  parser.value("loss", "LOSS", options.loss,
               "what training makes small: sparse_categorical_crossentropy, mse, huber:delta=2");
  parser.value("optimizer", "OPTIMIZER", optimizer,
               "how parameters follow gradients: adam:lr=1e-3, sgd:lr=0.1,momentum=0.9 (default adam)");
  parser.value("lr-schedule", "SCHEDULE", options.schedule,
               "learning rate over steps: cosine:decay_steps=1000,warmup_steps=50 (default constant)");
  parser.value("regularize", "l1=X,l2=Y", options.regularize, "penalties of weights, added to the loss");
  parser.value("metrics", "NAME,...", options.metrics, "numbers beside the loss: accuracy,top_5_accuracy,mse,mae");
  parser.value("train-entry", "ENTRY", options.entry, "entry to train (default: the only one, or predict)");
}

llvm::Error TrainingFlags::finish(TrainingOptions &options) {
  if (!optimizer.empty())
    options.optimizer = optimizer;
  const std::pair<bool, const char *> flags[] = {{!options.loss.empty(), "--loss"},
                                                 {!optimizer.empty(), "--optimizer"},
                                                 {!options.schedule.empty(), "--lr-schedule"},
                                                 {!options.regularize.empty(), "--regularize"},
                                                 {!options.metrics.empty(), "--metrics"},
                                                 {!options.entry.empty(), "--train-entry"}};
  for (auto [isSet, name] : flags)
    if (isSet && !options.enabled)
      return usageError("'" + llvm::Twine(name) + "' has no training to hold for", "add --train");
  if (options.enabled && options.loss.empty())
    return usageError("'--train' needs a loss",
                      "add --loss sparse_categorical_crossentropy for classes, --loss mse for numbers");
  return llvm::Error::success();
}
