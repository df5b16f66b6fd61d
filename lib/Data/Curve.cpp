//===- Curve.cpp - losses and metrics as a picture ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/History.h"
#include "hgc/Data/Picture.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <cmath>

using namespace hgc;
using Point = Picture::Point;

static constexpr double kPanelWidth = 520, kPanelHeight = 360, kLeft = 60, kRight = 20, kTop = 40, kBottom = 50;
static constexpr uint32_t kColours[] = {0x1F6FB4, 0xD9541E, 0x2E8B57, 0x8E44AD, 0xB8860B, 0x555555};
static constexpr uint32_t kFaint = 0xB9D3EA, kAxis = 0x444444, kGrid = 0xE4E4E4;

namespace {

/// A line of a panel; x counts epochs.
struct Series {
  std::string name;
  std::vector<Point> points;
  uint32_t colour;
};

/// Axes and what is drawn between them.
class Panel {
public:
  Panel(Picture &picture, double left) : picture(picture), left(left) {}

  void draw(llvm::ArrayRef<Series> series) {
    findRange(series);
    drawAxes();
    for (auto [i, line] : llvm::enumerate(series)) {
      std::vector<Point> points;
      for (const Point &p : line.points)
        points.push_back(place(p));
      if (points.size() == 1) // a lone point shows as a dash
        points = {{points[0].first - 4, points[0].second}, {points[0].first + 4, points[0].second}};
      picture.line(std::move(points), line.colour, line.colour == kFaint ? 1 : 2);
      if (line.name.empty())
        continue;
      double y = kTop + 16 + 16 * legend++, x = left + kPanelWidth - kRight - 140;
      picture.line({{x, y - 4}, {x + 18, y - 4}}, line.colour, 2);
      picture.text(x + 24, y, line.name, Picture::Anchor::Start, kAxis);
    }
  }

private:
  void findRange(llvm::ArrayRef<Series> series) {
    for (const Series &line : series)
      for (auto [x, y] : line.points) {
        lastX = std::max(lastX, x);
        low = std::min(low, y);
        high = std::max(high, y);
      }
    if (low > high)
      low = 0, high = 1;
    // A step of 1, 2 or 5 times a power of ten, for four to nine lines.
    double span = high > low ? high - low : std::max(std::fabs(high), 1e-3);
    step = std::pow(10, std::floor(std::log10(span / 4)));
    step *= span / step > 20 ? 5 : span / step > 9 ? 2 : 1;
    low = std::floor(low / step) * step;
    high = std::ceil(high / step) * step;
    high = high > low ? high : low + step;
  }

  Point place(Point p) const {
    return {left + kLeft + p.first / lastX * (kPanelWidth - kLeft - kRight),
            kTop + (high - p.second) / (high - low) * (kPanelHeight - kTop - kBottom)};
  }

  static std::string spell(double value) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.4g", value);
    return text;
  }

  void drawAxes() {
    for (int64_t i = 0, n = std::llround((high - low) / step); i <= n; ++i) {
      double value = low + step * static_cast<double>(i);
      value = std::fabs(value) < step / 2 ? 0 : value;
      picture.line({place({0, value}), place({lastX, value})}, kGrid, 1);
      picture.text(left + kLeft - 6, place({0, value}).second + 4, spell(value), Picture::Anchor::End, kAxis);
    }
    int64_t every = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(lastX / 10)));
    for (int64_t epoch = 0; epoch <= static_cast<int64_t>(lastX); epoch += every)
      picture.text(place({static_cast<double>(epoch), low}).first, kPanelHeight - kBottom + 18, std::to_string(epoch),
                   Picture::Anchor::Middle, kAxis);
    picture.text(left + (kLeft + kPanelWidth - kRight) / 2, kPanelHeight - 12, "epoch", Picture::Anchor::Middle, kAxis);
    picture.line({place({0, high}), place({0, low}), place({lastX, low})}, kAxis, 1);
  }

  Picture &picture;
  double left, lastX = 1, low = INFINITY, high = -INFINITY, step = 1;
  int legend = 0;
};

} // namespace

/// Losses of steps, averaged in groups so that a picture can show them.
static Series stepSeries(const History &history) {
  Series series{"", {}, kFaint};
  size_t count = history.stepLosses.size(), group = std::max<size_t>(1, (count + 399) / 400);
  for (size_t begin = 0; begin < count; begin += group) {
    size_t end = std::min(count, begin + group);
    double sum = 0;
    for (size_t i = begin; i < end; ++i)
      sum += history.stepLosses[i];
    series.points.emplace_back(static_cast<double>(end) /
                                   static_cast<double>(std::max<int64_t>(history.stepsPerEpoch, 1)),
                               sum / static_cast<double>(end - begin));
  }
  return series;
}

static bool isLoss(llvm::StringRef name) { return name.contains("loss"); }

llvm::Error hgc::checkCurveName(llvm::StringRef path) {
  if (path.ends_with(".svg") || path.ends_with(".png"))
    return llvm::Error::success();
  return makeError("'" + path + "' is no name for a picture", "end it in .svg or .png");
}

llvm::Error hgc::writeCurve(llvm::StringRef path, const History &history) {
  if (llvm::Error error = checkCurveName(path))
    return error;
  std::vector<Series> losses{stepSeries(history)}, metrics;
  for (llvm::StringRef name : history.names) {
    std::vector<Series> &panel = isLoss(name) ? losses : metrics;
    size_t used = isLoss(name) ? panel.size() - 1 : panel.size();
    Series series{name.str(), {}, kColours[used % std::size(kColours)]};
    for (auto [epoch, value] : llvm::enumerate(history.column(name)))
      series.points.emplace_back(static_cast<double>(epoch + 1), value);
    panel.push_back(std::move(series));
  }
  Picture picture(static_cast<int>(metrics.empty() ? kPanelWidth : 2 * kPanelWidth), static_cast<int>(kPanelHeight));
  picture.text(kLeft, 24, history.model, Picture::Anchor::Start, kAxis);
  Panel(picture, 0).draw(losses);
  if (!metrics.empty())
    Panel(picture, kPanelWidth).draw(metrics);
  return writeFile(path, path.ends_with(".svg") ? picture.toSvg() : picture.toPng());
}
