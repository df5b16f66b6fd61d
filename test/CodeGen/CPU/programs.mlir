// RUN: hgc-opt --hgc-emit-programs --split-input-file %s | FileCheck %s

// Arguments are loaded from the array, the launch passes its buffers in an array
// on the stack, and the kernel leaves a descriptor.
// CHECK-LABEL: module @launch
// CHECK-SAME:    exec.extents = 0 : i64, exec.guarded_sizes = array<i64>, exec.library_symbols = []
// CHECK-SAME:    exec.scratch_bytes = 256 : i64
module @launch {
  // CHECK: exec.blob @w
  exec.blob @w : memref<8xf32> = dense<1.0> {offset = 128, parameter = "w"}
  // CHECK: exec.blob @s
  exec.blob @s : memref<8xf32> = dense<0.0> {is_mutable, offset = 64, parameter = "s"}
  // CHECK: llvm.func internal @code(
  // CHECK-SAME: dso_local
  llvm.func @code(%args: !llvm.ptr, %begin: i64, %end: i64) {
    llvm.return
  }
  // CHECK-NOT: exec.kernel
  exec.kernel @k inputs 2 attributes {function = "code", units = 8, grain = 4, scratch_bytes = 256} {
  ^bb0(%x: memref<8xf32>, %w: memref<8xf32>, %y: memref<8xf32>):
    %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
    %1 = exec.load %w : memref<8xf32> -> tensor<8xf32>
    %2 = hgc.mul %0, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    exec.store %2, %y : tensor<8xf32>, memref<8xf32>
  }
  // The program stays as a description.
  // CHECK: exec.program @p entry "predict" inputs 1
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: }
  exec.program @p entry "predict" inputs 1 attributes {arena_bytes = 32 : i64,
      tensors = [{name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
  ^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
    %w = exec.weight @w : memref<8xf32>
    %s = exec.weight @s : memref<8xf32>
    %b = exec.view offset 96 : memref<8xf32>
    exec.launch @k ins(%x, %w : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
    exec.launch @k ins(%b, %s : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
    exec.return
  }
  // CHECK:     llvm.mlir.global internal unnamed_addr constant @[[NAME:.*]]("k\00")
  // CHECK:     llvm.mlir.global internal unnamed_addr constant @[[OPS:.*]]("mul\00")
  // CHECK:     llvm.mlir.global internal unnamed_addr constant @[[PLACE:.*]]("programs.mlir:{{[0-9]+}}:10\00")
  // CHECK:     llvm.mlir.global internal constant @hgc_kernel_desc_k()
  // CHECK:       llvm.mlir.addressof @[[NAME]]
  // CHECK:       llvm.mlir.addressof @[[OPS]]
  // CHECK:       llvm.mlir.addressof @[[PLACE]]
  // CHECK:       llvm.mlir.addressof @code
  // Units, grain, scratch, operations, bytes.
  // CHECK:       llvm.mlir.constant(8 : i64)
  // CHECK:       llvm.mlir.constant(4 : i64)
  // CHECK:       llvm.mlir.constant(256 : i64)
  // CHECK:       llvm.mlir.constant(8 : i64)
  // CHECK:       llvm.mlir.constant(96 : i64)
  // Elements, argument and type of the output.
  // CHECK:       llvm.mlir.constant(8 : i64)
  // CHECK:       llvm.mlir.constant(2 : i32)
  // CHECK:       llvm.mlir.constant(1 : i32)
  // CHECK:     llvm.func internal @hgc_program_p(%[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) -> i32
  // CHECK:       %[[ARRAY:.*]] = llvm.alloca %{{.*}} x !llvm.ptr {alignment = 16 : i64}
  // CHECK:       %[[X:.*]] = llvm.load %[[ARGS]]
  // CHECK:       %[[EIGHT:.*]] = llvm.mlir.constant(8 : i64)
  // CHECK:       %[[SECOND:.*]] = llvm.getelementptr %[[ARGS]][%[[EIGHT]]]
  // CHECK:       %[[Y:.*]] = llvm.load %[[SECOND]]
  // The weights are the second pointer of the context, the state the third.
  // CHECK:       %[[AT8:.*]] = llvm.mlir.constant(8 : i64)
  // CHECK:       llvm.getelementptr %[[CTX]][%[[AT8]]]
  // CHECK:       llvm.mlir.constant(128 : i64)
  // CHECK:       %[[AT16:.*]] = llvm.mlir.constant(16 : i64)
  // CHECK:       llvm.getelementptr %[[CTX]][%[[AT16]]]
  // CHECK:       llvm.mlir.constant(64 : i64)
  // CHECK:       llvm.load %[[CTX]]
  // CHECK:       llvm.mlir.constant(96 : i64)
  // CHECK:       llvm.store %[[X]], %[[ARRAY]]
  // Three buffers and a slot for the scratch memory.
  // CHECK:       %[[DESC:.*]] = llvm.mlir.addressof @hgc_kernel_desc_k
  // CHECK:       %[[COUNT:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK:       llvm.call @hgc_rt_launch(%[[CTX]], %[[DESC]], %[[ARRAY]], %[[COUNT]])
  // CHECK:       llvm.call @hgc_rt_launch
  // CHECK:       %[[OK:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK:       llvm.return %[[OK]] : i32
  // CHECK:     llvm.func hidden @hgc_rt_launch(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) attributes {dso_local}
}

// -----

// Copies, fills, extents and guarded buffers are calls; failures return.
// CHECK-LABEL: module @actions
// CHECK-SAME:    exec.extents = 3 : i64, exec.guarded_sizes = array<i64: 0, 1>, exec.library_symbols = ["user_fn"]
module @actions {
  exec.program @p entry "run" inputs 2 attributes {arena_bytes = 0 : i64,
      tensors = [{name = "x", shape = [4], type = tensor<4xui16>}, {name = "n", shape = [], type = tensor<i64>},
                 {name = "y", shape = [4], type = tensor<4xui16>}]} {
  ^bb0(%x: memref<4xui16>, %n: memref<i64>, %y: memref<4xui16>):
    %flag = exec.view slot 1 : memref<i1>
    exec.fill %y with 258 : ui16 : memref<4xui16>
    exec.fill %flag with true : memref<i1>
    exec.copy %x to %y : memref<4xui16>, memref<4xui16>
    exec.set_extent 2, %n : memref<i64>
    exec.fail_if %flag, "bad flag" : memref<i1>
    exec.library "user_fn" ins(%x : memref<4xui16>) outs(%y : memref<4xui16>)
    exec.record event 0 stream 0
    exec.wait event 0 stream 0
    exec.sync stream 0
    exec.return
  }
  // CHECK:     llvm.func internal @hgc_program_p(%[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) -> i32
  // CHECK:       %[[X:.*]] = llvm.load %[[ARGS]]
  // CHECK:       %[[SLOT:.*]] = llvm.mlir.constant(1 : i64)
  // CHECK:       %[[FLAG:.*]] = llvm.call @hgc_rt_guarded(%[[CTX]], %[[SLOT]])
  // CHECK:       %[[PATTERN:.*]] = llvm.mlir.addressof @hgc_pattern
  // CHECK:       %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
  // CHECK:       %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK:       llvm.call @hgc_rt_fill(%[[CTX]], %[[Y:.*]], %[[PATTERN]], %[[TWO]], %[[FOUR]])
  // CHECK:       llvm.call @hgc_rt_fill(%[[CTX]], %[[FLAG]]
  // CHECK:       %[[BYTES:.*]] = llvm.mlir.constant(8 : i64)
  // CHECK:       llvm.call @hgc_rt_copy(%[[CTX]], %[[Y]], %[[X]], %[[BYTES]])
  // CHECK:       %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
  // CHECK:       %[[PLACE:.*]] = llvm.mlir.constant(16 : i64)
  // CHECK:       llvm.getelementptr %{{.*}}[%[[PLACE]]]
  // CHECK:       llvm.store %[[N]]
  // CHECK:       %[[BYTE:.*]] = llvm.load %[[FLAG]] : !llvm.ptr -> i8
  // CHECK:       %[[SET:.*]] = llvm.icmp "ne" %[[BYTE]]
  // CHECK:       llvm.cond_br %[[SET]], ^[[FAIL:bb[0-9]+]], ^[[NEXT:bb[0-9]+]]
  // CHECK:     ^[[FAIL]]:
  // CHECK:       %[[TEXT:.*]] = llvm.mlir.addressof @[[BAD:.*]] :
  // CHECK:       %[[CODE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK:       %[[STATUS:.*]] = llvm.call @hgc_rt_fail(%[[CTX]], %[[CODE]], %[[TEXT]])
  // CHECK:       llvm.return %[[STATUS]]
  // CHECK:     ^[[NEXT]]:
  // CHECK:       %[[RESULT:.*]] = llvm.call @user_fn(%{{.*}}) : (!llvm.ptr) -> i32
  // CHECK:       llvm.icmp "ne" %[[RESULT]]
  // CHECK:       llvm.mlir.addressof @[[LIBRARY:.*]] :
  // CHECK:       llvm.call @hgc_rt_fail
  // CHECK:       llvm.mlir.constant(0 : i32)
  // CHECK-NEXT:  llvm.return
  // CHECK:     llvm.mlir.global internal constant @hgc_pattern("\02\01")
  // CHECK:     llvm.mlir.global internal constant @hgc_pattern_2("\01")
  // CHECK:     llvm.mlir.global internal unnamed_addr constant @[[BAD]]("bad flag\00")
  // CHECK:     llvm.mlir.global internal unnamed_addr constant @[[LIBRARY]]("library function 'user_fn' reported an error\00")
}

// -----

// Structure becomes branches; parallel sequences run one after the other.
// CHECK-LABEL: module @structure
// CHECK:         llvm.func internal @hgc_program_p
module @structure {
  exec.program @p entry "run" inputs 2 attributes {arena_bytes = 64 : i64,
      tensors = [{name = "c", shape = [], type = tensor<i1>}, {name = "x", shape = [3, 8], type = tensor<3x8xf32>},
                 {name = "y", shape = [8], type = tensor<8xf32>}]} {
  ^bb0(%c: memref<i1>, %x: memref<3x8xf32>, %y: memref<8xf32>):
    // CHECK:     llvm.cond_br %{{.*}}, ^[[THEN:bb[0-9]+]], ^[[ELSE:bb[0-9]+]]
    // CHECK:     ^[[THEN]]:
    // CHECK:       llvm.call @hgc_rt_fill
    // CHECK:       llvm.br ^[[JOIN:bb[0-9]+]]
    // CHECK:     ^[[ELSE]]:
    // CHECK-NEXT:  llvm.br ^[[JOIN]]
    exec.if %c : memref<i1> {
      exec.fill %y with 0.0 : f32 : memref<8xf32>
    } else {
    }
    // CHECK:     ^[[JOIN]]:
    // CHECK:       llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}} : i64)
    // CHECK:     ^[[HEAD]](%[[I:.*]]: i64):
    // CHECK:       %[[END:.*]] = llvm.mlir.constant(3 : i64)
    // CHECK:       llvm.icmp "slt" %[[I]], %[[END]]
    // CHECK:       %[[STRIDE:.*]] = llvm.mlir.constant(32 : i64)
    // CHECK:       %[[OFFSET:.*]] = llvm.mul %[[I]], %[[STRIDE]]
    // CHECK:       %[[ROW:.*]] = llvm.getelementptr %{{.*}}[%[[OFFSET]]]
    // CHECK:       llvm.call @hgc_rt_copy(%{{.*}}, %{{.*}}, %[[ROW]]
    // CHECK:       llvm.br ^[[HEAD]]
    exec.for 3 {
    ^bb0(%i: index):
      %r = exec.alias %x offset 0 index %i stride 32 : memref<3x8xf32> to memref<8xf32>
      exec.copy %r to %y : memref<8xf32>, memref<8xf32>
    }
    // CHECK:       llvm.br ^[[BEFORE:bb[0-9]+]]
    // CHECK:     ^[[BEFORE]]:
    // CHECK:       llvm.call @hgc_rt_fill
    // CHECK:       llvm.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
    // CHECK:     ^[[BODY]]:
    // CHECK:       llvm.call @hgc_rt_copy
    // CHECK:       llvm.br ^[[BEFORE]]
    %f = exec.view offset 0 : memref<i1>
    exec.while %f : memref<i1> {
      exec.fill %f with false : memref<i1>
    } do {
      exec.copy %c to %f : memref<i1>, memref<i1>
    }
    // CHECK:     ^[[AFTER]]:
    // CHECK:       llvm.call @hgc_rt_copy
    // CHECK:       llvm.call @hgc_rt_fill
    exec.parallel {
      %r = exec.alias %x offset 64 : memref<3x8xf32> to memref<8xf32>
      exec.copy %r to %y : memref<8xf32>, memref<8xf32>
    }, {
      exec.fill %f with true : memref<i1>
    }
    exec.return
  }
}

// -----

// A kernel that turns learns which iteration of the loop it is in.
// CHECK-LABEL: module @turns
module @turns {
  llvm.func @code(%args: !llvm.ptr, %begin: i64, %end: i64) {
    llvm.return
  }
  exec.kernel @k inputs 1 attributes {function = "code", turns, units = 8, grain = 8} {
  ^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
    %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
    %1 = hgc.relu %0 : tensor<8xf32>
    exec.store %1, %y : tensor<8xf32>, memref<8xf32>
  }
  // CHECK: llvm.func internal @hgc_program_p
  exec.program @p entry "predict" inputs 1 attributes {arena_bytes = 32 : i64,
      tensors = [{name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
  ^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
    // CHECK: ^{{.*}}(%[[I:.*]]: i64):
    // CHECK: llvm.call @hgc_rt_launch_turn(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[I]])
    exec.for 3 {
    ^bb0(%i: index):
      exec.launch @k ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    }
    // CHECK: llvm.call @hgc_rt_launch(
    exec.launch @k ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    exec.return
  }
}
