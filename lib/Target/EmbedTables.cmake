# Writes OUT, a C++ file with the contents of the JSON files in TABLES.
# Run as: cmake -DOUT=... -DTABLES=a.json,b.json -P EmbedTables.cmake

string(REPLACE "," ";" tables "${TABLES}")
set(text "// Generated from lib/Target/tables by EmbedTables.cmake.\n")
string(APPEND text "#include \"EmbeddedTables.h\"\n\n")
string(APPEND text "const llvm::StringRef hgc::detail::embeddedTables[] = {\n")
foreach(table IN LISTS tables)
  file(READ "${table}" json)
  string(APPEND text "R\"json(${json})json\",\n")
endforeach()
list(LENGTH tables count)
string(APPEND text "};\nconst size_t hgc::detail::embeddedTableCount = ${count};\n")
file(WRITE "${OUT}" "${text}")
