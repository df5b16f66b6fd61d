"""Prints an ONNX model of `argv[1]` functions, each of which calls the one before twice."""
import sys


def call(number, source, target):
    op = f'"F{number}" domain: "d"' if number >= 0 else '"Neg"'
    return f'node {{ input: "{source}" output: "{target}" op_type: {op} }}'


count = int(sys.argv[1])
print(f"""ir_version: 8 opset_import {{ version: 17 }} opset_import {{ domain: "d" version: 1 }}
graph {{ name: "g" {call(count - 1, "x", "y")} output {{ name: "y" }}
  input {{ name: "x" type {{ tensor_type {{ elem_type: 1 shape {{ dim {{ dim_value: 2 }} }} }} }} }}
}}""")
for i in range(count):
    print(f"""functions {{ name: "F{i}" domain: "d" input: "a" output: "b" opset_import {{ version: 17 }}
  opset_import {{ domain: "d" version: 1 }} {call(i - 1, "a", "m")} {call(i - 1, "m", "b")} }}""")
