# Writes OUT, a C++ file with the contents of the page's parts; scripts are joined
# in the order given.
# Run as: cmake -DOUT=... -DHTML=... -DCSS=... -DSCRIPTS=a.js,b.js -P EmbedPage.cmake

string(REPLACE "," ";" scripts "${SCRIPTS}")
file(READ "${HTML}" html)
file(READ "${CSS}" css)
set(code "")
foreach(script IN LISTS scripts)
  file(READ "${script}" text)
  string(APPEND code "${text}\n")
endforeach()
set(text "// Generated from lib/Report/page by EmbedPage.cmake.\n#include \"Page.h\"\n\n")
string(APPEND text "const llvm::StringLiteral hgc::plans::kPageHtml = R\"page(${html})page\";\n")
string(APPEND text "const llvm::StringLiteral hgc::plans::kPageStyle = R\"page(${css})page\";\n")
string(APPEND text "const llvm::StringLiteral hgc::plans::kPageScript = R\"page(${code})page\";\n")
file(WRITE "${OUT}" "${text}")
