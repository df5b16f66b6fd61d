"""Prints an ONNX model of `argv[1]` graphs inside of each other."""
import sys


def branch(depth):
    """A graph whose output is -x."""
    if depth == 0:
        node = 'node { input: "x" output: "r0" op_type: "Neg" }'
    else:
        graphs = "".join(f'attribute {{ name: "{name}" type: GRAPH g {{ {inner} }} }}'
                         for name, inner in (("then_branch", branch(depth - 1)), ("else_branch", OTHER)))
        node = f'node {{ input: "c" output: "r{depth}" op_type: "If" {graphs} }}'
    return f'name: "b{depth}" {node} output {{ name: "r{depth}" }}'


OTHER = 'name: "other" node { input: "x" output: "e" op_type: "Abs" } output { name: "e" }'
depth = int(sys.argv[1])
print(f"""ir_version: 8 opset_import {{ version: 17 }} graph {{ {branch(depth)}
  node {{ input: "r{depth}" output: "y" op_type: "Identity" }}
  input {{ name: "c" type {{ tensor_type {{ elem_type: 9 shape {{ }} }} }} }}
  input {{ name: "x" type {{ tensor_type {{ elem_type: 1 shape {{ dim {{ dim_value: 2 }} }} }} }} }}
}}""".replace(f'output {{ name: "r{depth}" }}', 'output { name: "y" }'))
