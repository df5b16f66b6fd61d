# Compares what the archives need from libc with libc_symbols.txt, from which
# `hgc` makes the stand-in libc it links models against.
#   cmake -DNM=nm "-DARCHIVES=a.a;b.a" -DLIST=libc_symbols.txt -P check_symbols.cmake

execute_process(COMMAND ${NM} -P -g ${ARCHIVES} OUTPUT_VARIABLE text
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${NM} cannot read ${ARCHIVES}")
endif()
set(defined "")
set(needed "")
string(REPLACE "\n" ";" lines "${text}")
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+) U")
    list(APPEND needed ${CMAKE_MATCH_1})
  elseif(line MATCHES "^([^ ]+) [A-TV-Z]")
    list(APPEND defined ${CMAKE_MATCH_1})
  endif()
endforeach()
list(REMOVE_DUPLICATES needed)
list(REMOVE_ITEM needed ${defined} _GLOBAL_OFFSET_TABLE_)
list(SORT needed)
file(STRINGS ${LIST} listed REGEX "^[^#]")
if(NOT needed STREQUAL listed)
  message(FATAL_ERROR "the runtime needs\n  ${needed}\nfrom libc, "
    "${LIST} lists\n  ${listed}\nhint: avoid the new function, or list it "
    "if every version of it in glibc has the same ABI")
endif()
