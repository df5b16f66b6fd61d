"""The table of ops and element types in docs/support-matrix.md.

A cell is filled when hgc-opt accepts a one-op model of that type; all accepted
models are then compiled and compared with the evaluator (hgc compile --verify),
so that the table cannot claim what does not work. Used by scripts/gen_docs.py.
"""
import concurrent.futures
import itertools
import re
import subprocess
import sys
import tempfile

TYPES = ["f32", "f64", "f16", "bf16", "i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"]
UNARY = ("abs neg sign relu exp expm1 log log1p sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh "
         "erf floor ceil round trunc sigmoid silu gelu gelu_tanh not stop_gradient").split()
BINARY = "add sub mul div rem max min pow atan2 and or xor shl shr".split()
# Ops that carry no element type of their own, or that only passes create.
STRUCTURAL = {"kernel", "pack", "transfer", "yield", "parameter", "read"}
X, Y = "tensor<2x3x{T}>", "tensor<3x{T}>"


def templates():
    """Row name -> (argument types, body, result type); %0 and on are arguments, %r is the result."""
    rows = {}
    for op in UNARY:
        rows[op] = ([X], f"%r = hgc.{op} %0 : {X}", X)
    for op in BINARY:
        rows[op] = ([X, Y], f"%r = hgc.{op} %0, %1 : ({X}, {Y}) -> {X}", X)
    for op in ["is_nan", "is_inf"]:
        rows[op] = ([X], f"%r = hgc.{op} %0 : ({X}) -> tensor<2x3xi1>", "tensor<2x3xi1>")
    rows["cast (from)"] = ([X], f"%r = hgc.cast %0 to f32 : ({X}) -> tensor<2x3xf32>", "tensor<2x3xf32>")
    rows["cast (to)"] = (["tensor<2x3xi8>"], f"%r = hgc.cast %0 to {{T}} : (tensor<2x3xi8>) -> {X}", X)
    rows["compare"] = ([X, Y], f"%r = hgc.compare lt %0, %1 : ({X}, {Y}) -> tensor<2x3xi1>", "tensor<2x3xi1>")
    rows["select"] = (["tensor<2x3xi1>", X, Y], f"%r = hgc.select %0, %1, %2 : (tensor<2x3xi1>, {X}, {Y}) -> {X}", X)
    rows["dropout"] = ([X], f"%r = hgc.dropout %0 rate 5.0e-01 : {X}", X)
    rows["random"] = ([X, Y], f"%r = hgc.random %0, %1, %1 : ({X}, {Y}, {Y}) -> {X}", X)
    add_contractions(rows)
    add_reductions(rows)
    add_ordering(rows)
    add_shape(rows)
    add_indexing(rows)
    add_control(rows)
    return rows


def add_contractions(rows):
    accumulated = "tensor<2x4x{A}>"
    rows["matmul"] = ([X, "tensor<3x4x{T}>"], f"%r = hgc.matmul %0, %1 : ({X}, tensor<3x4x{{T}}>) -> {accumulated}", accumulated)
    image, kernel, out = "tensor<1x5x5x4x{T}>", "tensor<3x3x4x6x{T}>", "tensor<1x3x3x6x{A}>"
    rows["conv"] = ([image, kernel], f"%r = hgc.conv %0, %1 channels_last hwio : ({image}, {kernel}) -> {out}", out)
    rows["conv_transpose"] = ([f"tensor<1x3x3x6x{{T}}>", kernel], f"%r = hgc.conv_transpose %0, %1 strides = [2, 2] channels_last "
                              f"hwio : (tensor<1x3x3x6x{{T}}>, {kernel}) -> tensor<1x7x7x4x{{A}}>", "tensor<1x7x7x4x{A}>")
    rows["conv_filter_grad"] = ([image, "tensor<1x3x3x6x{T}>"], f"%r = hgc.conv_filter_grad %0, %1 window = [3, 3] channels_last hwio : "
                                f"({image}, tensor<1x3x3x6x{{T}}>) -> tensor<3x3x4x6x{{A}}>", "tensor<3x3x4x6x{A}>")
    rows["attention"] = ([X, X, X], f"%r = hgc.attention %0, %1, %2 causal : ({X}, {X}, {X}) -> {X}", X)


def add_ordering(rows):
    for kind in ["max", "min"]:
        rows[f"arg_reduce {kind}"] = ([X], f"%r = hgc.arg_reduce {kind} %0 axis 1 : ({X}) -> tensor<2xi64>", "tensor<2xi64>")
    order = "tensor<2x3xi64>"
    rows["arg_sort"] = ([X], f"%r = hgc.arg_sort %0 axis 1 descending : ({X}) -> {order}", order)


def add_indexing(rows):
    few, index = "tensor<2x2x{T}>", "tensor<2x2xi64>"
    rows["gather_along"] = ([X, index], f"%r = hgc.gather_along %0, %1 axis 1 : ({X}, {index}) -> {few}", few)
    for kind in ["set", "add", "mul", "max", "min"]:
        rows[f"scatter {kind}"] = ([X, index, few], f"%r = hgc.scatter {kind} %0, %1, %2 axis 1 : ({X}, {index}, {few}) -> {X}", X)


def add_reductions(rows):
    pooled = "tensor<1x2x2x4x{T}>"
    image = "tensor<1x4x4x4x{T}>"
    for kind in ["max", "avg", "sum"]:
        rows[f"pool {kind}"] = ([image], f"%r = hgc.pool {kind} %0 window = [2, 2] strides = [2, 2] channels_last : "
                                f"({image}) -> {pooled}", pooled)
    for kind in ["sum", "mean", "prod", "max", "min", "any", "all"]:
        rows[f"reduce {kind}"] = ([X], f"%r = hgc.reduce {kind} %0 axes = [1] : ({X}) -> tensor<2x{{T}}>", "tensor<2x{T}>")
    for op in ["softmax", "log_softmax"]:
        rows[op] = ([X], f"%r = hgc.{op} %0 axis 1 : {X}", X)
    rows["layer_norm"] = ([X, Y, Y], f"%r = hgc.layer_norm %0, %1, %2 axis 1 epsilon 1.0e-03 : ({X}, {Y}, {Y}) -> {X}", X)
    # The variance must not be negative: the scale's square serves.
    rows["batch_norm"] = ([X, Y], f"%v = hgc.mul %1, %1 : ({Y}, {Y}) -> {Y}\n  %r = hgc.batch_norm %0, %1, %1, %1, %v axis 1 "
                          f"epsilon 1.0e-03 : ({X}, {Y}, {Y}, {Y}, {Y}) -> {X}", X)


def add_shape(rows):
    rows["constant"] = ([], f"%r = hgc.constant dense<1{{DOT}}> : {Y}", Y)
    rows["iota"] = ([], "%r = hgc.iota shape [2, 3] axis 1 of {T} : " + X, X)
    flat, turned, wide = "tensor<6x{T}>", "tensor<3x2x{T}>", "tensor<4x3x{T}>"
    rows["reshape"] = ([X], f"%r = hgc.reshape %0 shape [6] : ({X}) -> {flat}", flat)
    rows["transpose"] = ([X], f"%r = hgc.transpose %0 permutation = [1, 0] : ({X}) -> {turned}", turned)
    rows["broadcast"] = ([Y], f"%r = hgc.broadcast %0 shape [4, 3] : ({Y}) -> {wide}", wide)
    rows["concat"] = ([X, X], f"%r = hgc.concat %0, %1 axis 0 : ({X}, {X}) -> {wide}", wide)
    rows["slice"] = ([X], f"%r = hgc.slice %0 starts = [0, 1] sizes = [2, 2] : ({X}) -> tensor<2x2x{{T}}>", "tensor<2x2x{T}>")
    padded = "tensor<4x5x{T}>"
    rows["pad"] = ([X, "tensor<{T}>"], f"%r = hgc.pad constant %0, %1 low = [1, 1] high = [1, 1] : ({X}, tensor<{{T}}>) -> "
                   f"{padded}", padded)
    rows["gather"] = ([X, "tensor<4xi64>"], f"%r = hgc.gather %0, %1 axis 0 : ({X}, tensor<4xi64>) -> {wide}", wide)


def add_control(rows):
    yields = f"hgc.yield %{{v}} : {X}"
    rows["if"] = (["tensor<i1>", X, X], f"%r = hgc.if %0 : tensor<i1> -> ({X}) {{{{ {yields.format(v=1, T='{T}')} }}}} else "
                  f"{{{{ {yields.format(v=2, T='{T}')} }}}}", X)
    rows["scan"] = ([Y, X], f"%r, %s = hgc.scan init(%0 : {Y}) over(%1 : {X}) -> ({Y}, {X}) {{{{\n  ^bb0(%a: {Y}, %b: {Y}):\n    "
                    f"hgc.yield %b, %a : {Y}, {Y}\n  }}}}", Y)
    rows["while"] = (["tensor<i32>", X], "%l = hgc.constant dense<3> : tensor<i32>\n  %o = hgc.constant dense<1> : tensor<i32>\n"
                     f"  %n, %r = hgc.while init(%o, %1 : tensor<i32>, {X}) -> (tensor<i32>, {X}) cond {{{{\n"
                     f"  ^bb0(%i: tensor<i32>, %a: {X}):\n    %p = hgc.compare lt %i, %l : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                     f"    hgc.yield %p : tensor<i1>\n  }}}} do {{{{\n  ^bb0(%i: tensor<i32>, %a: {X}):\n"
                     "    %j = hgc.add %i, %o : (tensor<i32>, tensor<i32>) -> tensor<i32>\n"
                     f"    hgc.yield %j, %a : tensor<i32>, {X}\n  }}}}", X)
    flags, turned = "tensor<2x3xi1>", "tensor<3x2x{T}>"
    rows["check"] = ([X], f"%e = hgc.compare eq %0, %0 : ({X}, {X}) -> {flags}\n"
                     f"  %p = hgc.reduce all %e axes = [0, 1] : ({flags}) -> tensor<i1>\n"
                     "  hgc.check %p, \"differs from itself\" : tensor<i1>\n"
                     f"  %r = hgc.transpose %0 permutation = [1, 0] : ({X}) -> {turned}", turned)
    rows["assign"] = ([X], f"hgc.assign @state_{{T}}, %0 : {X}\n  %r = hgc.read @state_{{T}} : {X}", X)


def function(name, row, element):
    arguments, body, result = row
    accumulator = {"f64": "f64", "i8": "i32"}.get(element, "f32")
    fill = {"T": element, "A": accumulator, "DOT": ".0" if "f" in element else ""}
    if element == "i1":
        body = body.replace("dense<1{DOT}>", "dense<true>")
    text = ", ".join(f"%{i}: {a}" for i, a in enumerate(arguments))
    text = f"func.func @{name}({text}) -> {result} attributes {{{{hgc.entry}}}} {{{{\n  {body}\n  return %r : {result}\n}}}}\n"
    # Types are written `2x3x{T}`, so a scalar `tensor<{T}>` needs no special case.
    return text.format(**fill)


def parameter(element):
    value = "true" if element == "i1" else "1.0" if "f" in element else "1"
    return f"hgc.parameter @state_{element} : tensor<2x3x{element}> = dense<{value}>\n"


def accepted(bin_dir, rows):
    """(row, type) pairs that pass the verifier, found in one run of hgc-opt."""
    chunks, lines, source = [], 0, ""
    for name, row in rows.items():
        for element in TYPES:
            text = parameter(element) + function("f", row, element) + "// -----\n"
            chunks.append((name, element, lines + 1, lines + text.count("\n")))
            lines += text.count("\n")
            source += text
    done = subprocess.run([bin_dir / "hgc-opt", "--split-input-file", "-o", "/dev/null", "-"], input=source, capture_output=True, text=True)
    wrong = {int(line) for line in re.findall(r"<stdin>:(\d+):\d+: error", done.stderr)}
    wrong |= {int(line) for line in re.findall(r"within split at <stdin>:(\d+)", done.stderr)}
    return {(name, element) for name, element, first, last in chunks if not any(first <= n <= last for n in wrong)}


# Every op has code for both devices.
DEVICES = {"the CPU": [], "the GPU": ["--gpu=sm_80", "--device=emulated", "--strict-placement", "--place=gpu(.*)"]}


def compile_accepted(bin_dir, rows, pairs):
    """Compiles all accepted ops of each type and compares them with the evaluator."""

    def compile_type(case):
        element, device = case
        names = [name for name in rows if (name, element) in pairs]
        source = "module @m {\n" + parameter(element)
        for i, name in enumerate(names):
            source += function(f"f{i}", rows[name], element)
        with tempfile.TemporaryDirectory() as folder:
            command = [bin_dir / "hgc", "compile", "-", "-o", f"{folder}/m.so", "--verify", *DEVICES[device]]
            done = subprocess.run(command, input=source + "}\n", capture_output=True, text=True)
        if done.returncode == 0:
            return None
        listing = "\n".join(f"f{i} = {name}" for i, name in enumerate(names))
        return f"error: the ops that accept {element} do not all work on {device}\n{done.stderr}\n{listing}"

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for error in filter(None, pool.map(compile_type, itertools.product(TYPES, DEVICES))):
            sys.exit(error)


def check_complete(bin_dir, rows):
    """Every op of the dialect is in the table or known to have no type."""
    page = bin_dir.parent / "dialects" / "Graph" / "GraphOps.h.inc"
    ops = set(re.findall(r'StringLiteral\("hgc\.(\w+)"\)', page.read_text()))
    missing = ops - {name.split()[0] for name in rows} - STRUCTURAL
    if missing:
        sys.exit(f"error: ops without a row in scripts/support_matrix.py: {', '.join(sorted(missing))}\nhint: add a template")


def table(bin_dir):
    rows = templates()
    check_complete(bin_dir, rows)
    pairs = accepted(bin_dir, rows)
    compile_accepted(bin_dir, rows, pairs)
    groups = {}
    for name in rows:
        groups.setdefault(tuple((name, t) in pairs for t in TYPES), []).append(name)
    lines = ["| ops | " + " | ".join(TYPES) + " |", "|---|" + ":-:|" * len(TYPES)]
    for cells, names in groups.items():
        lines.append("| " + ", ".join(f"`{n}`" for n in names) + " | " + " | ".join("x" if c else "" for c in cells) + " |")
    return "\n".join(lines) + "\n"
