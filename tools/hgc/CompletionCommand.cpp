//===- CompletionCommand.cpp - hgc completion, hgc manual -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both are made of the tables that parse the options. The scripts carry them as
// a table of their own, so that a key press starts no process.
//===----------------------------------------------------------------------===//

#include "ArgParser.h"
#include "Driver.h"

#include "hgc/Support/Version.h"

using namespace hgc::driver;

// Lines of the table: command, option or '-', values or '-', help.

static constexpr llvm::StringLiteral kBashBegin =
    R"sh(# Completion of hgc for bash: hgc completion bash > /etc/bash_completion.d/hgc
_hgc() {
  local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}" command option values help
  local -a words=()
  # bash makes words of their own of `=`.
  local name="$previous"
  [ "$word" = "=" ] && word="" || { [ "$previous" = "=" ] && name="${COMP_WORDS[COMP_CWORD - 2]}"; }
  while IFS=$'\t' read -r command option values help; do
    if [ "$option" = "-" ]; then
      [ "$COMP_CWORD" = 1 ] && words+=("$command")
    elif [ "$command" = "${COMP_WORDS[1]}" ]; then
      if [ "$option" = "$name=" ]; then
        case "$values" in
        *'|'*) words=(${values//|/ }); break ;;
        *) words=(); break ;;
        esac
      fi
      case "$word" in -*) words+=("$option") ;; esac
    fi
  done <<'HGC_TABLE'
)sh";

static constexpr llvm::StringLiteral kBashEnd = R"sh(HGC_TABLE
  COMPREPLY=($(compgen -W "${words[*]}" -- "$word"))
  case "${COMPREPLY[0]}" in *=) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _hgc hgc
)sh";

static constexpr llvm::StringLiteral kZshBegin = R"sh(#compdef hgc
# Completion of hgc for zsh: hgc completion zsh > a folder of fpath/_hgc
_hgc() {
  local -a commands options flags choices
  local command option values help
  while IFS=$'\t' read -r command option values help; do
    if [[ $option == - ]]; then
      commands+=("$command:$help")
    elif [[ $command == ${words[2]} ]]; then
      if [[ $option == *= ]]; then
        options+=("${option}:$help")
        [[ $PREFIX == ${option}* && $values == *'|'* ]] && choices=(${(s:|:)values})
      else
        flags+=("${option}:$help")
      fi
    fi
  done <<'HGC_TABLE'
)sh";

static constexpr llvm::StringLiteral kZshEnd = R"sh(HGC_TABLE
  if (( CURRENT == 2 )); then
    _describe command commands
  elif (( $#choices )); then
    compset -P '*='
    compadd -a choices
  elif [[ $PREFIX == *=* ]]; then
    compset -P '*='
    _files
  elif [[ $PREFIX == -* ]]; then
    _describe option options -S '' -- flags
  else
    _files
  fi
}
compdef _hgc hgc
)sh";

/// Every command prints its own part.
static void printParts(const char *format) {
  for (const Command &command : getCommands())
    command.run({format});
}

int hgc::driver::runCompletion(llvm::ArrayRef<const char *> args) {
  ArgParser parser("completion", "print the completion script of a shell", "bash|zsh",
                   "  source <(hgc completion bash)                       # for this shell\n"
                   "  hgc completion zsh > ~/.zfunc/_hgc                  # with fpath+=(~/.zfunc) in .zshrc\n");
  std::vector<std::string> shells;
  parser.positional(shells);
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed)
    return report(parsed.takeError());
  if (!*parsed)
    return kDone;
  bool isBash = shells == std::vector<std::string>{"bash"};
  if (!isBash && shells != std::vector<std::string>{"zsh"})
    return report(usageError("expected the name of a shell", "write 'hgc completion bash' or 'hgc completion zsh'"));
  llvm::outs() << (isBash ? kBashBegin : kZshBegin);
  for (const Command &command : getCommands())
    llvm::outs() << command.name << "\t-\t-\t" << command.summary << "\n";
  printParts("--help-table");
  llvm::outs() << (isBash ? kBashEnd : kZshEnd);
  return kDone;
}

int hgc::driver::runManual(llvm::ArrayRef<const char *> args) {
  ArgParser parser("manual", "print the manual page", "", "  hgc manual | man -l -\n");
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed)
    return report(parsed.takeError());
  if (!*parsed)
    return kDone;
  llvm::outs() << ".TH HGC 1 \"\" \"hgc " HGC_VERSION_STRING "\" \"User Commands\"\n"
               << ".SH NAME\nhgc \\- ahead\\-of\\-time compiler for model graphs\n"
               << ".SH SYNOPSIS\n.B hgc\n.I COMMAND\n[options]\n"
               << ".SH DESCRIPTION\nTurns model graphs (ONNX, StableHLO, or MLIR text) into libraries with a typed C interface.\n"
               << ".SH COMMANDS\n";
  printParts("--help-manual");
  llvm::outs() << ".SH EXIT STATUS\n0: done. 1: a mistake in the input. 2: wrong usage. 70: a bug in hgc.\n";
  return kDone;
}
