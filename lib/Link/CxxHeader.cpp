//===- CxxHeader.cpp - the C++ class of a model ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Repeats the C header behind its guard, so that neither depends on the name the
// other's file was given.
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::link;

namespace {

/// Writes the class of one model.
class CxxWriter {
public:
  CxxWriter(const cpu::ModelInfo &info, llvm::raw_ostream &out);
  void write();

private:
  void writeEntry(const cpu::EntryInfo &entry);
  /// Members of the class that serve an entry.
  struct EntryNames {
    std::string call, start, arguments, check;
  };

  EntryNames nameMembers(const cpu::EntryInfo &entry);
  void writeArguments(const cpu::EntryInfo &entry, StringRef name);
  void writeSizes(const cpu::EntryInfo &entry);
  void writeCheck(const cpu::EntryInfo &entry, const EntryNames &names);
  void writeCall(const cpu::EntryInfo &entry, const EntryNames &names, bool start);

  const cpu::ModelInfo &info;
  llvm::raw_ostream &out;
  cpu::CNames members;
};

} // namespace

CxxWriter::CxxWriter(const cpu::ModelInfo &info, llvm::raw_ostream &out) : info(info), out(out) {
  // Members of hgc::model and of the class itself.
  for (const char *name : {"check", "create", "describe", "device", "device_name", "fallback_reason", "get_param",
                           "handle", "memory", "model", "reset", "save", "set_param", "set_threads", "threads"})
    members.reserve(name);
  members.reserve(info.cName);
}

/// Names of the functions that tell the sizes of inputs and outputs, in order.
static std::vector<std::string> nameSizes(const cpu::EntryInfo &entry) {
  cpu::CNames names;
  for (const std::string &dim : entry.dimCNames)
    names.reserve(dim);
  auto tensors = llvm::concat<const cpu::TensorInfo>(entry.inputs, entry.outputs);
  for (const cpu::TensorInfo &tensor : tensors)
    names.reserve(tensor.cName);
  std::vector<std::string> sizes;
  for (const cpu::TensorInfo &tensor : tensors)
    sizes.push_back(names.take(tensor.cName + "_size"));
  return sizes;
}

void CxxWriter::writeSizes(const cpu::EntryInfo &entry) {
  std::vector<std::string> names = nameSizes(entry);
  auto tensors = llvm::concat<const cpu::TensorInfo>(entry.inputs, entry.outputs);
  for (const auto &[tensor, name] : llvm::zip(tensors, names)) {
    out << "    static constexpr ::std::int64_t " << name << "(";
    llvm::interleaveComma(llvm::seq<size_t>(0, entry.dimCNames.size()), out, [&, &dims = tensor.dims](size_t i) {
      out << "::std::int64_t";
      if (llvm::is_contained(dims, -1 - static_cast<int64_t>(i)))
        out << " " << entry.dimCNames[i];
    });
    out << ") {\n      return ::hgc::detail::count({";
    llvm::interleaveComma(tensor.dims, out, [&](int64_t dim) {
      if (dim < 0)
        out << entry.dimCNames[-1 - dim];
      else
        out << dim;
    });
    out << "});\n    }\n";
  }
}

void CxxWriter::writeArguments(const cpu::EntryInfo &entry, StringRef name) {
  out << "  /// Arguments of '" << commentText(entry.name) << "', and how many elements each tensor has.\n"
      << "  struct " << name << " {\n";
  for (auto [dim, cName] : llvm::zip_equal(entry.dimNames, entry.dimCNames))
    out << "    ::std::int64_t " << cName << " = 0; ///< extent of dim '" << commentText(dim) << "'\n";
  for (const cpu::TensorInfo &tensor : entry.inputs)
    out << "    ::hgc::view<const " << cpu::getCType(tensor.element) << "> " << tensor.cName << " = {}; ///< input, "
        << describe(tensor, entry) << "\n";
  for (const cpu::TensorInfo &tensor : entry.outputs)
    out << "    ::hgc::view<" << cpu::getCType(tensor.element) << "> " << tensor.cName << " = {}; ///< output, "
        << describe(tensor, entry) << (tensor.shapeOutput ? " at most" : "") << "\n";
  writeSizes(entry);
  out << "  };\n\n";
}

void CxxWriter::writeCheck(const cpu::EntryInfo &entry, const EntryNames &names) {
  out << "  /// Whether the views have these sizes.\n  static ::hgc::status " << names.check << "(const "
      << names.arguments << " &args) {\n";
  std::string dims =
      llvm::join(llvm::map_range(entry.dimCNames, [](const std::string &dim) { return "args." + dim; }), ", ");
  for (auto [i, size] : llvm::enumerate(nameSizes(entry))) {
    bool isInput = i < entry.inputs.size();
    const cpu::TensorInfo &tensor = isInput ? entry.inputs[i] : entry.outputs[i - entry.inputs.size()];
    out << "    if (::hgc::status bad = ::hgc::detail::check_size(\n            \""
        << (isInput ? "input '" : "output '") << commentText(tensor.name) << "'\", args." << tensor.cName
        << ".size(),\n            args." << size << "(" << dims << ")" << (tensor.shapeOutput ? ", false" : "")
        << ");\n        !bad)\n      return bad;\n";
  }
  // Without tensors there is nothing to look at.
  out << "    return (void)args, ::hgc::status();\n  }\n\n";
}

void CxxWriter::writeCall(const cpu::EntryInfo &entry, const EntryNames &names, bool start) {
  out << (start ? "  ::hgc::result<::hgc::ticket> " : "  ::hgc::status ") << (start ? names.start : names.call)
      << "(const " << names.arguments << " &args) {\n    if (::hgc::status bad = " << names.check
      << "(args); !bad)\n      return bad;\n"
      << (start ? "    hgc_rt_ticket number = 0;\n" : "") << "    ::hgc::status done = check(::" << info.cName << "_"
      << entry.cName << (start ? "_start" : "") << "(\n        reinterpret_cast< ::" << info.cName << " *>(handle())";
  for (const std::string &dim : entry.dimCNames)
    out << ", args." << dim;
  for (const cpu::TensorInfo &tensor : llvm::concat<const cpu::TensorInfo>(entry.inputs, entry.outputs))
    out << ", args." << tensor.cName << ".data()";
  out << (start ? ", &number" : "") << "));\n";
  if (start)
    out << "    if (!done)\n      return done;\n    return ::hgc::ticket(handle(), number);\n  }\n\n";
  else
    out << "    return done;\n  }\n\n";
}

CxxWriter::EntryNames CxxWriter::nameMembers(const cpu::EntryInfo &entry) {
  EntryNames names;
  names.call = members.take(entry.cName);
  names.start = members.take(names.call + "_start");
  names.check = members.take(names.call + "_check");
  auto hasName = [&](const cpu::TensorInfo &tensor) { return tensor.cName == names.arguments; };
  // No argument may have the name of its struct.
  do
    names.arguments = members.take(names.call + "_args");
  while (llvm::any_of(entry.inputs, hasName) || llvm::any_of(entry.outputs, hasName) ||
         llvm::is_contained(entry.dimCNames, names.arguments));
  return names;
}

void CxxWriter::writeEntry(const cpu::EntryInfo &entry) {
  EntryNames names = nameMembers(entry);
  writeArguments(entry, names.arguments);
  writeCheck(entry, names);
  out << "  /// Runs '" << commentText(entry.name) << "' and waits for it; allocates nothing unless it fails.\n";
  writeCall(entry, names, /*start=*/false);
  out << "  /// Returns at once; at most two calls are in flight.\n";
  writeCall(entry, names, /*start=*/true);
}

void CxxWriter::write() {
  const std::string &name = info.cName;
  out << "\n#ifdef __cplusplus\n#ifndef HGC_MODEL_" << name << "_HPP\n#define HGC_MODEL_" << name << "_HPP\n\n"
      << "#include \"hgc_rt.hpp\"\n\nnamespace hgc {\nnamespace models {\n\n"
      << "/// Model '" << commentText(info.name) << "'. Owns an instance; one caller at a time.\n"
      << "class " << name << " : public ::hgc::model {\npublic:\n  " << name << "() = default;\n\n"
      << "  static ::hgc::result<" << name << "> create(const ::hgc_rt_options *options = nullptr) {\n"
      << "    ::" << name << " *instance = nullptr;\n"
      << "    hgc_rt_status code = ::" << name << "_create(options, &instance);\n"
      << "    if (code != HGC_RT_OK)\n      return ::hgc::status(code, ::" << name << "_last_error());\n"
      << "    return " << name << "(instance);\n  }\n\n";
  for (const cpu::EntryInfo &entry : info.entries)
    writeEntry(entry);
  out << "private:\n  explicit " << name << "(::" << name << " *instance)\n"
      << "      : ::hgc::model(reinterpret_cast< ::hgc_rt_model *>(instance)) {}\n};\n\n"
      << "} // namespace models\n} // namespace hgc\n\n#endif\n#endif\n";
}

llvm::Expected<std::string> link::generateCxxHeader(ModuleOp module, bool staticLibrary) {
  llvm::Expected<std::string> text = generateHeader(module, staticLibrary);
  if (!text)
    return text.takeError();
  // It could be read: the C header has been written from it.
  cpu::ModelInfo info = *cpu::getModelInfo(module);
  llvm::raw_string_ostream out(*text);
  CxxWriter(info, out).write();
  return text;
}
