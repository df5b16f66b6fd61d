//===- OutputFileTest.cpp - files that appear complete or not at all ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/OutputFile.h"
#include "TestFiles.h"

using namespace hgc;

TEST(OutputFileTest, KeepWritesTheFile) {
  TestFolder folder;
  ASSERT_EQ(errorOf(writeFile(folder.file("out"), "hello")), "");
  EXPECT_EQ(TestFolder::read(folder.file("out")), "hello");
  EXPECT_EQ(folder.countFiles(), 1);
}

TEST(OutputFileTest, DroppedLeavesNoTrace) {
  TestFolder folder;
  folder.write("out", "old");
  {
    auto out = OutputFile::create(folder.file("out"));
    ASSERT_TRUE(static_cast<bool>(out));
    (*out)->os() << "half";
  }
  EXPECT_EQ(TestFolder::read(folder.file("out")), "old");
  EXPECT_EQ(folder.countFiles(), 1);
}

TEST(OutputFileTest, NothingIsVisibleBeforeKeep) {
  TestFolder folder;
  auto out = OutputFile::create(folder.file("out"));
  ASSERT_TRUE(static_cast<bool>(out));
  (*out)->os() << "text";
  EXPECT_FALSE(llvm::sys::fs::exists(folder.file("out")));
  ASSERT_EQ(errorOf((*out)->keep()), "");
  EXPECT_EQ(TestFolder::read(folder.file("out")), "text");
}

TEST(OutputFileTest, SymbolicLinksStay) {
  TestFolder folder;
  folder.write("real", "old");
  ASSERT_FALSE(llvm::sys::fs::create_link(folder.file("real"), folder.file("link")));
  ASSERT_EQ(errorOf(writeFile(folder.file("link"), "new")), "");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(folder.file("link")));
  EXPECT_EQ(TestFolder::read(folder.file("real")), "new");
}

TEST(OutputFileTest, DevicesAreWrittenInPlace) {
  ASSERT_EQ(errorOf(writeFile("/dev/null", "text")), "");
  llvm::sys::fs::file_status status;
  ASSERT_FALSE(llvm::sys::fs::status("/dev/null", status));
  EXPECT_EQ(status.type(), llvm::sys::fs::file_type::character_file);
}

TEST(OutputFileTest, ExecutableFiles) {
  TestFolder folder;
  ASSERT_EQ(errorOf(writeFile(folder.file("run"), "x", /*executable=*/true)), "");
  EXPECT_TRUE(llvm::sys::fs::can_execute(folder.file("run")));
}

TEST(OutputFileTest, DurableFiles) {
  TestFolder folder;
  folder.write("out", "old");
  auto out = OutputFile::create(folder.file("out"));
  ASSERT_TRUE(static_cast<bool>(out));
  (*out)->os() << "new";
  EXPECT_EQ(TestFolder::read(folder.file("out")), "old");
  ASSERT_EQ(errorOf((*out)->keep(/*durable=*/true)), "");
  EXPECT_EQ(TestFolder::read(folder.file("out")), "new");
  EXPECT_EQ(folder.countFiles(), 1);
}

TEST(OutputFileTest, Errors) {
  TestFolder folder;
  expectError(errorOf(OutputFile::create(folder.file("missing/out"))), "cannot write");
  expectError(errorOf(OutputFile::create(folder.path)), "it is a directory");
}
