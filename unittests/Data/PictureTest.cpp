//===- PictureTest.cpp - histories and their pictures ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Picture.h"
#include "hgc/Data/History.h"
#include "unittests/Support/TestFiles.h"

#include "llvm/Support/Endian.h"
#include <zlib.h>

using namespace hgc;
using llvm::support::endian::read32be;

namespace {

/// Pixels of a PNG file as encodePng makes it; checks every chunk.
std::vector<uint8_t> decodePng(llvm::StringRef file, int width, int height) {
  EXPECT_TRUE(file.consume_front("\x89PNG\r\n\x1a\n"));
  std::string data;
  while (!file.empty()) {
    uint32_t size = read32be(file.data());
    llvm::StringRef body = file.substr(4, 4 + size);
    EXPECT_EQ(read32be(file.data() + 8 + size), crc32_z(0, reinterpret_cast<const Bytef *>(body.data()), body.size()));
    if (body.starts_with("IHDR")) {
      EXPECT_EQ(read32be(body.data() + 4), static_cast<uint32_t>(width));
      EXPECT_EQ(read32be(body.data() + 8), static_cast<uint32_t>(height));
    }
    if (body.starts_with("IDAT"))
      data = body.drop_front(4).str();
    file = file.drop_front(12 + size);
  }
  uLongf size = static_cast<uLongf>((3 * width + 1) * height);
  std::string rows(size, '\0');
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef *>(rows.data()), &size, reinterpret_cast<const Bytef *>(data.data()),
                       data.size()),
            Z_OK);
  std::vector<uint8_t> pixels;
  for (int y = 0; y < height; ++y)
    pixels.insert(pixels.end(), rows.begin() + y * (3 * width + 1) + 1, rows.begin() + (y + 1) * (3 * width + 1));
  return pixels;
}

History makeHistory() {
  History history;
  history.model = "mlp <1>";
  history.stepsPerEpoch = 2;
  history.names = {"loss", "accuracy", "val_loss"};
  history.epochs = {{{0.5, 0.75, 0.625}, 1.5, 100}, {{0.25, 0.875, 0.5}, 2, 75}};
  history.stepLosses = {0.6f, 0.4f, 0.3f, 0.2f};
  return history;
}

} // namespace

TEST(PictureTest, PngHoldsThePixels) {
  std::vector<uint8_t> pixels = {255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(decodePng(encodePng(3, 2, pixels), 3, 2), pixels);
}

TEST(PictureTest, LinesAndLettersAreDrawn) {
  Picture picture(20, 10);
  picture.line({{0, 5}, {20, 5}}, 0xFF0000, 2);
  std::vector<uint8_t> pixels = decodePng(picture.toPng(), 40, 20);
  auto pixel = [&](int x, int y) { return llvm::ArrayRef<uint8_t>(pixels).slice((y * 40 + x) * 3, 3).vec(); };
  EXPECT_EQ(pixel(20, 10), std::vector<uint8_t>({255, 0, 0}));
  EXPECT_EQ(pixel(20, 2), std::vector<uint8_t>({255, 255, 255}));
  Picture letters(10, 10);
  letters.text(0, 10, "I", Picture::Anchor::Start, 0);
  EXPECT_NE(decodePng(letters.toPng(), 20, 20), std::vector<uint8_t>(20 * 20 * 3, 255));
  EXPECT_EQ(getGlyph('A').vec(), getGlyph('a').vec());
  EXPECT_NE(getGlyph('o').vec(), getGlyph('0').vec());
  EXPECT_EQ(getGlyph('#').vec(), getGlyph('~').vec());
}

TEST(PictureTest, SvgIsText) {
  Picture picture(20, 10);
  picture.line({{0, 5}, {20, 5}}, 0x00FF00, 2);
  picture.text(3, 9, "a<b", Picture::Anchor::End, 0);
  std::string svg = picture.toSvg();
  EXPECT_NE(svg.find("stroke=\"#00ff00\" stroke-width=\"2.0\" points=\"0.0,5.0 20.0,5.0\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("text-anchor=\"end\">a&lt;b</text>"), std::string::npos) << svg;
}

TEST(HistoryTest, Files) {
  TestFolder folder;
  History history = makeHistory();
  ASSERT_EQ(errorOf(writeHistory(folder.file("h.csv"), history)), "");
  EXPECT_EQ(TestFolder::read(folder.file("h.csv")), "epoch,loss,accuracy,val_loss,seconds,samples_per_second\n"
                                                    "1,0.5,0.75,0.625,1.500,100.0\n2,0.25,0.875,0.5,2.000,75.0\n");
  history.test = {{"loss", 0.5}};
  ASSERT_EQ(errorOf(writeHistory(folder.file("h.json"), history)), "");
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(TestFolder::read(folder.file("h.json")));
  ASSERT_TRUE(static_cast<bool>(parsed));
  const llvm::json::Object &all = *parsed->getAsObject();
  EXPECT_EQ((*all.getArray("epochs"))[1].getAsObject()->getNumber("val_loss"), 0.5);
  EXPECT_EQ(all.getObject("steps")->getArray("loss")->size(), 4u);
  EXPECT_EQ(all.getObject("test")->getNumber("loss"), 0.5);
  expectError(errorOf(writeHistory(folder.file("h.txt"), history)), "is no name for a history");
}

TEST(HistoryTest, TableAndRoundTrip) {
  History history = makeHistory();
  EXPECT_EQ(formatHistory(history), "epoch      loss  accuracy  val_loss  samples/s\n"
                                    "    1    0.5000    0.7500    0.6250        100\n"
                                    "    2    0.2500    0.8750    0.5000         75\n");
  history.epochs[0].values[0] = 0.1 + 0.2; // all bits come back
  std::string text = llvm::formatv("{0}", epochsToJson(history)).str();
  llvm::Expected<std::vector<History::Epoch>> epochs = epochsFromJson(llvm::cantFail(llvm::json::parse(text)), 3);
  ASSERT_TRUE(static_cast<bool>(epochs));
  EXPECT_EQ((*epochs)[0].values, history.epochs[0].values);
  EXPECT_EQ((*epochs)[1].seconds, 2);
  expectError(errorOf(epochsFromJson(llvm::cantFail(llvm::json::parse(text)), 2)),
              "the epochs of the history are malformed");
}

TEST(HistoryTest, Curves) {
  TestFolder folder;
  History history = makeHistory();
  ASSERT_EQ(errorOf(writeCurve(folder.file("c.svg"), history)), "");
  std::string svg = TestFolder::read(folder.file("c.svg"));
  for (const char *text : {">val_loss<", ">accuracy<", ">epoch<", ">mlp &lt;1&gt;<", ">0.6<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text << " is not in\n" << svg;
  ASSERT_EQ(errorOf(writeCurve(folder.file("c.png"), history)), "");
  decodePng(TestFolder::read(folder.file("c.png")), 2080, 720);
  // Nothing measured, one epoch, and equal values are no reason to fail.
  history.stepLosses.clear();
  history.epochs.resize(1);
  history.names = {"loss"};
  history.epochs[0].values = {0};
  EXPECT_EQ(errorOf(writeCurve(folder.file("d.svg"), history)), "");
  EXPECT_EQ(TestFolder::read(folder.file("d.svg")).find("nan"), std::string::npos);
  history.epochs.clear();
  EXPECT_EQ(errorOf(writeCurve(folder.file("e.png"), history)), "");
  expectError(errorOf(writeCurve(folder.file("c.pdf"), history)), "is no name for a picture");
}
