//===- Header.cpp - the typed C header of a model -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clean C99 and C++ with all warnings on. Everything in it comes from the same
// ModelInfo as the library's descriptor.
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::link;

namespace {

/// Writes the header of one model.
class HeaderWriter {
public:
  HeaderWriter(const LinkJob &job, llvm::raw_ostream &out)
      : info(job.info), weightsBytes(job.weights.getByteSize()), out(out) {}

  void write(bool staticLibrary);

private:
  void writeConstants();
  void writeInstance();
  void writeEntry(const cpu::EntryInfo &entry);
  void writeComment(const cpu::EntryInfo &entry);
  void writePrototype(StringRef name, const cpu::EntryInfo &entry, bool start);
  void writeConstant(StringRef name, int64_t value, StringRef comment);

  const cpu::ModelInfo &info;
  int64_t weightsBytes;
  llvm::raw_ostream &out;
};

} // namespace

std::string link::commentText(StringRef text) {
  std::string safe;
  for (char c : text)
    safe += llvm::isAlnum(c) || StringRef("_-.,:;+=()[]<>$@# ").contains(c) ? c : '_';
  return safe;
}

static std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string link::describe(const cpu::TensorInfo &tensor, const cpu::EntryInfo &entry) {
  std::string text = typeName(tensor.element) + "[";
  for (auto [i, dim] : llvm::enumerate(tensor.dims)) {
    text += i ? ", " : "";
    text += dim < 0 ? commentText(entry.dimNames[-1 - dim]) : std::to_string(dim);
  }
  text += "]";
  if (tensor.element.isF16() || tensor.element.isBF16())
    text += ", bits of each element";
  if (tensor.element.isInteger(1))
    text += ", each 0 or 1";
  if (tensor.gpu)
    text += "; device pointer (GPU " + std::to_string(*tensor.gpu) + ") when the GPU plan runs";
  return text;
}

/// `batch = 1; batch = 32`
static std::string describeVariants(const cpu::EntryInfo &entry) {
  std::string text;
  for (exec::ProgramOp program : entry.variants) {
    text += text.empty() ? "" : "; ";
    for (auto [i, extent] : llvm::enumerate(program.getDims()))
      text += (i ? ", " : "") + commentText(entry.dimNames[i]) + " = " + std::to_string(extent);
  }
  return text;
}

/// Whether output `index` is the actual shape of another one.
static bool isShape(const cpu::EntryInfo &entry, size_t index) {
  return llvm::any_of(entry.outputs, [&](const cpu::TensorInfo &other) { return other.shapeOutput == index; });
}

void HeaderWriter::writeConstant(StringRef name, int64_t value, StringRef comment) {
  out << "#define " << StringRef(info.cName).upper() << "_" << name << " INT64_C(" << value << ") /**< " << comment
      << " */\n";
}

void HeaderWriter::writeConstants() {
  out << "/* Memory of an instance in bytes; nothing else is allocated during calls. */\n";
  writeConstant("ARENA_BYTES", info.arenaBytes, "intermediate results");
  writeConstant("SCRATCH_BYTES_PER_THREAD", info.scratchBytes, "working memory of kernels");
  writeConstant("STATE_BYTES", info.stateBytes, "mutable parameters");
  writeConstant("WEIGHTS_BYTES", weightsBytes, "read-only, shared by all instances");
  for (auto [i, gpu] : llvm::enumerate(info.gpus)) {
    std::string prefix = "GPU" + std::to_string(i);
    writeConstant(prefix + "_ARENA_BYTES", gpu.arenaBytes, "intermediate results, when the GPU plan runs");
    writeConstant(prefix + "_SCRATCH_BYTES", gpu.scratchBytes * exec::kLaunchStreams, "working memory of its kernels");
    writeConstant(prefix + "_WORKSPACE_BYTES", gpu.workspaceBytes * exec::kLaunchStreams,
                  "working memory of cuBLAS, where it is installed");
    writeConstant(prefix + "_STATE_BYTES", gpu.stateBytes, "mutable parameters kept there");
    writeConstant(prefix + "_WEIGHTS_BYTES", gpu.weightsBytes, "read-only");
    writeConstant(prefix + "_BYTES", gpu.getTotalBytes(), "all that an instance allocates there");
  }
  out << "\n";
}

void HeaderWriter::writeInstance() {
  const std::string &name = info.cName;
  out << "/** An instance of the model. A pointer to it may be cast to hgc_rt_model *. */\n"
      << "typedef struct " << name << " " << name << ";\n\n"
      << "/** Makes an instance; `options` may be NULL. `*out` is set on success only. */\n"
      << "hgc_rt_status " << name << "_create(const hgc_rt_options *options, " << name << " **out);\n\n"
      << "/** Waits for calls in flight and frees the instance. NULL is allowed. */\n"
      << "void " << name << "_destroy(" << name << " *model);\n\n"
      << "/** Waits for a call that a function `..._start` began; returns its status. */\n"
      << "hgc_rt_status " << name << "_wait(" << name << " *model, hgc_rt_ticket ticket);\n\n"
      << "/** Message of this thread's last failure in this library, \"\" if none. */\n"
      << "const char *" << name << "_last_error(void);\n\n";
  if (!info.hasState())
    return;
  out << "/** Writes the mutable parameters to a safetensors file; the old file stays if it fails. */\n"
      << "hgc_rt_status " << name << "_save(" << name << " *model, const char *path);\n\n"
      << "/** Reads what " << name << "_save wrote; a file that does not fit changes nothing. */\n"
      << "hgc_rt_status " << name << "_load(" << name << " *model, const char *path);\n\n";
}

void HeaderWriter::writeComment(const cpu::EntryInfo &entry) {
  out << "/** Runs '" << commentText(entry.name) << "' and waits for it.\n *\n";
  if (!entry.dimNames.empty())
    out << " * Compiled for " << describeVariants(entry) << ".\n *\n";
  for (auto [dim, cName] : llvm::zip_equal(entry.dimNames, entry.dimCNames))
    out << " * \\param " << cName << "  extent of dim '" << commentText(dim) << "'\n";
  for (const cpu::TensorInfo &tensor : entry.inputs)
    out << " * \\param " << tensor.cName << "  input, " << describe(tensor, entry) << "\n";
  for (auto [i, tensor] : llvm::enumerate(entry.outputs)) {
    out << " * \\param " << tensor.cName << "  output, " << describe(tensor, entry);
    if (tensor.shapeOutput)
      out << " at most; the actual shape\n *   is in " << entry.outputs[*tensor.shapeOutput].cName
          << ", its elements are the first ones of the buffer";
    for (const cpu::TensorInfo &other : entry.outputs)
      if (other.shapeOutput == i)
        out << ", actual shape of " << other.cName;
    out << "\n";
  }
  out << " * \\return HGC_RT_OK, or a status that " << info.cName << "_last_error() explains.\n */\n";
}

void HeaderWriter::writePrototype(StringRef name, const cpu::EntryInfo &entry, bool start) {
  out << "hgc_rt_status " << name << "(" << info.cName << " *model";
  for (const std::string &dim : entry.dimCNames)
    out << ",\n    int64_t " << dim;
  for (const cpu::TensorInfo &tensor : entry.inputs)
    out << ",\n    const " << cpu::getCType(tensor.element) << " *" << tensor.cName;
  for (auto [i, tensor] : llvm::enumerate(entry.outputs)) {
    out << ",\n    " << cpu::getCType(tensor.element) << " ";
    // C takes no array without elements.
    if (isShape(entry, i) && tensor.dims[0] > 0)
      out << tensor.cName << "[" << tensor.dims[0] << "]";
    else
      out << "*" << tensor.cName;
  }
  out << (start ? ",\n    hgc_rt_ticket *ticket" : "") << ");\n\n";
}

void HeaderWriter::writeEntry(const cpu::EntryInfo &entry) {
  std::string name = info.cName + "_" + entry.cName;
  for (const cpu::TensorInfo &tensor : entry.outputs)
    if (tensor.shapeOutput)
      writeConstant(StringRef(entry.cName + "_" + tensor.cName + "_MAX_BYTES").upper(), cpu::getMaxBytes(entry, tensor),
                    "room that output needs");
  writeComment(entry);
  writePrototype(name, entry, /*start=*/false);
  out << "/** As " << name << ", but returns at once. Buffers are borrowed until\n"
      << " *  " << info.cName << "_wait(model, *ticket); at most two calls are in flight. */\n";
  writePrototype(name + "_start", entry, /*start=*/true);
}

void HeaderWriter::write(bool staticLibrary) {
  out << "/* " << info.cName << " - C interface of model '" << commentText(info.name)
      << "'. Generated by hgc; do not edit.\n *\n"
      << " * Tensors are dense and row-major, and belong to the caller. An instance serves\n"
      << " * one caller at a time; separate instances may run in parallel.\n */\n"
      << "#ifndef HGC_MODEL_" << info.cName << "_H\n#define HGC_MODEL_" << info.cName << "_H\n\n"
      << "#include \"hgc_rt.h\"\n\n"
      << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  writeConstants();
  writeInstance();
  for (const cpu::EntryInfo &entry : info.entries)
    writeEntry(entry);
  if (staticLibrary)
    out << "/** The model for hosts that do without this header's types. */\n"
        << "const hgc_rt_model_export *" << cpu::getExportSymbol(info, staticLibrary) << "(void);\n\n";
  out << "#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

llvm::Expected<std::string> link::generateHeader(ModuleOp module, bool staticLibrary) {
  llvm::Expected<LinkJob> job = LinkJob::create(module);
  if (!job)
    return job.takeError();
  std::string text;
  llvm::raw_string_ostream out(text);
  HeaderWriter(*job, out).write(staticLibrary);
  return text;
}
