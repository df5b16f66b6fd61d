"""ONNX graphs as functions of JAX, for the ops that the exported models have.

Images may be kept with channels last from one convolution to the next, which is
the layout that XLA's convolutions on CPUs are made for; `last` says so.
"""
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


class Image:
    """A value of four dims that is stored with channels last."""

    def __init__(self, value):
        self.value = value


def first(x):
    """In ONNX's order of dims."""
    return jnp.transpose(x.value, (0, 3, 1, 2)) if isinstance(x, Image) else x


def channels_last(x):
    return x.value if isinstance(x, Image) else jnp.transpose(x, (0, 2, 3, 1))


def library(*values):
    """NumPy for what is known at compile time, such as shapes."""
    return np if all(isinstance(v, (np.ndarray, np.generic)) for v in values) else jnp


def gelu(x, approximate="none"):
    return jax.nn.gelu(x, approximate=approximate == "tanh")


UNARY = {
    "Relu": jax.nn.relu, "Sigmoid": jax.nn.sigmoid, "Tanh": jnp.tanh, "Erf": jax.scipy.special.erf, "Sqrt": jnp.sqrt,
    "Exp": jnp.exp, "Neg": lambda x: -x, "Identity": lambda x: x, "Reciprocal": lambda x: 1 / x,
    "HardSigmoid": lambda x, alpha=0.2, beta=0.5: jnp.clip(alpha * x + beta, 0, 1), "Gelu": gelu,
    "HardSwish": jax.nn.hard_swish, "Not": jnp.logical_not,
}
BINARY = {
    "Add": lambda x, a, b: a + b, "Sub": lambda x, a, b: a - b, "Mul": lambda x, a, b: a * b,
    "Div": lambda x, a, b: a // b if np.issubdtype(a.dtype, np.integer) else a / b,
    "Pow": lambda x, a, b: x.power(a, b).astype(a.dtype), "Equal": lambda x, a, b: a == b,
    "Less": lambda x, a, b: a < b, "Greater": lambda x, a, b: a > b, "LessOrEqual": lambda x, a, b: a <= b,
    "GreaterOrEqual": lambda x, a, b: a >= b, "And": lambda x, a, b: x.logical_and(a, b),
    "Max": lambda x, a, b: x.maximum(a, b), "Min": lambda x, a, b: x.minimum(a, b),
}


def window(attrs, spatial):
    pads = attrs.get("pads", [0] * 2 * spatial)
    if attrs.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID") or attrs.get("ceil_mode", 0):
        raise NotImplementedError("padding by rule")
    return (attrs.get("strides", [1] * spatial), attrs.get("dilations", [1] * spatial),
            list(zip(pads[:spatial], pads[spatial:])))


def conv(attrs, last, x, weight, bias=None):
    strides, dilations, pads = window(attrs, 2)
    names = ("NHWC", "HWIO", "NHWC") if last else ("NCHW", "OIHW", "NCHW")
    x = channels_last(x) if last else first(x)
    weight = jnp.transpose(weight, (2, 3, 1, 0)) if last else weight
    y = lax.conv_general_dilated(x, weight, strides, pads, rhs_dilation=dilations, dimension_numbers=names,
                                 feature_group_count=attrs.get("group", 1))
    if bias is not None:
        y = y + (bias if last else bias[:, None, None])
    return Image(y) if last else y


def max_pool(attrs, x):
    kernel = attrs["kernel_shape"]
    strides, dilations, pads = window(attrs, 2)
    last = isinstance(x, Image)

    def full(values, other):
        return (other, *values, other) if last else (other, other, *values)
    y = lax.reduce_window(x.value if last else x, -jnp.inf, lax.max, full(kernel, 1), full(strides, 1),
                          full(pads, (0, 0)), window_dilation=full(dilations, 1))
    return Image(y) if last else y


def reduce(kind, attrs, x, axes=None):
    axes = attrs.get("axes", axes)
    keep = bool(attrs.get("keepdims", 1))
    axes = tuple(range(first(x).ndim)) if axes is None or not len(axes) else tuple(int(a) for a in axes)
    function = {"ReduceMean": jnp.mean, "ReduceSum": jnp.sum, "ReduceMax": jnp.max}[kind]
    if isinstance(x, Image) and keep and sorted(a % 4 for a in axes) == [2, 3]:
        return Image(function(x.value, axis=(1, 2), keepdims=True))
    return function(first(x), axis=axes, keepdims=keep)


def layer_norm(attrs, x, scale, bias=None):
    axes = tuple(range(attrs.get("axis", -1) % x.ndim, x.ndim))
    mean = jnp.mean(x, axes, keepdims=True)
    variance = jnp.mean(jnp.square(x - mean), axes, keepdims=True)
    y = (x - mean) * lax.rsqrt(variance + attrs.get("epsilon", 1e-5)) * scale
    return y if bias is None else y + bias


def batch_norm(attrs, x, scale, bias, mean, variance):
    factor = scale * lax.rsqrt(variance + attrs.get("epsilon", 1e-5))
    shift = bias - mean * factor
    if isinstance(x, Image):
        return Image(x.value * factor + shift)
    shape = (1, -1, *(1,) * (x.ndim - 2))
    return x * factor.reshape(shape) + shift.reshape(shape)


def gemm(attrs, a, b, c=None):
    a = a.T if attrs.get("transA") else a
    b = b.T if attrs.get("transB") else b
    y = a @ b * attrs.get("alpha", 1.0)
    return y if c is None else y + c * attrs.get("beta", 1.0)


def lstm(attrs, x, w, r, b=None, lengths=None, h=None, c=None):
    """One direction, default activations; gates i, o, f, c."""
    if attrs.get("direction", "forward") != "forward" or lengths is not None or attrs.get("layout", 0):
        raise NotImplementedError("this form of LSTM")
    hidden = attrs["hidden_size"]
    w, r = w[0].T, r[0].T
    bias = 0 if b is None else b[0][:4 * hidden] + b[0][4 * hidden:]
    zero = jnp.zeros((x.shape[1], hidden), x.dtype)
    start = (zero if h is None else h[0], zero if c is None else c[0])
    products = x @ w + bias

    def step(state, product):
        h, c = state
        i, o, f, g = jnp.split(product + h @ r, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    (h, c), y = lax.scan(step, start, products)
    return y[:, None], h[None], c[None]


def slice_(attrs, x, starts, ends, axes=None, steps=None):
    index = [slice(None)] * x.ndim
    axes = range(len(starts)) if axes is None else axes
    for i, axis in enumerate(axes):
        step = 1 if steps is None else int(steps[i])
        index[int(axis)] = slice(int(starts[i]), int(ends[i]) if ends[i] > -2 ** 62 else None, step)
    return x[tuple(index)]


def split(attrs, x, sizes=None, outputs=1):
    axis = attrs.get("axis", 0)
    if sizes is None:
        return tuple(jnp.split(x, outputs, axis))
    return tuple(jnp.split(x, [int(n) for n in np.cumsum(sizes)[:-1]], axis))


def reshape(attrs, x, shape):
    return x.reshape([x.shape[i] if n == 0 and not attrs.get("allowzero") else int(n) for i, n in enumerate(shape)])


def expand(x, shape):
    shape = tuple(int(n) for n in shape)
    return library(x).broadcast_to(x, np.broadcast_shapes(x.shape, shape))


def unsqueeze(x, axes):
    return library(x).expand_dims(x, tuple(int(a) for a in axes))


def squeeze(x, axes=None):
    return x.squeeze(None if axes is None else tuple(int(a) for a in axes))


SHAPE_OPS = {
    "MatMul": lambda attrs, a, b: a @ b, "Gemm": gemm, "LayerNormalization": layer_norm, "LSTM": lstm, "Slice": slice_,
    "Split": split, "Reshape": reshape, "Expand": lambda attrs, x, shape: expand(x, shape),
    "Softmax": lambda attrs, x: jax.nn.softmax(x, axis=attrs.get("axis", -1)),
    "Transpose": lambda attrs, x: x.transpose(attrs.get("perm", list(range(x.ndim))[::-1])),
    "Concat": lambda attrs, *x: library(*x).concatenate(x, axis=attrs["axis"]),
    "Flatten": lambda attrs, x: x.reshape(math.prod(x.shape[:attrs.get("axis", 1)]), -1),
    "Unsqueeze": lambda attrs, x, axes: unsqueeze(x, axes), "Squeeze": lambda attrs, x, axes=None: squeeze(x, axes),
    "Gather": lambda attrs, x, i: library(x, i).take(x, i, axis=attrs.get("axis", 0)),
    "Where": lambda attrs, c, a, b: library(c, a, b).where(c, a, b),
    "Shape": lambda attrs, x: np.array(x.shape, np.int64),
}


def elementwise(kind, attrs, values):
    """Ops that do not care for the order of dims keep channels last."""
    images = [v for v in values if isinstance(v, Image)]
    plain = images and all(isinstance(v, Image) or np.size(v) == 1 for v in values)
    values = [v.value if isinstance(v, Image) else v for v in values] if plain else [first(v) for v in values]
    if kind in UNARY:
        result = UNARY[kind](*values, **attrs)
    elif kind == "Clip":
        result = jnp.clip(values[0], *values[1:])
    else:
        result = BINARY[kind](library(*values), *values)
    return Image(result) if plain else result


def run_node(node, attrs, values, last):
    kind = node.op_type
    if kind in UNARY or kind in BINARY or kind == "Clip":
        return elementwise(kind, attrs, values)
    if kind == "Conv" and first(values[0]).ndim == 4:
        return conv(attrs, last, *values)
    if kind == "MaxPool":
        return max_pool(attrs, *values)
    if kind == "GlobalAveragePool":
        return reduce("ReduceMean", {"axes": [2, 3]}, *values)
    if kind.startswith("Reduce"):
        return reduce(kind, attrs, *values)
    if kind == "BatchNormalization":
        return batch_norm(attrs, *values)
    values = [first(v) for v in values]
    if kind == "Cast":
        import onnx
        return values[0].astype(onnx.helper.tensor_dtype_to_np_dtype(attrs["to"]))
    if kind == "Split":
        return split(attrs, *values, outputs=len(node.output))
    if kind not in SHAPE_OPS:
        raise NotImplementedError(f"the comparison has no {kind} for JAX")
    return SHAPE_OPS[kind](attrs, *values)


def make_function(model, last):
    """A function of parameters and inputs, and the parameters: arrays of floats by name."""
    import onnx
    graph = model.graph
    constants = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    parameters = {name: value for name, value in constants.items() if value.dtype.kind == "f" and value.size > 1}
    constants = {name: value for name, value in constants.items() if name not in parameters}
    nodes = [(node, {a.name: read_attribute(onnx, a) for a in node.attribute}) for node in graph.node]

    def function(parameters, *inputs):
        values = {**constants, **parameters, **{info.name: x for info, x in zip(graph.input, inputs)}}
        for node, attrs in nodes:
            if node.op_type == "Constant":
                results = np.asarray(next(iter(attrs.values())))
            else:
                results = run_node(node, attrs, [values[name] if name else None for name in node.input], last)
            for name, result in zip(node.output, results if isinstance(results, tuple) else (results,)):
                values[name] = result
        return [first(values[info.name]) for info in graph.output]
    return function, parameters


def read_attribute(onnx, attribute):
    value = onnx.helper.get_attribute_value(attribute)
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    return value.decode() if isinstance(value, bytes) else value
