"""What a user waits for and pays before the first result: import, load, memory,
sizes and compile time. Each measurement is a process of its own, with its files in
the page cache."""
import importlib.util
import pathlib
import statistics

from .contender import Contender, Failed

REPEATS = 5
# What is needed to run a model, where that is not the package of a peer's name.
PACKAGES = {"iree": ["iree.runtime", "iree._runtime_libs"]}


def package_bytes(name):
    """Size of an installed package with its libraries."""
    folders = []
    for package in PACKAGES.get(name, [name]):
        folder = pathlib.Path(importlib.util.find_spec(package).origin).parent
        folders += [folder, folder.parent / f"{folder.name}lib", folder.parent / f"{folder.name}.libs"]
    return sum(path.stat().st_size for part in folders if part.exists() for path in part.rglob("*") if path.is_file())


def measure(name, folder, plan, compile_seconds, absent=None):
    row = {"model": folder.name, "contender": name}
    answers = []
    try:
        if absent:
            raise Failed(absent)
        # The first one fills the page cache.
        for _ in range(1 + (2 if plan.quick else REPEATS)):
            with Contender(name, folder, plan.cores, plan.native, plan.quick, first_only=True) as contender:
                answers.append(contender.ask("load", timeout=plan.patience))
    except Failed as failure:
        return {**row, "reason": str(failure)}
    for key in ("import_seconds", "load_seconds", "memory_bytes"):
        row[key] = statistics.median(answer[key] for answer in answers[1:])
    is_ours = name == "hgc"
    artefact = folder / ("model.so" if is_ours else "model.onnx")
    row["artefact_bytes"] = answers[-1].get("artefact_bytes", artefact.stat().st_size)
    row["library_bytes"] = 0 if is_ours else package_bytes(name)
    row["compile_seconds"] = compile_seconds if is_ours else answers[-1].get("compile_seconds")
    return row
