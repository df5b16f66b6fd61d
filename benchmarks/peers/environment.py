"""The Python environment of the comparison: packages of PyPI, by pinned version, in
a folder of the build tree. Each peer has a list of its own, so that one that cannot
be installed does not keep the others away.
"""
import hashlib
import os
import pathlib
import subprocess
import sys

LISTS = pathlib.Path(__file__).resolve().parent / "requirements"
# Set in the environment's interpreter: where the comparison has to look for it.
MARK = "HGC_PEERS_ENVIRONMENT"


def pip_install(folder, name):
    """Installs a list once; returns why it could not, or None."""
    text = (LISTS / f"{name}.txt").read_bytes()
    ready = folder / f"ready-{name}-{hashlib.sha256(text).hexdigest()[:8]}"
    if ready.exists():
        return None
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r",
               str(LISTS / f"{name}.txt")]
    print(f"installing {name} from PyPI", file=sys.stderr, flush=True)
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        return f"pip could not install it: {lines[-1] if lines else 'no message'}"
    ready.touch()
    return None


def enter(build):
    """Goes on in the interpreter of the environment, made if need be."""
    folder = pathlib.Path(build).resolve() / "peers-env"
    if os.environ.get(MARK) == str(folder):
        return folder
    python = folder / "bin" / "python"
    if not python.exists() and subprocess.run([sys.executable, "-m", "venv", str(folder)]).returncode != 0:
        raise SystemExit("error: no environment could be made\nhint: install the module venv of Python")
    reason = pip_install(folder, "models")
    if reason:
        raise SystemExit(f"error: what makes the models is lacking: {reason}\nhint: PyPI must be within reach")
    os.environ[MARK] = str(folder)
    os.execv(str(python), [str(python), *sys.argv])


def install_peers(folder, peers):
    """Reasons of the peers that could not be installed."""
    reasons = {peer: pip_install(folder, peer) for peer in peers if (LISTS / f"{peer}.txt").exists()}
    return {peer: reason for peer, reason in reasons.items() if reason}
