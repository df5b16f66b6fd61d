//===- LinkTest.cpp - libraries made from a module written by hand --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModule.h"

#include "hgc/Link/Link.h"
#include "runtime/include/hgc_rt.h"

#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <dlfcn.h>
#include <set>

using namespace mlir;
using namespace hgc;
using namespace hgc::test;

namespace {

using Create = hgc_rt_status (*)(const hgc_rt_options *, void **);
using Destroy = void (*)(void *);
using Scale = hgc_rt_status (*)(void *, int64_t, const float *, float *);
using Count = hgc_rt_status (*)(void *, float *);
using LastError = const char *(*)();

struct LinkTest : testing::Test {
  LinkTest() : context(MLIRContext::Threading::DISABLED) { loadDialects(context); }

  std::string link(const Compiled &compiled, StringRef name, bool externalWeights = false) {
    link::LinkOptions options;
    options.output = folder.file(name);
    options.externalWeights = externalWeights;
    llvm::Error error = link::linkSharedLibrary(*compiled.module, compiled.object, options);
    return error ? llvm::toString(std::move(error)) : "";
  }

  static std::string read(StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  MLIRContext context;
  TempFolder folder;
};

/// A loaded library.
struct Library {
  explicit Library(const std::string &path) : handle(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  ~Library() {
    if (handle)
      dlclose(handle);
  }
  template <typename T> T get(const char *name) { return reinterpret_cast<T>(dlsym(handle, name)); }
  void *handle;
};

void checkScale(Library &library) {
  ASSERT_TRUE(library.handle) << dlerror();
  void *model = nullptr;
  ASSERT_EQ(library.get<Create>("tiny_create")(nullptr, &model), HGC_RT_OK)
      << library.get<LastError>("tiny_last_error")();
  float x[32], y[32];
  for (int i = 0; i < 32; ++i)
    x[i] = i;
  auto scale = library.get<Scale>("tiny_scale");
  for (int64_t rows : {1, 4}) {
    ASSERT_EQ(scale(model, rows, x, y), HGC_RT_OK);
    for (int i = 0; i < rows * 8; ++i)
      EXPECT_EQ(y[i], i * (i % 8) + 0.5f);
  }
  EXPECT_EQ(scale(model, 3, x, y), HGC_RT_NO_VARIANT);
  EXPECT_NE(std::string(library.get<LastError>("tiny_last_error")()), "");
  float total = 0;
  ASSERT_EQ(library.get<Count>("tiny_count")(model, &total), HGC_RT_OK);
  EXPECT_EQ(total, 1.5f);
  ASSERT_EQ(scale(model, 1, x, y), HGC_RT_OK);
  EXPECT_EQ(y[0], 1.5f);
  library.get<Destroy>("tiny_destroy")(model);
}

TEST_F(LinkTest, SharedLibraryRuns) {
  Compiled compiled = compile(context, getTinyModule());
  ASSERT_TRUE(compiled.module);
  ASSERT_EQ(link(compiled, "a.so"), "");
  Library library(folder.file("a.so"));
  checkScale(library);
  EXPECT_TRUE(library.get<void *>("hgc_model_v1"));
  EXPECT_TRUE(library.get<void *>("tiny_scale_start"));
}

TEST_F(LinkTest, OnlyTheInterfaceIsVisible) {
  Compiled compiled = compile(context, getTinyModule());
  ASSERT_EQ(link(compiled, "a.so"), "");
  auto file = llvm::object::ObjectFile::createObjectFile(folder.file("a.so"));
  ASSERT_TRUE(static_cast<bool>(file));
  std::set<std::string> names;
  auto &elf = llvm::cast<llvm::object::ELFObjectFileBase>(*file->getBinary());
  for (const llvm::object::ELFSymbolRef &symbol : elf.getDynamicSymbolIterators())
    if (!(llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined))
      names.insert(llvm::cantFail(symbol.getName()).str());
  EXPECT_EQ(names, (std::set<std::string>{"hgc_model_v1", "tiny_count", "tiny_count_start", "tiny_create",
                                          "tiny_destroy", "tiny_last_error", "tiny_load", "tiny_save", "tiny_scale",
                                          "tiny_scale_start", "tiny_wait"}));
  EXPECT_TRUE(elf.symbol_begin() == elf.symbol_end()) << "not stripped";
}

TEST_F(LinkTest, BytesDoNotDependOnTheOutputName) {
  Compiled first = compile(context, getTinyModule()), second = compile(context, getTinyModule());
  ASSERT_EQ(link(first, "a.so"), "");
  ASSERT_EQ(link(second, "another_name.so"), "");
  std::string bytes = read(folder.file("a.so"));
  EXPECT_FALSE(bytes.empty());
  EXPECT_LE(bytes.size(), 64u << 10);
  EXPECT_EQ(bytes, read(folder.file("another_name.so")));
  EXPECT_EQ(bytes.find(folder.path), std::string::npos);
}

TEST_F(LinkTest, LeavesNothingBehind) {
  Compiled compiled = compile(context, getTinyModule());
  ASSERT_EQ(link(compiled, "a.so"), "");
  std::error_code error;
  int files = 0;
  for (llvm::sys::fs::directory_iterator it(folder.path, error), end; it != end; it.increment(error))
    ++files;
  EXPECT_EQ(files, 1);
}

TEST_F(LinkTest, ExternalWeights) {
  Compiled compiled = compile(context, getTinyModule(), false, /*externalWeights=*/true);
  ASSERT_EQ(link(compiled, "a.so", true), "");
  auto path = link::writeWeightsFile(*compiled.module, folder.path);
  ASSERT_TRUE(static_cast<bool>(path)) << llvm::toString(path.takeError());
  EXPECT_EQ(*path, folder.file("tiny.weights.safetensors"));
  std::string contents = read(*path);
  EXPECT_EQ(contents.size(), 4096u + 64 + 32);
  EXPECT_NE(contents.find("\"w\":{\"dtype\":\"F32\",\"shape\":[8],\"data_offsets\":[64,96]}"), std::string::npos);
  Library library(folder.file("a.so"));
  checkScale(library);
}

TEST_F(LinkTest, MissingFolder) {
  Compiled compiled = compile(context, getTinyModule());
  std::string error = link(compiled, "missing/a.so");
  EXPECT_NE(error.find("its folder does not exist\nhint: create '"), std::string::npos) << error;
}

TEST_F(LinkTest, UnplannedModule) {
  auto module = parse(context, "exec.blob @w : memref<8xf32> = dense<1.0>");
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  link::LinkOptions options;
  options.output = folder.file("a.so");
  std::string error = llvm::toString(link::linkSharedLibrary(*module, {}, options));
  EXPECT_EQ(error, "the module is not a planned model\nhint: see the errors above");
}

TEST_F(LinkTest, OutputIsAFolder) {
  Compiled compiled = compile(context, getTinyModule());
  llvm::sys::fs::create_directory(folder.file("a.so"));
  std::string error = link(compiled, "a.so");
  EXPECT_NE(error.find("cannot write '"), std::string::npos) << error;
  EXPECT_NE(error.find("hint: remove what is there, or name another output"), std::string::npos) << error;
}

TEST_F(LinkTest, UndefinedFunctionIsAnError) {
  std::string text = getTinyModule();
  StringRef place = "llvm.func @count_code(%args: !llvm.ptr, %begin: i64, %end: i64) {\n";
  text.replace(text.find(place.str()), place.size(),
               "llvm.func @nobody_has_this()\n" + place.str() + "llvm.call @nobody_has_this() : () -> ()\n");
  Compiled compiled = compile(context, text);
  ASSERT_TRUE(compiled.module);
  std::string error = link(compiled, "a.so");
  EXPECT_NE(error.find("undefined symbol: nobody_has_this"), std::string::npos) << error;
  EXPECT_FALSE(llvm::sys::fs::exists(folder.file("a.so")));
  // The linker survives its errors.
  EXPECT_EQ(link(compile(context, getTinyModule()), "a.so"), "");
}

TEST_F(LinkTest, OtherArchitecture) {
  Compiled compiled = compile(context, getTinyModule("hgc.target_cpu = \"neoverse-n1\", "));
  ASSERT_TRUE(compiled.module);
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(compiled.getObject(), "tiny.o"));
  ASSERT_TRUE(static_cast<bool>(object));
  EXPECT_EQ((*object)->getArch(), llvm::Triple::aarch64);
  // Whether this build could make the runtime depends on the machine.
  std::string error = link(compiled, "a.so"), expected;
  if (llvm::Error missing = link::checkTarget("aarch64-unknown-linux-gnu")) {
    expected = llvm::toString(std::move(missing));
    EXPECT_TRUE(StringRef(expected).starts_with("this hgc holds no runtime for 'aarch64-unknown-linux-gnu'\nhint: "));
  }
  EXPECT_EQ(error, expected);
  EXPECT_EQ(llvm::sys::fs::exists(folder.file("a.so")), expected.empty());
}

TEST_F(LinkTest, StaticLibraryHidesItsRuntime) {
  Compiled compiled = compile(context, getTinyModule(), /*staticLibrary=*/true);
  link::LinkOptions options;
  options.output = folder.file("a.a");
  llvm::Error failure = link::linkStaticLibrary(*compiled.module, compiled.object, options);
  ASSERT_FALSE(static_cast<bool>(failure)) << llvm::toString(std::move(failure));
  auto buffer = llvm::MemoryBuffer::getFile(options.output);
  ASSERT_TRUE(static_cast<bool>(buffer));
  auto archive = llvm::object::Archive::create(**buffer);
  ASSERT_TRUE(static_cast<bool>(archive));
  std::set<std::string> names;
  for (const llvm::object::Archive::Symbol &symbol : (*archive)->symbols())
    names.insert(symbol.getName().str());
  EXPECT_EQ(names, (std::set<std::string>{"hgc_weights_tiny", "tiny_count", "tiny_count_start", "tiny_create",
                                          "tiny_destroy", "tiny_last_error", "tiny_load", "tiny_model_v1", "tiny_save",
                                          "tiny_scale", "tiny_scale_start", "tiny_wait"}));
}

} // namespace
