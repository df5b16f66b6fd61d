// The header is clean C99, C11 and C++ with all warnings on, whatever the names
// in the model are, and declares what the library has.
// RUN: rm -rf %t && mkdir -p %t
// RUN: hgc compile %s -o %t/lib.so
// RUN: %cc -std=c99 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c %t/lib.h
// RUN: %cc -std=c11 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c %t/lib.h
// RUN: %cxx -std=c++11 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c++ %t/lib.h
// RUN: FileCheck %s < %t/lib.h
// RUN: llvm-nm -D --defined-only %t/lib.so | FileCheck %s --check-prefix=SYMBOLS

// CHECK-DAG: typedef struct class_ class_;
// CHECK-DAG: hgc_rt_status class__create_2(class_ *model,{{$}}
// CHECK-DAG:     const uint16_t *int_,{{$}}
// CHECK-DAG:     const uint8_t *a_b,{{$}}
// CHECK-DAG:     const uint64_t *a_b_2,{{$}}
// CHECK-DAG:     uint16_t *model_2);
// CHECK-DAG: \param int_  input, bf16[2], bits of each element
// CHECK-DAG: \param a_b  input, i1[2], each 0 or 1

// SYMBOLS-DAG: class__create{{$}}
// SYMBOLS-DAG: class__create_2{{$}}
// SYMBOLS-DAG: class__create_2_start{{$}}
// SYMBOLS-DAG: hgc_model_v1{{$}}
module @class {
  func.func @create(%a: tensor<2xbf16> {hgc.name = "int"}, %b: tensor<2xi1> {hgc.name = "a.b"},
                    %c: tensor<2xui64> {hgc.name = "a/b"}) -> (tensor<2xbf16> {hgc.name = "model"})
      attributes {hgc.entry} {
    %0 = hgc.cast %c to bf16 : (tensor<2xui64>) -> tensor<2xbf16>
    %1 = hgc.add %a, %0 : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
    %2 = hgc.select %b, %1, %a : (tensor<2xi1>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
    return %2 : tensor<2xbf16>
  }
}
