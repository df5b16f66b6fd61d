// Random integers are those that the model's checks accept: of an index from the
// end of its table on, of a counter between two numbers. A library does not tell.

// RUN: hgc run %s | FileCheck %s
// RUN: hgc run %s --seed 7 | FileCheck %s
// RUN: hgc eval %s | FileCheck %s
// RUN: hgc compile %s --verify -o %t.so
// RUN: hgc bench %s | FileCheck %s --check-prefix=BENCH
// RUN: not hgc run %t.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// CHECK: rows: 8xi32={{[123](,[123]){7}$}}
// CHECK: counts: 6xi64={{[34](,[34]){5}$}}
// BENCH: calls on
// LIBRARY: error: {{.*}}is out of range

func.func @run(%ids: tensor<8xi32> {hgc.name = "ids"}, %n: tensor<2x3xi64> {hgc.name = "n"})
    -> (tensor<8xi32> {hgc.name = "rows"}, tensor<6xi64> {hgc.name = "counts"}) attributes {hgc.entry} {
  %wide = hgc.cast %ids to i64 : (tensor<8xi32>) -> tensor<8xi64>
  %low = hgc.constant dense<-3> : tensor<i64>
  %high = hgc.constant dense<3> : tensor<i64>
  %a = hgc.compare ge %wide, %low : (tensor<8xi64>, tensor<i64>) -> tensor<8xi1>
  %b = hgc.compare lt %wide, %high : (tensor<8xi64>, tensor<i64>) -> tensor<8xi1>
  %both = hgc.and %a, %b : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
  %all = hgc.reduce all %both axes = [0] : (tensor<8xi1>) -> tensor<i1>
  hgc.check %all, "an id is out of range" : tensor<i1>
  %table = hgc.constant dense<[1, 2, 3]> : tensor<3xi32>
  %rows = hgc.gather %table, %ids axis 0 : (tensor<3xi32>, tensor<8xi32>) -> tensor<8xi32>

  %list = hgc.reshape %n shape [6] : (tensor<2x3xi64>) -> tensor<6xi64>
  %limits = hgc.constant dense<[2, 1, 2, 0, 2, 2]> : tensor<6xi64>
  %four = hgc.constant dense<4> : tensor<i64>
  %c = hgc.compare gt %list, %limits : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
  %d = hgc.compare le %list, %four : (tensor<6xi64>, tensor<i64>) -> tensor<6xi1>
  %above = hgc.reduce all %c axes = [0] : (tensor<6xi1>) -> tensor<i1>
  %below = hgc.reduce all %d axes = [0] : (tensor<6xi1>) -> tensor<i1>
  %fine = hgc.and %above, %below : (tensor<i1>, tensor<i1>) -> tensor<i1>
  hgc.check %fine, "a count is out of range" : tensor<i1>
  return %rows, %list : tensor<8xi32>, tensor<6xi64>
}
