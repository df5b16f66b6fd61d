"""The page docs/onnx-ops.md: which ops of ONNX hgc imports, from its own table and
the list of all ops in test/onnx/schemas.json."""
import json
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "test" / "onnx" / "schemas.json"
EXPECTED = ROOT / "test" / "onnx" / "expected.json"
GROUPS = [("floats", ["f16", "bf16", "f32", "f64"]), ("signed", ["i8", "i16", "i32", "i64"]),
          ("unsigned", ["ui8", "ui16", "ui32", "ui64"]), ("i1", ["i1"])]
HEAD = """# ONNX ops

Every op of the `onnx` package {version} (opset {opset}) with the opsets whose form of it hgc imports, and the types of
its first tensor among those that hgc has. *floats* are f16, bf16, f32 and f64; *signed* and *unsigned* are integers of 8
to 64 bits; i1 is bool. Ops that ONNX defines as functions are imported like others. `hgc inspect model.onnx` says the
same for a model. A note names what of an op is left out; strings, complex numbers, maps, floats of 8 bits or less and
integers of less than 8 bits do not exist in hgc.

*run-time extents*: an input may have extents that are known only at run time, such as those of the output of `NonZero`, at
least of its leading dim.

{counts}

| Op | Opsets | Types | Imported | Note |
| -- | ------ | ----- | :------: | ---- |
"""


def spell_types(types):
    """'floats, i32' instead of five names."""
    parts = []
    for name, members in GROUPS:
        have = [member for member in members if member in types]
        parts += [name] if len(have) == len(members) else have
    parts += [name for kind, name in (("seq", "sequences"), ("optional", "optional values")) if kind in types]
    return ", ".join(parts) or "none"


def spell_opsets(schema, op, newest):
    versions = schema["versions"]
    first = max(versions[0], op["since"])
    if schema.get("deprecated"):
        return f"{first}–{versions[-1] - 1}"
    return f"{first}–{newest}" if first != newest else str(first)


def page(hgc):
    """Text of the page. Ends the program when an op is in only one of the lists."""
    schemas = json.loads(SCHEMAS.read_text())
    done = subprocess.run([hgc, "inspect", "--onnx-ops"], check=True, capture_output=True, text=True)
    table = {op["name"]: op for op in json.loads(done.stdout)}
    missing = sorted(set(schemas["ops"]) - set(table))
    if missing:
        sys.exit(f"error: the table of ONNX ops lacks {', '.join(missing)}\n"
                 "hint: import them, or refuse them with a reason in lib/Frontend/ONNX/Ops/Refused.cpp")
    rows = []
    for name in sorted([*schemas["ops"]], key=lambda name: ("::" in name, name)):
        op, schema = table[name], schemas["ops"][name]
        newest = schemas["opset"] if "::" not in name else schema["versions"][-1]
        opsets = spell_opsets(schema, op, newest) if op["imported"] else "–"
        note = "; ".join(filter(None, [op["note"], "run-time extents" if op["takes_bounded"] else ""]))
        types = spell_types(schema["types"]) if op["imported"] else "–"
        rows.append(f"| `{name}` | {opsets} | {types} | {'yes' if op['imported'] else 'no'} | {note} |")
    imported = sum(table[name]["imported"] for name in schemas["ops"])
    own = [name for name in schemas["ops"] if "::" not in name]
    counts = (f"Of {len(own)} ops of ONNX's own domain {sum(table[n]['imported'] for n in own)} are imported, of all "
              f"{len(rows)} there are {imported}.")
    suite = json.loads(EXPECTED.read_text())["categories"]
    if suite:
        counts += " The package's test suite passes as follows (`test/onnx/run_backend_suite.py`): "
        counts += ", ".join(f"{c['passed']} of {c['counted']} {name} cases" for name, c in suite.items()) + "."
    extra = sorted(set(table) - set(schemas["ops"]))
    if extra:
        counts += f" Besides those of the package: {', '.join(f'`{name}`' for name in extra)}."
    return HEAD.format(version=schemas["onnx"], opset=schemas["opset"], counts=textwrap.fill(counts, 120, break_on_hyphens=False)) + "\n".join(rows) + "\n"
