#!/bin/sh
# Prints a small ONNX model with the input x of shape [DIM, 4]: write_onnx.sh [DIM] > model.onnx
# DIM is a number, by default 1, or a name.
case "${1:-1}" in
*[!0-9]*) dim="dim_param: '$1'" ;;
*) dim="dim_value: ${1:-1}" ;;
esac
type="type { tensor_type { elem_type: 1 shape { dim { $dim } dim { dim_value: 4 } } } }"
protoc --proto_path=lib/Frontend/ONNX --encode=onnx.ModelProto onnx.proto <<END
ir_version: 8
opset_import { version: 18 }
graph {
  name: "net"
  node { op_type: "Softmax" name: "softmax" input: "x" output: "y" }
  input { name: "x" $type }
  output { name: "y" $type }
}
END
