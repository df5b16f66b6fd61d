//===- TargetSpec.cpp - the CPU code is generated for ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/TargetSpec.h"

#include "hgc/Target/DeviceTable.h"
#include "runtime/include/hgc_rt_abi.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {
struct FeatureBit {
  StringLiteral name;
  unsigned bit;
};
} // namespace

static constexpr StringLiteral kArmTriple = "aarch64-unknown-linux-gnu";

/// LLVM's names of the features the runtime can check.
static constexpr FeatureBit kX86Features[] = {{"sse3", HGC_RT_CPU_SSE3},
                                              {"ssse3", HGC_RT_CPU_SSSE3},
                                              {"sse4.1", HGC_RT_CPU_SSE41},
                                              {"sse4.2", HGC_RT_CPU_SSE42},
                                              {"popcnt", HGC_RT_CPU_POPCNT},
                                              {"cx16", HGC_RT_CPU_CX16},
                                              {"avx", HGC_RT_CPU_AVX},
                                              {"avx2", HGC_RT_CPU_AVX2},
                                              {"fma", HGC_RT_CPU_FMA},
                                              {"f16c", HGC_RT_CPU_F16C},
                                              {"bmi", HGC_RT_CPU_BMI1},
                                              {"bmi2", HGC_RT_CPU_BMI2},
                                              {"lzcnt", HGC_RT_CPU_LZCNT},
                                              {"movbe", HGC_RT_CPU_MOVBE},
                                              {"avx512f", HGC_RT_CPU_AVX512F},
                                              {"avx512bw", HGC_RT_CPU_AVX512BW},
                                              {"avx512cd", HGC_RT_CPU_AVX512CD},
                                              {"avx512dq", HGC_RT_CPU_AVX512DQ},
                                              {"avx512vl", HGC_RT_CPU_AVX512VL},
                                              {"avx512vnni", HGC_RT_CPU_AVX512VNNI},
                                              {"avx512bf16", HGC_RT_CPU_AVX512BF16},
                                              {"avx512fp16", HGC_RT_CPU_AVX512FP16},
                                              {"avxvnni", HGC_RT_CPU_AVXVNNI},
                                              {"amx-tile", HGC_RT_CPU_AMX_TILE},
                                              {"amx-int8", HGC_RT_CPU_AMX_INT8},
                                              {"amx-bf16", HGC_RT_CPU_AMX_BF16},
                                              {"avx512vbmi", HGC_RT_CPU_AVX512VBMI},
                                              {"avx512ifma", HGC_RT_CPU_AVX512IFMA}};
static constexpr FeatureBit kArmFeatures[] = {{"neon", HGC_RT_CPU_NEON},       {"fullfp16", HGC_RT_CPU_FP16},
                                              {"dotprod", HGC_RT_CPU_DOTPROD}, {"bf16", HGC_RT_CPU_BF16},
                                              {"i8mm", HGC_RT_CPU_I8MM},       {"sve", HGC_RT_CPU_SVE},
                                              {"sve2", HGC_RT_CPU_SVE2},       {"lse", HGC_RT_CPU_LSE}};

/// Features LLVM selects instructions of without being asked to.
static constexpr StringLiteral kX86Unchecked[] = {"sse4a",   "xop",          "fma4",         "tbm",
                                                  "gfni",    "avx512vbmi2",  "avx512bitalg", "avx512vpopcntdq",
                                                  "avxifma", "avxneconvert", "avxvnniint8",  "avxvnniint16",
                                                  "avx10.1", "avx10.2",      "cmpccxadd",    "ndd",
                                                  "egpr",    "ccmp",         "cf",           "zu",
                                                  "nf",      "ppx",          "push2pop2"};
static constexpr StringLiteral kArmUnchecked[] = {"rdm",    "sha3",      "mops", "cssc",     "flagm",   "altnzcv",
                                                  "rcpc",   "lse128",    "lse2", "jsconv",   "fptoint", "fp16fml",
                                                  "sve2p1", "sve2-sha3", "crc",  "complxnum"};

static void initializeTargets() {
  static const bool initialized = [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
    return true;
  }();
  (void)initialized;
}

/// LLVM's description of the CPU; null when the target has no such CPU, or when
/// hgc has no such target.
static std::unique_ptr<llvm::MCSubtargetInfo> describeCpu(const TargetSpec &spec) {
  llvm::Triple triple(spec.triple);
  std::string error;
  if (!triple.isOSLinux() || !(triple.isX86_64() || triple.isAArch64(64)) || !triple.isLittleEndian())
    return nullptr;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  // LLVM prints a warning of its own when asked about a CPU it does not know.
  std::unique_ptr<llvm::MCSubtargetInfo> known(target->createMCSubtargetInfo(triple, "", ""));
  if (!known || !known->isCPUStringValid(spec.cpu))
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(target->createMCSubtargetInfo(triple, spec.cpu, spec.features));
}

FailureOr<TargetSpec> TargetSpec::get(ModuleOp module) {
  initializeTargets();
  const DeviceTable &table = getCpuTable(module);
  TargetSpec spec;
  spec.cpu = table.llvmCpu;
  spec.features = table.llvmFeatures;
  if (auto extra = module->getAttrOfType<StringAttr>(kTargetFeaturesAttr); extra && !extra.empty())
    spec.features += (spec.features.empty() ? "" : ",") + extra.str();

  auto triple = module->getAttrOfType<StringAttr>(kTargetTripleAttr);
  spec.triple = llvm::Triple::normalize(triple ? triple.getValue() : StringRef(table.triple));
  std::unique_ptr<llvm::MCSubtargetInfo> info = describeCpu(spec);
  if (!info) {
    // At the place only: a note with the whole module would help nobody.
    InFlightDiagnostic diag = mlir::emitError(module.getLoc())
                              << "no code generator for CPU '" << spec.cpu << "' of target '" << spec.triple << "'";
    diag.attachNote() << "hint: use target " << kDefaultTriple << " or " << kArmTriple
                      << ", and name a CPU of it with --target-cpu";
    return diag;
  }
  bool isX86 = llvm::Triple(spec.triple).isX86();
  for (StringRef name : isX86 ? ArrayRef<StringLiteral>(kX86Unchecked) : ArrayRef<StringLiteral>(kArmUnchecked))
    if (info->checkFeatures(("+" + name).str()))
      spec.features += (spec.features.empty() ? "-" : ",-") + name.str();
  info = describeCpu(spec);
  for (const FeatureBit &feature : isX86 ? ArrayRef<FeatureBit>(kX86Features) : ArrayRef<FeatureBit>(kArmFeatures))
    if (info->checkFeatures(("+" + feature.name).str()))
      spec.runtimeFeatures |= UINT64_C(1) << feature.bit;
  return spec;
}

std::unique_ptr<llvm::TargetMachine> TargetSpec::createMachine(llvm::CodeGenOptLevel level) const {
  std::string error;
  llvm::Triple parsed(triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(parsed, error);
  llvm::TargetOptions options;
  options.FunctionSections = true;
  options.DataSections = true;
  options.UniqueSectionNames = true;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(parsed, cpu, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, level));
  // The selector that aarch64 takes without optimisation never ends for some vectors.
  if (machine)
    machine->setGlobalISel(false);
  return machine;
}
