"""compare_counters.py FIRST.json SECOND.json RATIO: both runs copied the same bytes,
and the second took at most RATIO of the first's virtual time."""
import json
import sys

first, second = (json.load(open(path)) for path in sys.argv[1:3])
copied = [{c["direction"]: c["bytes"] for c in run["copies"]} for run in (first, second)]
print(f"{first['virtual_us']} us, then {second['virtual_us']} us; bytes {copied[0]}")
if copied[0] != copied[1] or second["virtual_us"] > float(sys.argv[3]) * first["virtual_us"]:
    sys.exit(f"error: expected the same bytes, got {copied[1]}, in at most {sys.argv[3]} of the time")
