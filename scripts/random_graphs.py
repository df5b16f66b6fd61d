#!/usr/bin/env python3
"""Generates random graphs over all ops, types and awkward shapes and compares
compiled code with the evaluator (hgc compile --verify), in both arena modes.

Values stay in ranges where rounding cannot flip a decision: ops with jumps
(floor, compare, casts to integers, ...) only see exact values.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import check_kernels

FLOATS = ["f32", "f64", "f16", "bf16"]
INTS = ["i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"]
EXTENTS = [1, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 24, 31, 33, 40, 65]
SMALL = [1, 2, 3, 4, 5, 7]
MAX_ELEMENTS = 6000
# Unary float ops: largest |x| they may see, and a bound of the result.
SMOOTH = {
    "abs": (1e9, lambda m: m), "neg": (1e9, lambda m: m), "relu": (1e9, lambda m: m),
    "exp": (8, lambda m: 3000), "expm1": (8, lambda m: 3000), "sin": (20, lambda m: 1), "cos": (20, lambda m: 1),
    "tanh": (1e9, lambda m: 1), "sigmoid": (1e9, lambda m: 1), "erf": (1e9, lambda m: 1), "atan": (1e9, lambda m: 1.6),
    "sinh": (6, lambda m: 250), "cosh": (6, lambda m: 250), "asinh": (1e9, lambda m: m), "gelu": (1e9, lambda m: m),
    "gelu_tanh": (1e9, lambda m: m), "silu": (1e9, lambda m: m), "tan": (1, lambda m: 2),
}
# These need x in an open range: applied to abs(x) + 0.5 or tanh(x) * 0.9.
POSITIVE = {"log": 12, "sqrt": 1e9, "rsqrt": 2, "log1p": 12}
UNIT = {"asin": 2, "acos": 4, "atanh": 2}
JUMPS = ["floor", "ceil", "round", "trunc", "sign"]


class Value:
    def __init__(self, name, shape, element, bound, exact):
        self.name, self.shape, self.element, self.bound, self.exact = name, list(shape), element, bound, exact

    @property
    def type(self):
        return "tensor<" + "".join(f"{d}x" for d in self.shape) + self.element + ">"

    @property
    def elements(self):
        n = 1
        for d in self.shape:
            n *= d
        return n

    @property
    def is_float(self):
        return self.element in FLOATS


class Graph:
    """One entry function under construction."""

    def __init__(self, rng, name, grad=False):
        self.rng, self.name, self.lines, self.values, self.count, self.args = rng, name, [], [], 0, []
        self.grad = grad
        # What is added to whole rows: a normalisation behind would take it away again.
        self.shifts = []

    def fresh(self, shape, element, bound, exact=False):
        self.count += 1
        return Value(f"%v{self.count}", shape, element, bound, exact)

    def emit(self, op, operands, shape, element, bound, exact=False, attrs="", form="functional"):
        result = self.fresh(shape, element, bound, exact)
        names = ", ".join(v.name for v in operands)
        types = f"({', '.join(v.type for v in operands)}) -> {result.type}" if form == "functional" else result.type
        self.lines.append(f"    {result.name} = hgc.{op.format(names)}{attrs} : {types}")
        self.values.append(result)
        return result

    def constant(self, value, element, shape=()):
        result = self.fresh(shape, element, abs(value), True)
        text = repr(float(value)) if element in FLOATS else ("true" if value else "false") if element == "i1" else int(value)
        self.lines.append(f"    {result.name} = hgc.constant dense<{text}> : {result.type}")
        return result

    def argument(self, shape, element):
        value = Value(f"%a{len(self.args)}", shape, element, 1.0 if element in FLOATS else 300, True)
        self.args.append(value)
        self.values.append(value)
        return value

    def shape(self, rank=None):
        rank = self.rng.choice([1, 2, 2, 3, 3, 4]) if rank is None else rank
        while True:
            dims = [self.rng.choice(EXTENTS) for _ in range(rank)]
            n = 1
            for d in dims:
                n *= d
            if n <= MAX_ELEMENTS:
                return dims

    def pick(self, test=lambda v: True, make=None):
        """A value that passes the test; a new argument when there is none."""
        found = [v for v in self.values if test(v)]
        if found and self.rng.random() < 0.9:
            return self.rng.choice(found[-6:])
        return make() if make else self.argument(self.shape(), self.rng.choice(FLOATS[:1] * 4 + FLOATS))

    def floats(self):
        return self.pick(lambda v: v.is_float)

    def limited(self, value, limit):
        """The value, squashed when it may be larger than the limit."""
        if value.bound <= limit:
            return value
        return self.emit("tanh {0}", [value], value.shape, value.element, 1.0, form="same")

    def broadcastable(self, value):
        """A second operand of the same element type whose shape broadcasts."""
        r = self.rng
        same = [v for v in self.values if v.element == value.element and v.shape == value.shape]
        if same and r.random() < 0.5:
            return r.choice(same)
        shape = [d if r.random() < 0.7 else 1 for d in value.shape][r.randrange(0, max(1, len(value.shape))):]
        return self.argument(shape, value.element)

    # One method per family; each adds at least one op.

    def add_smooth(self):
        x = self.floats()
        op = self.rng.choice(sorted(SMOOTH))
        limit, bound = SMOOTH[op]
        x = self.limited(x, min(limit, 50 if x.element in ("f16", "bf16") else limit))
        if x.element == "f16" and op in ("exp", "expm1", "sinh", "cosh"):
            x = self.limited(x, 2)
        self.emit(op + " {0}", [x], x.shape, x.element, bound(x.bound), form="same",
                  exact=x.exact and op in ("abs", "neg", "relu"))

    def add_restricted(self):
        x = self.limited(self.floats(), 100)
        if self.rng.random() < 0.6:
            op = self.rng.choice(sorted(POSITIVE))
            x = self.emit("abs {0}", [x], x.shape, x.element, x.bound, form="same")
            half = self.constant(0.5, x.element)
            x = self.emit("add {0}", [x, half], x.shape, x.element, x.bound + 0.5)
            self.emit(op + " {0}", [x], x.shape, x.element, min(POSITIVE[op], x.bound + 1), form="same")
            return
        op = self.rng.choice(sorted(UNIT))
        x = self.emit("tanh {0}", [x], x.shape, x.element, 1, form="same")
        scale = self.constant(0.75, x.element)
        x = self.emit("mul {0}", [x, scale], x.shape, x.element, 1)
        self.emit(op + " {0}", [x], x.shape, x.element, UNIT[op], form="same")

    def add_jump(self):
        x = self.pick(lambda v: v.is_float and v.exact, lambda: self.argument(self.shape(), "f32"))
        op = self.rng.choice(JUMPS)
        self.emit(op + " {0}", [x], x.shape, x.element, x.bound + 1, True, form="same")

    def add_binary(self):
        x = self.limited(self.floats(), 1e4 if self.rng.random() < 0.5 else 100)
        if x.element in ("f16", "bf16"):
            x = self.limited(x, 20)
        y = self.broadcastable(x)
        if y.element in ("f16", "bf16"):
            y = self.limited(y, 20)
        op = self.rng.choice(["add", "sub", "mul", "max", "min", "div", "atan2", "pow"])
        if op in ("div", "pow"):
            y = self.emit("abs {0}", [y], y.shape, y.element, y.bound, form="same")
            y = self.emit("add {0}", [y, self.constant(0.5, y.element)], y.shape, y.element, y.bound + 0.5)
        if op == "pow":
            x, y = self.limited(y, 4), self.limited(x, 3)
        shape = [b if a == 1 else a for a, b in zip(([1] * 9 + x.shape)[-max(len(x.shape), len(y.shape)):] if x.shape or y.shape else [],
                                           ([1] * 9 + y.shape)[-max(len(x.shape), len(y.shape)):] if x.shape or y.shape else [])]
        if op == "atan2":
            y = self.emit("abs {0}", [y], y.shape, y.element, y.bound, form="same")
            y = self.emit("add {0}", [y, self.constant(0.5, y.element)], y.shape, y.element, y.bound + 0.5)
        bound = {"add": x.bound + y.bound, "sub": x.bound + y.bound, "mul": x.bound * y.bound, "div": 2 * x.bound,
                 "pow": 300, "atan2": 4}.get(op, max(x.bound, y.bound))
        self.emit(op + " {0}", [x, y], shape, x.element, bound, op in ("max", "min") and x.exact and y.exact)
        if op in ("add", "sub"):
            self.shifts += [v for v in (x, y) if v.shape != shape]

    def add_integer(self):
        element = self.rng.choice(INTS + ["i1"])
        x = self.pick(lambda v: v.element == element, lambda: self.argument(self.shape(), element))
        y = self.broadcastable(x)
        if element == "i1":
            op = self.rng.choice(["and", "or", "xor"])
        else:
            op = self.rng.choice(["add", "sub", "mul", "div", "rem", "max", "min", "and", "or", "xor", "shl", "shr"])
        rank = max(len(x.shape), len(y.shape))
        shape = [b if a == 1 else a for a, b in zip([1] * (rank - len(x.shape)) + x.shape, [1] * (rank - len(y.shape)) + y.shape)]
        z = self.emit(op + " {0}", [x, y], shape, element, 1e18, True)
        if self.rng.random() < 0.3:
            op = "not" if element == "i1" else self.rng.choice(["abs", "neg", "sign", "not", "relu"])
            self.emit(op + " {0}", [z], z.shape, element, 1e18, True, form="same")

    def add_compare(self):
        x = self.pick(lambda v: v.exact, lambda: self.argument(self.shape(), "f32"))
        y = self.argument(x.shape, x.element)
        predicate = self.rng.choice(["eq", "ne", "lt", "le", "gt", "ge"])
        m = self.emit(f"compare {predicate} {{0}}", [x, y], x.shape, "i1", 1, True)
        a, b = self.argument(x.shape, "f32"), self.argument(x.shape[-1:], "f32")
        self.emit("select {0}", [m, a, b], x.shape, "f32", max(a.bound, b.bound), True)
        if x.is_float:
            self.emit(self.rng.choice(["is_nan", "is_inf"]) + " {0}", [x], x.shape, "i1", 1, True)

    def add_cast(self):
        x = self.pick(lambda v: v.exact, lambda: self.argument(self.shape(), self.rng.choice(FLOATS + INTS)))
        to = self.rng.choice(FLOATS + INTS + ["i1"])
        # Two rounding steps may fall on different sides: halves only take small integers or floats.
        if x.is_float or to not in ("f16", "bf16") or x.bound < 2000:
            self.emit("cast {0}", [x], x.shape, to, x.bound if to in FLOATS else 1e18,
                      not (to in FLOATS and x.is_float and to != x.element), attrs=f" to {to}")

    def add_matmul(self):
        r = self.rng
        element = r.choice(["f32"] * 4 + ["f64", "f16", "bf16", "i8"])
        m, k, n = (r.choice(EXTENTS) for _ in range(3))
        batch = [r.choice(SMALL) for _ in range(r.choice([0, 0, 0, 1, 2]))]
        other = batch if r.random() < 0.5 else []
        ta, tb = r.random() < 0.25, r.random() < 0.25
        a = self.argument(batch + ([k, m] if ta else [m, k]), element)
        b_shape = other + ([n, k] if tb else [k, n])
        attrs = (" transpose_lhs" if ta else "") + (" transpose_rhs" if tb else "")
        b = self.weights(b_shape, element) if r.random() < 0.6 else self.argument(b_shape, element)
        out = {"f64": "f64", "i8": "i32"}.get(element, "f32")
        z = self.emit("matmul {0}", [a, b], batch + [m, n], out, k * a.bound * b.bound, out == "i32", attrs=attrs)
        if out == "f32" and r.random() < 0.7:
            bias = self.argument([n], "f32")
            z = self.emit("add {0}", [z, bias], z.shape, "f32", z.bound + 1)
            if r.random() < 0.7:
                self.emit(r.choice(["relu", "tanh", "sigmoid", "gelu"]) + " {0}", [z], z.shape, "f32", z.bound, form="same")

    def parameter(self, shape, element):
        name = f"@{self.name}.p{len(self.parameters)}"
        value = self.fresh(shape, element, 1, True)
        self.parameters.append(f"  hgc.parameter {name} : {value.type} = #hgc.init<uniform, seed = {self.rng.randrange(1000)}>")
        self.lines.append(f"    {value.name} = hgc.read {name} : {value.type}")
        return value

    def weights(self, shape, element):
        """Known when compiling: a parameter, or a constant of bytes, whose panels hold several rows in each lane."""
        if element != "i8":
            return self.parameter(shape, element)
        value = self.fresh(shape, element, 128, True)
        elements = math.prod(shape)
        # Too many to be written out where the caller asks for absurd extents.
        data = f'"0x{self.rng.randbytes(elements).hex()}"' if elements < 1 << 20 else self.rng.randrange(-128, 128)
        self.lines.append(f"    {value.name} = hgc.constant dense<{data}> : {value.type}")
        return value

    def window(self, rank, room):
        """strides, pads, dilations, window and output extents for inputs `room`."""
        r = self.rng
        window, strides, dilations, low, high, out = [], [], [], [], [], []
        for extent in room:
            w, d, s = r.choice([1, 2, 3, 3, 5]), r.choice([1, 1, 1, 2]), r.choice([1, 1, 2, 3])
            w = min(w, (extent - 1) // d + 1)
            lo, hi = (r.randrange(0, min(w, 3)), r.randrange(0, min(w, 3)))
            window.append(w), strides.append(s), dilations.append(d), low.append(lo), high.append(hi)
            out.append((extent + lo + hi - (w - 1) * d - 1) // s + 1)
        return window, strides, dilations, low + high, out

    def convolution(self):
        """Geometry and channels of a random convolution: data and filter shapes by role, and their attributes."""
        r = self.rng
        rank = r.choice([1, 2, 2, 2, 3])
        room = [r.choice([3, 4, 5, 7, 8, 11]) for _ in range(rank)]
        window, strides, dilations, pads, out = self.window(rank, room)
        groups = r.choice([1, 1, 1, 2, 3])
        ci, co = groups * r.choice([1, 2, 3, 8]), groups * r.choice([1, 2, 5, 16, 19])
        if r.random() < 0.2:
            groups = co = ci
        last, hwio = r.random() < 0.7, r.random() < 0.7
        batch = r.choice([1, 1, 2, 3])
        data = [batch] + room + [ci] if last else [batch, ci] + room
        result = [batch] + out + [co] if last else [batch, co] + out
        kernel = window + [ci // groups, co] if hwio else [co, ci // groups] + window
        attrs = f" strides = {strides} pads = {pads} dilations = {dilations} groups = {groups}"
        attrs += (" channels_last" if last else " channels_first") + (" hwio" if hwio else " oihw")
        return {"data": data, "result": result, "filter": kernel, "attrs": attrs, "room": room, "window": window,
                "last": last, "rank": rank}

    def contracted(self):
        """An element type of contractions, and the type of their sums."""
        element = self.rng.choice(["f32"] * 5 + ["f64", "f16", "bf16", "i8"])
        return element, {"f64": "f64", "i8": "i32"}.get(element, "f32")

    def finish_conv(self, y, conv):
        """Bias and activation, fused behind it."""
        if y.element != "f32" or self.rng.random() >= 0.7:
            return
        channels = y.shape[-1] if conv["last"] else y.shape[1]
        bias = self.argument([channels] if conv["last"] else [channels] + [1] * conv["rank"], "f32")
        y = self.emit("add {0}", [y, bias], y.shape, "f32", 100)
        self.emit("relu {0}", [y], y.shape, "f32", 100, form="same")

    def filter(self, shape, element):
        return self.weights(shape, element) if self.rng.random() < 0.7 else self.argument(shape, element)

    def add_conv(self):
        conv, (element, accumulator) = self.convolution(), self.contracted()
        x, w = self.argument(conv["data"], element), self.filter(conv["filter"], element)
        y = self.emit("conv {0}", [x, w], conv["result"], accumulator, 100, accumulator == "i32", attrs=conv["attrs"])
        self.finish_conv(y, conv)

    def add_conv_transpose(self):
        conv, (element, accumulator) = self.convolution(), self.contracted()
        y, w = self.argument(conv["result"], element), self.filter(conv["filter"], element)
        x = self.emit("conv_transpose {0}", [y, w], conv["data"], accumulator, 100, accumulator == "i32",
                      attrs=f" extents = {conv['room']}" + conv["attrs"])
        self.finish_conv(x, conv)

    def add_conv_filter_grad(self):
        conv, (element, accumulator) = self.convolution(), self.contracted()
        x, y = self.argument(conv["data"], element), self.argument(conv["result"], element)
        w = self.emit("conv_filter_grad {0}", [x, y], conv["filter"], accumulator, 1000, accumulator == "i32",
                      attrs=f" window = {conv['window']}" + conv["attrs"])
        if accumulator == "f32" and self.rng.random() < 0.5:
            rate = self.constant(0.125, "f32")
            self.emit("mul {0}", [w, rate], w.shape, "f32", 1000)

    def add_pool(self):
        r = self.rng
        rank = r.choice([1, 2, 2, 3])
        room = [r.choice([3, 4, 5, 7, 8]) for _ in range(rank)]
        window, strides, dilations, pads, out = self.window(rank, room)
        kind = r.choice(["max", "avg", "sum"])
        element = r.choice(FLOATS[:1] * 3 + FLOATS + (["i32", "ui8", "i8"] if kind == "max" else []))
        batch, c, last = r.choice([1, 2]), r.choice([1, 3, 8, 17]), r.random() < 0.6
        x = self.argument([batch] + room + [c] if last else [batch, c] + room, element)
        attrs = f" window = {window} strides = {strides} pads = {pads} dilations = {dilations}"
        attrs += " count_include_pad" if kind == "avg" and r.random() < 0.5 else ""
        attrs += " channels_last" if last else " channels_first"
        self.emit(f"pool {kind} {{0}}", [x], [batch] + out + [c] if last else [batch, c] + out, element, 100, kind == "max",
                  attrs=attrs)

    def add_reduce(self):
        r = self.rng
        kind = r.choice(["sum", "mean", "prod", "max", "min", "any", "all"])
        if kind in ("any", "all"):
            x = self.pick(lambda v: v.element == "i1", lambda: self.argument(self.shape(), "i1"))
        elif r.random() < 0.3:
            x = self.pick(lambda v: v.element in INTS, lambda: self.argument(self.shape(), r.choice(INTS)))
        else:
            x = self.limited(self.floats(), 20)
        if kind == "prod" and x.is_float:
            x = self.emit("cos {0}", [self.limited(x, 1)], x.shape, x.element, 1, form="same")
        axes = sorted(r.sample(range(len(x.shape)), r.randrange(0, len(x.shape) + 1))) if x.shape else []
        keep = r.random() < 0.5
        shape = [1 if i in axes else d for i, d in enumerate(x.shape) if keep or i not in axes]
        n = x.elements
        self.emit(f"reduce {kind} {{0}}", [x], shape, x.element, x.bound * (n if kind == "sum" else 1),
                  x.exact and (kind in ("max", "min", "any", "all") or not x.is_float),
                  attrs=f" axes = {axes}" + (" keepdims" if keep else ""))

    def add_normal(self):
        x = self.limited(self.pick(lambda v: v.is_float and v.shape, lambda: self.argument(self.shape(), "f32")), 50)
        op = self.rng.choice(["softmax", "log_softmax", "layer_norm", "batch_norm"])
        axis = self.rng.randrange(len(x.shape))
        if op in ("softmax", "log_softmax"):
            self.emit(op + " {0}", [x], x.shape, x.element, 60, attrs=f" axis {axis}", form="same")
        elif op == "layer_norm":
            scale, bias = (self.argument(x.shape[axis:], x.element) for _ in range(2))
            self.emit(op + " {0}", [x, scale, bias], x.shape, x.element, 100, attrs=f" axis {axis} epsilon 1.0e-01")
        else:
            c = [x.shape[axis]]
            scale, bias, mean, var = (self.argument(c, x.element) for _ in range(4))
            var = self.emit("abs {0}", [var], c, x.element, 1, form="same")
            self.emit(op + " {0}", [x, scale, bias, mean, var], x.shape, x.element, 100,
                      attrs=f" axis {axis} epsilon 1.0e-01")

    def slice(self, x, r):
        starts, sizes, strides = [], [], []
        for d in x.shape:
            s = r.choice([1, 1, 2, -1])
            if d == 0:
                starts.append(0), sizes.append(0), strides.append(1)
                continue
            n = r.randrange(1, (d - 1) // abs(s) + 2)
            first = r.randrange(0, d - (n - 1) * abs(s))
            starts.append(first if s > 0 else first + (n - 1)), sizes.append(n), strides.append(s)
        return self.emit("slice {0}", [x], sizes, x.element, x.bound, x.exact,
                         attrs=f" starts = {starts} sizes = {sizes} strides = {strides}")

    def part(self, x, r):
        """A part of the value, of known positions: what makes it may compute less."""
        if not x.shape or x.elements == 0 or r.random() < 0.5:
            return self.slice(x, r) if x.shape else x
        axis, index = r.randrange(len(x.shape)), [r.choice([1, 2, 3, 5])] * r.choice([0, 1, 1])
        ids = self.fresh(index, "i64", 65, True)
        picked = [r.randrange(-x.shape[axis], x.shape[axis] + 1) for _ in range(math.prod(index))]
        self.lines.append(f"    {ids.name} = hgc.constant dense<{picked if index else picked[0]}> : {ids.type}")
        return self.emit("gather {0}", [x, ids], x.shape[:axis] + index + x.shape[axis + 1:], x.element, x.bound, x.exact,
                         attrs=f" axis {axis}")

    def add_shape(self):
        r = self.rng
        x = self.pick(lambda v: v.shape and v.elements <= MAX_ELEMENTS)
        rank = len(x.shape)
        op = r.choice(["reshape", "transpose", "broadcast", "concat", "slice", "dynamic", "pad", "gather", "iota"])
        keep = (x.element, x.bound, x.exact)
        if op == "reshape":
            shape = [x.elements] if r.random() < 0.5 else [x.shape[0], -1] if x.shape[0] else [-1]
            final = [d if d >= 0 else x.elements // (x.shape[0] or 1) for d in shape]
            self.emit("reshape {0}", [x], final, *keep, attrs=f" shape {shape}")
        elif op == "transpose":
            p = r.sample(range(rank), rank)
            self.emit("transpose {0}", [x], [x.shape[i] for i in p], *keep, attrs=f" permutation = {p}")
        elif op == "broadcast" and x.elements <= 1000:
            shape = [r.choice([1, 2, 3])] + [d if d != 1 else r.choice([1, 2, 5]) for d in x.shape]
            self.emit("broadcast {0}", [x], shape, *keep, attrs=f" shape {shape}")
        elif op == "concat":
            axis = r.randrange(rank)
            others = [self.argument(x.shape[:axis] + [r.choice(SMALL)] + x.shape[axis + 1:], x.element) for _ in range(r.choice([1, 2]))]
            shape = list(x.shape)
            shape[axis] += sum(o.shape[axis] for o in others)
            self.emit("concat {0}", [x] + others, shape, *keep, attrs=f" axis {axis}")
        elif op == "slice":
            self.slice(x, r)
        elif op == "dynamic":
            sizes = [r.randrange(min(d, 1), d + 1) for d in x.shape]
            at = self.argument([rank], r.choice(["i64", "i32"]))
            result = self.fresh(sizes, *keep)
            self.lines.append(f"    {result.name} = hgc.slice {x.name} at {at.name} sizes = {sizes} : ({x.type}, {at.type}) -> {result.type}")
            self.values.append(result)
        elif op == "pad":
            mode = r.choice(["constant", "edge", "reflect", "wrap"])
            limit = lambda d: 3 if mode == "constant" or (mode == "edge" and d) else max(0, d - 1) if mode == "reflect" else d
            low = [r.randrange(0, min(3, limit(d)) + 1) for d in x.shape]
            high = [r.randrange(0, min(3, limit(d)) + 1) for d in x.shape]
            value = self.constant(1, x.element)
            self.emit(f"pad {mode} {{0}}", [x, value], [d + a + b for d, a, b in zip(x.shape, low, high)], *keep,
                      attrs=f" low = {low} high = {high}")
        elif op == "gather":
            axis, index = r.randrange(rank), [r.choice(SMALL) for _ in range(r.choice([0, 1, 1, 2]))]
            if x.shape[axis] == 0:  # nothing to pick
                index = [0]
            ids = self.argument(index, r.choice(["i64", "i32"]))
            self.emit("gather {0}", [x, ids], x.shape[:axis] + index + x.shape[axis + 1:], *keep, attrs=f" axis {axis}")
        elif op == "iota":
            axis = r.randrange(rank)
            element = r.choice(["f32", "i32", "i64", "ui8"])
            result = self.fresh(x.shape, element, 100, True)
            self.lines.append(f"    {result.name} = hgc.iota shape {x.shape} axis {axis} of {element} : {result.type}")
            self.values.append(result)

    def indices(self, shape, extent):
        """Indices that mostly are in range; a few are clamped."""
        ids = self.argument(shape, self.rng.choice(["i64", "i32"]))
        limit = self.constant(extent + 1, ids.element)
        return self.emit("rem {0}", [ids, limit], shape, ids.element, extent, True)

    def add_order(self):
        r = self.rng
        make = lambda: self.argument(self.shape(), r.choice(FLOATS + INTS + ["i1"]))
        x = self.pick(lambda v: v.shape and v.exact, make)
        axis = r.randrange(len(x.shape))
        if x.shape[axis] == 0:  # nothing to order
            return
        shape = list(x.shape)
        if r.random() < 0.4:
            keep = r.random() < 0.5
            shape[axis:axis + 1] = [1] if keep else []
            kind = r.choice(["max", "min"])
            self.emit(f"arg_reduce {kind} {{0}}", [x], shape, "i64", 65, True,
                      attrs=f" axis {axis}" + (" keepdims" if keep else ""))
            return
        attrs = f" axis {axis}" + (" descending" if r.random() < 0.5 else "")
        if r.random() < 0.5:
            shape[axis] = r.randrange(1, shape[axis] + 1)
            attrs += f" k = {shape[axis]}"
        order = self.emit("arg_sort {0}", [x], shape, "i64", 65, True, attrs=attrs)
        if r.random() < 0.6:
            self.emit("gather_along {0}", [x, order], shape, x.element, x.bound, x.exact, attrs=f" axis {axis}")

    def add_scatter(self):
        r = self.rng
        x = self.pick(lambda v: v.shape, lambda: self.argument(self.shape(), r.choice(FLOATS + INTS)))
        x = self.limited(x, 10) if x.is_float else x
        axis = r.randrange(len(x.shape))
        if x.shape[axis] == 0:  # nothing to pick
            return
        shape = list(x.shape)
        slices = r.random() < 0.5
        if slices:
            picked = [r.choice(SMALL) for _ in range(r.choice([0, 1, 1, 2]))]
            shape[axis:axis + 1] = picked
        else:
            shape[axis] = r.choice(SMALL + [19])
            picked = shape
        if r.random() < 0.3:
            ids = self.indices(picked, x.shape[axis])
            self.emit(("gather" if slices else "gather_along") + " {0}", [x, ids], shape, x.element, x.bound, x.exact, attrs=f" axis {axis}")
            return
        kinds = ["set"] if x.element == "i1" else ["set", "add", "max", "min"] + ([] if x.is_float else ["mul"])
        kind = r.choice(kinds)
        updates, ids = self.argument(shape, x.element), self.indices(picked, x.shape[axis])
        exact = x.exact and (kind in ("set", "max", "min") or not x.is_float)
        self.emit(f"scatter {kind} {{0}}", [x, ids, updates], x.shape, x.element, x.bound + 20, exact,
                  attrs=f" axis {axis}" + (" slices" if slices else ""))

    def add_attention(self):
        r = self.rng
        element = r.choice(["f32"] * 3 + FLOATS)
        batch = [r.choice([1, 2, 3]) for _ in range(r.choice([0, 1, 1, 2]))]
        queries, keys, features, results = (r.choice([1, 2, 5, 8, 13, 17, 33]) for _ in range(4))
        q = self.argument(batch + [queries, features], element)
        k = self.argument((batch if r.random() < 0.7 else []) + [keys, features], element)
        v = self.argument((batch if r.random() < 0.7 else []) + [keys, results], element)
        operands, attrs = [q, k, v], ""
        if r.random() < 0.3:
            attrs += f" scale = {r.choice([0.25, 1.0])}"
        causal = r.random() < 0.3
        attrs += " causal" if causal else ""
        result = self.fresh(batch + [queries, results], element, 1)
        mask = ""
        if r.random() < 0.4:
            # Key 0 stays visible where an i1 mask could hide all of them.
            m = self.argument([queries, keys] if r.random() < 0.5 else batch + [1, keys], r.choice([element, "i1"]))
            if m.element == "i1":
                position = self.fresh([keys], "i32", keys, True)
                self.lines.append(f"    {position.name} = hgc.iota shape [{keys}] axis 0 of i32 : {position.type}")
                first = self.emit("compare eq {0}", [position, self.constant(0, "i32")], [keys], "i1", 1, True)
                m = self.emit("or {0}", [m, first], m.shape, "i1", 1, True)
            mask, operands = f" mask {m.name}", operands + [m]
        types = ", ".join(o.type for o in operands)
        self.lines.append(f"    {result.name} = hgc.attention {q.name}, {k.name}, {v.name}{mask}{attrs} : ({types}) -> {result.type}")
        self.values.append(result)

    def add_control(self):
        r = self.rng
        x = self.limited(self.pick(lambda v: v.is_float and v.shape, lambda: self.argument(self.shape(), "f32")), 10)
        kind = r.choice(["if", "scan"] if self.grad else ["if", "scan", "while"])
        t = x.type
        result = self.fresh(x.shape, x.element, 20)
        if kind == "if":
            c = self.argument([], "i1")
            self.lines += [f"    {result.name} = hgc.if {c.name} : tensor<i1> -> ({t}) {{",
                           f"      %t = hgc.tanh {x.name} : {t}", f"      hgc.yield %t : {t}", "    } else {",
                           f"      %e = hgc.neg {x.name} : {t}", f"      hgc.yield %e : {t}", "    }"]
        elif kind == "while":
            zero, one, limit = (self.constant(v, "i32") for v in (0, 1, r.randrange(0, 5)))
            index = self.fresh([], "i32", 10, True)
            self.lines += [f"    {index.name}, {result.name} = hgc.while init({zero.name}, {x.name} : tensor<i32>, {t}) -> (tensor<i32>, {t}) cond {{",
                           f"    ^bb0(%i: tensor<i32>, %s: {t}):",
                           f"      %p = hgc.compare lt %i, {limit.name} : (tensor<i32>, tensor<i32>) -> tensor<i1>",
                           "      hgc.yield %p : tensor<i1>", "    } do {", f"    ^bb0(%i: tensor<i32>, %s: {t}):",
                           f"      %n = hgc.add %i, {one.name} : (tensor<i32>, tensor<i32>) -> tensor<i32>",
                           f"      %u = hgc.tanh %s : {t}", f"      hgc.yield %n, %u : tensor<i32>, {t}", "    }"]
        else:
            steps = r.choice([1, 2, 3, 5])
            xs = self.argument([steps] + x.shape, x.element)
            stacked = self.fresh([steps] + x.shape, x.element, 20)
            direction = " reverse" if r.random() < 0.4 else ""
            self.lines += [f"    {result.name}, {stacked.name} = hgc.scan init({x.name} : {t}) over({xs.name} : {xs.type}){direction} -> ({t}, {stacked.type}) {{",
                           f"    ^bb0(%s: {t}, %x: {t}):", f"      %n = hgc.add %s, %x : ({t}, {t}) -> {t}",
                           f"      %u = hgc.tanh %n : {t}", f"      hgc.yield %u, %n : {t}, {t}", "    }"]
            self.values.append(stacked)
        self.values.append(result)

    FAMILIES = ["smooth", "smooth", "restricted", "jump", "binary", "binary", "binary", "integer", "compare", "cast",
                "matmul", "conv", "conv_transpose", "conv_filter_grad", "pool", "reduce", "normal", "shape", "shape", "shape", "control",
                "order", "scatter", "attention"]

    def loss(self, values):
        """The sum of all floats among the values, each with a weight, and of more than that most often is: it should not
        cancel to nothing."""
        total = self.constant(8, "f32")
        for v in values:
            if not v.is_float or v.elements == 0:
                continue
            v = v if v.element == "f32" else self.emit("cast {0}", [v], v.shape, "f32", v.bound, attrs=" to f32")
            # Without weights the gradients of softmax and its kind would be rounding errors.
            v = self.emit("mul {0}", [v, self.argument(v.shape, "f32")], v.shape, "f32", v.bound)
            v = self.emit("reduce mean {0}", [v], [], "f32", v.bound, attrs=f" axes = {list(range(len(v.shape)))}")
            total = self.emit("add {0}", [total, v], [], "f32", 1)
        return total

    def build(self, ops):
        self.parameters = []
        while self.count < ops:
            getattr(self, "add_" + self.rng.choice(self.FAMILIES))()
        # What nothing else uses would be dead code: all of it is returned.
        text = "\n".join(line.split(" = ", 1)[-1] for line in self.lines) + " "
        unused = [v for v in self.values if not re.search(v.name + r"\b", text)]
        results = (unused or self.values[-1:]) + self.rng.sample(self.values, 1)
        # A source of its own: half of the graphs are as they would be without this.
        chance = random.Random(text)
        if chance.random() < 0.5:
            results = [self.part(v, chance) for v in results]
        if self.grad:
            # Else their gradients could be rounding errors.
            results = [self.loss(results + self.shifts)]
        args = ", ".join(f"{v.name}: {v.type}" for v in self.args)
        types = ", ".join(v.type for v in results)
        head = f"  func.func @{self.name}({args}) -> ({types}) attributes {{hgc.entry{', hgc.grad' if self.grad else ''}}} {{"
        return self.parameters, [head] + self.lines + [f"    return {', '.join(v.name for v in results)} : {types}", "  }"]


def make_module(seed, entries, grad=False):
    rng = random.Random(seed)
    parameters, functions = [], []
    for i in range(entries):
        p, f = Graph(rng, f"g{i}", grad).build(rng.choice([2, 4, 8, 14]))
        parameters += p
        functions += f
    return "\n".join([f"module @random_{seed} {{"] + parameters + functions + ["}"]) + "\n"


def find_assembler(build):
    """An environment in which hgc finds ptxas, if there is one."""
    tool = check_kernels.find_tool("ptxas", build)
    if not tool:
        print("note: no ptxas, kernels are not assembled\nhint: scripts/check_kernels.py --install gets it", flush=True)
        return None
    return dict(os.environ, PATH=os.path.dirname(tool) + os.pathsep + os.environ["PATH"])


def write_slow_table(path):
    """A CPU on which small graphs are worth a GPU for some of their ops."""
    table = json.loads((pathlib.Path(__file__).parent.parent / "lib/Target/tables/x86-64-v3.json").read_text())
    path.write_text(json.dumps(dict(table, launch_ps=9000000)))


def run_one(hgc, folder, seed, args, environment):
    path = folder / f"random_{seed}.mlir"
    path.write_text(make_module(seed, args.per_module, args.grad))
    arena = "separate" if seed % 2 else "packed"
    level = ["-O3", "-O3", "-O0", "-O2"][seed % 4]
    command = [hgc, "compile", path, "--verify", "--check-certificate", level, f"--arena={arena}", "-o",
               folder / f"random_{seed}.so"]
    if args.device:
        command += [f"--device={args.device}", "--gpu=sm_80", "--strict-placement"]
        command += [f"--target-table={folder / 'slow.json'}"] if args.placed else ["--place=gpu(.*)"]
        # The caller has some arguments and results on the GPU.
        residents = [name for i, name in enumerate(["arg0", "result0", "result1"][:3 - args.grad]) if seed >> i & 1]
        command += ["--resident=" + ",".join(f"{name}=gpu" for name in residents)] if residents else []
    elif seed % 3 == 0:
        # With all instructions of this machine.
        command += ["--target-cpu=native"]
    if args.assemble:
        command += ["--cubin"]
    command += args.flag
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
    # PTX that ptxas refuses is a warning; it must not happen.
    code = done.returncode or int("warning" in done.stderr)
    if code and args.keep:
        (args.keep / path.name).write_text(path.read_text())
    return seed, arena, level, code, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--count", type=int, default=300, help="number of graphs")
    parser.add_argument("--per-module", type=int, default=5, help="graphs compiled together")
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--device", help="run on gpu or emulated[:a100], with every op pinned to the GPU")
    parser.add_argument("--placed", action="store_true", help="with --device: let hgc place the ops, on a CPU slow to start kernels")
    parser.add_argument("--flag", action="append", default=[], help="one more option of hgc compile")
    parser.add_argument("--grad", action="store_true", help="differentiate each graph by all its arguments and parameters")
    parser.add_argument("--assemble", action="store_true", help="let ptxas, where there is one, assemble every GPU kernel")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for models that fail")
    parser.add_argument("--print", action="store_true", help="print the first module and stop")
    args = parser.parse_args()
    if args.print:
        print(make_module(args.seed, args.per_module, args.grad), end="")
        return 0
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    modules = -(-args.count // args.per_module)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        hgc = args.build / "bin" / "hgc"
        environment = find_assembler(args.build) if args.assemble else None
        args.assemble = environment is not None
        if args.placed:
            write_slow_table(pathlib.Path(folder) / "slow.json")
        jobs = [pool.submit(run_one, hgc, pathlib.Path(folder), args.seed + i, args, environment) for i in range(modules)]
        for job in concurrent.futures.as_completed(jobs):
            seed, arena, level, code, errors = job.result()
            if code:
                failed += 1
                print(f"seed {seed} ({level}, arena {arena}): exit code {code}\n{errors}", flush=True)
    print(f"random graphs: {modules * args.per_module} graphs in {modules} modules, {failed} modules failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
