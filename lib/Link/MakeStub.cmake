# Writes an assembly file that defines each symbol listed in FILES.
# cmake -DFILES="a.txt;b.txt" -DOUTPUT=stub.s -P MakeStub.cmake

set(symbols "")
foreach(file IN LISTS FILES)
  file(STRINGS ${file} names REGEX "^[A-Za-z_]")
  list(APPEND symbols ${names})
endforeach()
list(SORT symbols)
list(REMOVE_DUPLICATES symbols)
set(text ".text\n")
foreach(symbol IN LISTS symbols)
  string(APPEND text ".globl ${symbol}\n.type ${symbol}, %function\n${symbol}:\n.byte 0\n")
endforeach()
string(APPEND text ".section .note.GNU-stack,\"\",%progbits\n")
file(WRITE ${OUTPUT} "${text}")
