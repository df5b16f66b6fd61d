"""check_plan.py PLAN.json: the GPU plan trains on the GPU, and no parameter is copied during a call."""
import json
import sys

plan = json.load(open(sys.argv[1]))
moved, steps = [], 0
for variant in plan["variants"]:
    for part in variant["plans"]:
        if part["name"] != "gpu":
            continue
        for entry in part["entries"]:
            moved += [f"{entry['name']}: {t['value']}" for t in entry["transfers"] if t["value"].startswith("@")]
            on_gpu = {op["name"].split("#")[0] for op in entry["ops"] if op["device"] == "gpu:0"}
            steps += entry["name"] == "train_step" and "fc1.weight.update" in on_gpu
print(f"{steps} steps update weights on the GPU; copied parameters: {moved}")
