//===- Picture.cpp - lines and texts as SVG or PNG ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Picture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace hgc;

void Picture::line(std::vector<Point> points, uint32_t colour, double strokeWidth) {
  lines.push_back({std::move(points), colour, strokeWidth});
}

void Picture::text(double x, double baseline, llvm::StringRef text, Anchor anchor, uint32_t colour) {
  texts.push_back({x, baseline, text.str(), anchor, colour});
}

//===----------------------------------------------------------------------===//
// SVG
//===----------------------------------------------------------------------===//

static std::string escape(llvm::StringRef text) {
  std::string out;
  for (char c : text)
    out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string Picture::toSvg() const {
  std::string out;
  llvm::raw_string_ostream os(out);
  os << llvm::formatv(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      width, height);
  for (const Line &line : lines) {
    os << llvm::formatv("<polyline fill=\"none\" stroke=\"#{0:x-6}\" stroke-width=\"{1:F1}\" points=\"", line.colour,
                        line.strokeWidth);
    llvm::interleave(
        line.points, os, [&](const Point &p) { os << llvm::formatv("{0:F1},{1:F1}", p.first, p.second); }, " ");
    os << "\"/>\n";
  }
  for (const Text &text : texts)
    os << llvm::formatv("<text x=\"{0:F1}\" y=\"{1:F1}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#{2:x-6}\" "
                        "text-anchor=\"{3}\">{4}</text>\n",
                        text.x, text.baseline, text.colour,
                        text.anchor == Anchor::Start    ? "start"
                        : text.anchor == Anchor::Middle ? "middle"
                                                        : "end",
                        escape(text.text));
  os << "</svg>\n";
  return out;
}

//===----------------------------------------------------------------------===//
// PNG
//===----------------------------------------------------------------------===//

namespace {

/// Pixels that are mixed with what is drawn.
class Canvas {
public:
  Canvas(int width, int height) : width(width), height(height), pixels(size_t(width) * height * 3, 0xFF) {}

  void blend(int x, int y, uint32_t colour, double cover) {
    if (x < 0 || y < 0 || x >= width || y >= height || cover <= 0)
      return;
    cover = std::min(cover, 1.0);
    for (int channel = 0; channel < 3; ++channel) {
      uint8_t &value = pixels[(size_t(y) * width + x) * 3 + channel];
      double wanted = (colour >> (16 - 8 * channel)) & 0xFF;
      value = static_cast<uint8_t>(std::lround(value + (wanted - value) * cover));
    }
  }

  /// Covers pixels by their distance from the line.
  void segment(Picture::Point a, Picture::Point b, uint32_t colour, double strokeWidth) {
    double reach = strokeWidth / 2 + 1;
    int x0 = static_cast<int>(std::min(a.first, b.first) - reach),
        x1 = static_cast<int>(std::max(a.first, b.first) + reach);
    int y0 = static_cast<int>(std::min(a.second, b.second) - reach),
        y1 = static_cast<int>(std::max(a.second, b.second) + reach);
    double dx = b.first - a.first, dy = b.second - a.second, length = dx * dx + dy * dy;
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        double px = x + 0.5 - a.first, py = y + 0.5 - a.second;
        double t = length > 0 ? std::clamp((px * dx + py * dy) / length, 0.0, 1.0) : 0;
        double distance = std::hypot(px - t * dx, py - t * dy);
        blend(x, y, colour, strokeWidth / 2 + 0.5 - distance);
      }
  }

  /// Letters take 6 columns of `scale` pixels each.
  void text(int x, int baseline, llvm::StringRef text, uint32_t colour, int scale) {
    for (char letter : text) {
      for (auto [column, bits] : llvm::enumerate(getGlyph(letter)))
        for (int row = 0; row < 7; ++row)
          for (int i = 0; (bits >> row & 1) && i < scale * scale; ++i)
            blend(x + static_cast<int>(column) * scale + i % scale, baseline - (7 - row) * scale + i / scale, colour,
                  1);
      x += 6 * scale;
    }
  }

  std::string encode() const { return encodePng(width, height, pixels); }

private:
  int width, height;
  std::vector<uint8_t> pixels;
};

} // namespace

std::string Picture::toPng() const {
  constexpr int kScale = 2;
  Canvas canvas(width * kScale, height * kScale);
  auto scaled = [&](const Point &p) { return Point(p.first * kScale, p.second * kScale); };
  for (const Line &line : lines)
    for (size_t i = 1; i < line.points.size(); ++i)
      canvas.segment(scaled(line.points[i - 1]), scaled(line.points[i]), line.colour, line.strokeWidth * kScale);
  for (const Text &text : texts) {
    int length = static_cast<int>(text.text.size()) * 6 * kScale;
    int shift = text.anchor == Anchor::Start ? 0 : text.anchor == Anchor::Middle ? length / 2 : length;
    canvas.text(static_cast<int>(text.x * kScale) - shift, static_cast<int>(text.baseline * kScale), text.text,
                text.colour, kScale);
  }
  return canvas.encode();
}
