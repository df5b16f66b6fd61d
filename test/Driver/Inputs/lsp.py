"""lsp.py FILE: opens the file in hgc-lsp-server and prints its diagnostics."""
import json
import subprocess
import sys

text = open(sys.argv[1]).read()


def message(method, params, number=None):
    body = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        body["id"] = number
    data = json.dumps(body)
    return f"Content-Length: {len(data)}\r\n\r\n{data}"


session = (message("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 0)
           + message("textDocument/didOpen", {"textDocument": {"uri": "file:///model.mlir", "languageId": "mlir",
                                                               "version": 1, "text": text}})
           + message("shutdown", {}, 1) + message("exit", {}))
done = subprocess.run(["hgc-lsp-server"], input=session.encode(), stdout=subprocess.PIPE, timeout=60)
for part in done.stdout.decode().split("Content-Length:")[1:]:
    reply = json.loads(part.split("\r\n\r\n", 1)[1])
    if reply.get("method") == "textDocument/publishDiagnostics":
        for diagnostic in reply["params"]["diagnostics"]:
            print(f"line {diagnostic['range']['start']['line'] + 1}: {diagnostic['message']}")
    elif "result" in reply:
        print("reply", reply["id"], ", ".join(sorted((reply["result"] or {}).get("capabilities", {}))))
sys.exit(done.returncode)
