//===- Picture.h - lines and texts as SVG or PNG ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_DATA_PICTURE_H
#define HGC_DATA_PICTURE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hgc {

/// A white sheet to draw on; the origin is the upper left corner, a unit is a
/// pixel, a colour is 0xRRGGBB.
class Picture {
public:
  using Point = std::pair<double, double>;
  enum class Anchor { Start, Middle, End };

  Picture(int width, int height) : width(width), height(height) {}

  void line(std::vector<Point> points, uint32_t colour, double strokeWidth);
  /// `baseline` is the lower edge of letters without descenders.
  void text(double x, double baseline, llvm::StringRef text, Anchor anchor, uint32_t colour);

  std::string toSvg() const;
  std::string toPng() const;

private:
  struct Line {
    std::vector<Point> points;
    uint32_t colour;
    double strokeWidth;
  };
  struct Text {
    double x, baseline;
    std::string text;
    Anchor anchor;
    uint32_t colour;
  };

  int width, height;
  std::vector<Line> lines;
  std::vector<Text> texts;
};

/// Columns of a letter in a 5 x 7 grid, the lowest bit on top; others than
/// letters, digits and usual signs are an empty box.
llvm::ArrayRef<uint8_t> getGlyph(char letter);

/// Pixels of 3 bytes (red, green, blue), row by row, as a PNG file.
std::string encodePng(int width, int height, llvm::ArrayRef<uint8_t> pixels);

} // namespace hgc

#endif // HGC_DATA_PICTURE_H
