//===- HeaderTest.cpp - generated headers, names, hashes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModule.h"

#include "hgc/CodeGen/CPU/ModelInfo.h"
#include "hgc/CodeGen/CPU/TargetSpec.h"
#include "hgc/CodeGen/CPU/WeightsImage.h"
#include "hgc/Link/Link.h"
#include "runtime/include/hgc_rt_abi.h"
#include "runtime/include/hgc_rt_hash.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::test;

namespace {

TEST(CNames, MakesLegalIdentifiers) {
  cpu::CNames names;
  EXPECT_EQ(names.take("x"), "x");
  EXPECT_EQ(names.take("x"), "x_2");
  EXPECT_EQ(names.take("layer/0:out"), "layer_0_out");
  EXPECT_EQ(names.take("layer.0.out"), "layer_0_out_2");
  EXPECT_EQ(names.take("0"), "n_0");
  EXPECT_EQ(names.take(""), "n_");
  EXPECT_EQ(names.take("_Bool"), "n__Bool");
  EXPECT_EQ(names.take("class"), "class_");
  EXPECT_EQ(names.take("int64_t"), "int64_t_");
  EXPECT_EQ(names.take("hgc_rt"), "n_hgc_rt");
  EXPECT_EQ(names.take("pthread"), "pthread_");
}

TEST(StreamHash, EqualsTheRuntimesForAnyPieces) {
  std::vector<char> data(301);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<char>(i * 37);
  for (size_t size : {0, 1, 7, 8, 31, 32, 33, 64, 300, 301})
    for (size_t piece : {1, 5, 32, 100}) {
      cpu::StreamHash hash(size);
      for (size_t at = 0; at < size; at += piece)
        hash.update(ArrayRef<char>(data).slice(at, std::min(piece, size - at)));
      EXPECT_EQ(hash.finish(), hgc_rt_hash64(data.data(), size)) << size << " in pieces of " << piece;
    }
}

struct HeaderTest : testing::Test {
  HeaderTest() : context(MLIRContext::Threading::DISABLED) { loadDialects(context); }
  MLIRContext context;
};

TEST_F(HeaderTest, StatesTheInterface) {
  auto module = parse(context, getTinyModule());
  ASSERT_TRUE(module);
  auto header = link::generateHeader(*module);
  ASSERT_TRUE(static_cast<bool>(header));
  for (const char *text :
       {"#define TINY_ARENA_BYTES INT64_C(64)", "#define TINY_SCRATCH_BYTES_PER_THREAD INT64_C(128)",
        "#define TINY_WEIGHTS_BYTES INT64_C(96)", "#define TINY_STATE_BYTES INT64_C(4)",
        " * Compiled for rows = 1; rows = 4.\n", " * \\param x  input, f32[rows, 8]\n",
        "hgc_rt_status tiny_scale(tiny *model,\n    int64_t rows,\n    const float *x,\n    float *y);",
        "hgc_rt_status tiny_count(tiny *model,\n    float *total);", "#include \"hgc_rt.h\""})
    EXPECT_NE(header->find(text), std::string::npos) << text << "\nnot in\n" << *header;
  EXPECT_EQ(header->find("model_v1"), std::string::npos);
  // The same at stage llvm, when the kernels are gone.
  Compiled compiled = compile(context, getTinyModule());
  EXPECT_EQ(*header, llvm::cantFail(link::generateHeader(*compiled.module)));
  EXPECT_NE(llvm::cantFail(link::generateHeader(*module, true)).find("tiny_model_v1(void)"), std::string::npos);
}

TEST_F(HeaderTest, RuntimeHeaderIsEmbedded) {
  EXPECT_TRUE(link::getRuntimeHeader().contains("#define HGC_RT_H"));
  EXPECT_TRUE(link::getRuntimeHeader().ends_with("#endif /* HGC_RT_H */\n"));
}

TEST_F(HeaderTest, UnknownTargetIsAnError) {
  auto module = parse(context, getTinyModule("hgc.target_triple = \"sparc-sun-solaris\", "));
  std::string text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
    text += diag.str();
    for (Diagnostic &note : diag.getNotes())
      text += "\n" + note.str();
  });
  EXPECT_TRUE(failed(cpu::TargetSpec::get(*module)));
  EXPECT_NE(text.find("no code generator for CPU 'x86-64-v3' of target 'sparc-sun-solaris'\nhint: use target "),
            std::string::npos)
      << text;
}

TEST_F(HeaderTest, TargetFeaturesComeFromLLVM) {
  auto module = parse(context, getTinyModule("hgc.target_cpu = \"x86-64-v3\", "));
  auto target = cpu::TargetSpec::get(*module);
  ASSERT_TRUE(succeeded(target));
  auto has = [&](unsigned bit) { return (target->runtimeFeatures >> bit & 1) != 0; };
  EXPECT_TRUE(has(HGC_RT_CPU_AVX2) && has(HGC_RT_CPU_FMA) && has(HGC_RT_CPU_F16C) && has(HGC_RT_CPU_MOVBE));
  EXPECT_FALSE(has(HGC_RT_CPU_AVX512F) || has(HGC_RT_CPU_NEON));
  (*module)->setAttr(cpu::kTargetFeaturesAttr, StringAttr::get(&context, "+gfni,-fma"));
  target = cpu::TargetSpec::get(*module);
  ASSERT_TRUE(succeeded(target));
  EXPECT_FALSE(has(HGC_RT_CPU_FMA));
  // The runtime cannot check for it, so LLVM must not use it.
  EXPECT_EQ(target->features, "+gfni,-fma,-gfni");
}

} // namespace
