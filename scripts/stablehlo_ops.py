"""The page docs/stablehlo-ops.md: which ops of StableHLO hgc imports, from its own table."""
import json
import subprocess

HEAD = """# StableHLO ops

Ops that hgc knows, of StableHLO and of the dialects that JAX writes beside it. A note names what of an op is left out, or why none
of it is imported. [StableHLO programs](stablehlo.md) has the rules. {imported} of {all} ops are imported.

| Op | Imported | Note |
| -- | :------: | ---- |
"""


def page(hgc):
    """Text of the page."""
    done = subprocess.run([hgc, "inspect", "--stablehlo-ops"], check=True, capture_output=True, text=True)
    ops = sorted(json.loads(done.stdout), key=lambda op: (not op["name"].startswith("stablehlo."), op["name"]))
    rows = [f"| `{op['name']}` | {'yes' if op['imported'] else 'no'} | {op['note']} |" for op in ops]
    return HEAD.format(imported=sum(op["imported"] for op in ops), all=len(ops)) + "\n".join(rows) + "\n"
