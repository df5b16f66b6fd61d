#!/usr/bin/env python3
"""Keeps schemas.json: every op of the onnx package with its versions and types,
from which docs/onnx-ops.md is made where there is no such package.

Writes it; --check fails when it is stale instead. Without a network: status 77.
"""
import argparse
import collections
import json
import pathlib
import sys

import environment

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILE = pathlib.Path(__file__).resolve().parent / "schemas.json"
SHORT = {"float": "f32", "double": "f64", "float16": "f16", "bfloat16": "bf16", "bool": "i1"}


def short_type(text):
    """'tensor(uint8)' is ui8, as in the graph dialect."""
    if not text.startswith("tensor("):
        return text.split("(")[0]
    name = text[len("tensor("):-1]
    return SHORT.get(name, name.replace("uint", "ui").replace("int", "i") if "int" in name else name)


def describe(versions):
    """The op whose schemas are given, oldest first."""
    newest = versions[-1]
    tensors = [*newest.inputs, *newest.outputs]
    types = sorted({short_type(t) for t in tensors[0].types}) if tensors else []
    described = {"versions": [schema.since_version for schema in versions], "types": types}
    if newest.deprecated:
        described["deprecated"] = True
    return described


def collect():
    import onnx
    history = collections.defaultdict(list)
    for schema in onnx.defs.get_all_schemas_with_history():
        history[f"{schema.domain}::{schema.name}" if schema.domain else schema.name].append(schema)
    ops = {name: describe(sorted(schemas, key=lambda schema: schema.since_version))
           for name, schemas in sorted(history.items())}
    return {"onnx": onnx.__version__, "opset": onnx.defs.onnx_opset_version(), "ops": ops}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--check", action="store_true", help="fail when the file is stale instead of writing it")
    args = parser.parse_args()
    environment.ensure(args.build)
    schemas = collect()
    head = {key: schemas[key] for key in ("onnx", "opset")}
    ops = ",\n".join(f"  {json.dumps(name)}: {json.dumps(op)}" for name, op in schemas["ops"].items())
    text = json.dumps(head)[:-1] + ', "ops": {\n' + ops + "\n}}\n"
    if FILE.exists() and FILE.read_text() == text:
        return 0
    if args.check:
        sys.exit("error: test/onnx/schemas.json is stale\nhint: run test/onnx/schemas.py and commit the result")
    FILE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
