"""Losses and optimisers of Keras in plain Python and double precision; gradients by central differences."""
import math

EPSILON = 1e-7


def softmax(row):
    top = max(row)
    e = [math.exp(v - top) for v in row]
    return [v / sum(e) for v in e]


def sigmoid(v):
    return 1 / (1 + math.exp(-v))


def clamp(v, least, most):
    return min(max(v, least), most)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


# Loss of a row from its output and its label: what the model returns is given, not the logits.
def sparse_categorical_crossentropy(row, label):
    return -math.log(row[label] / sum(row))


def categorical_crossentropy(row, label, smoothing=0.0):
    label = [y * (1 - smoothing) + smoothing / len(row) for y in label]
    return -sum(y * math.log(p / sum(row)) for p, y in zip(row, label))


def binary_crossentropy(row, label, smoothing=0.0):
    label = [y * (1 - smoothing) + smoothing / 2 for y in label]
    return -mean(y * math.log(p) + (1 - y) * math.log(1 - p) for p, y in zip(row, label))


def mse(row, label):
    return mean((p - y) ** 2 for p, y in zip(row, label))


def mae(row, label):
    return mean(abs(p - y) for p, y in zip(row, label))


def mape(row, label):
    return mean(100 * abs((p - y) / max(abs(y), EPSILON)) for p, y in zip(row, label))


def msle(row, label):
    return mean((math.log1p(max(p, EPSILON)) - math.log1p(max(y, EPSILON))) ** 2 for p, y in zip(row, label))


def huber(row, label, delta=1.0):
    return mean(0.5 * (p - y) ** 2 if abs(p - y) <= delta else delta * abs(p - y) - 0.5 * delta ** 2
                for p, y in zip(row, label))


def log_cosh(row, label):
    return mean(math.log(math.cosh(p - y)) for p, y in zip(row, label))


def poisson(row, label):
    return mean(p - y * math.log(p + EPSILON) for p, y in zip(row, label))


def hinge(row, label):
    return mean(max(1 - (2 * y - 1) * p, 0) for p, y in zip(row, label))


def squared_hinge(row, label):
    return mean(max(1 - (2 * y - 1) * p, 0) ** 2 for p, y in zip(row, label))


def categorical_hinge(row, label):
    right = sum(p * y for p, y in zip(row, label))
    return max(max((1 - y) * p for p, y in zip(row, label)) - right + 1, 0)


def kl_divergence(row, label):
    pairs = [(clamp(y, EPSILON, 1), clamp(p, EPSILON, 1)) for p, y in zip(row, label)]
    return sum(y * math.log(y / p) for y, p in pairs)


def cosine_similarity(row, label):
    norm = lambda v: math.sqrt(sum(x * x for x in v))
    return -sum(p * y for p, y in zip(row, label)) / (norm(row) * norm(label))


def gradients(loss, params, step=1e-6):
    """Central differences of a function of lists of numbers."""
    result = {}
    for name, values in params.items():
        result[name] = []
        for i, value in enumerate(values):
            values[i] = value + step
            above = loss()
            values[i] = value - step
            below = loss()
            values[i] = value
            result[name].append((above - below) / (2 * step))
    return result


class Optimizer:
    """One of Keras; slots start as zeros."""

    def __init__(self, kind, params, **arguments):
        self.kind, self.arguments = kind, arguments
        self.slots = {name: [[arguments.get("start", 0.0)] * 3 for _ in values] for name, values in params.items()}

    def update(self, params, grads, rate, t):
        get = self.arguments.get
        if get("global_clipnorm"):
            norm = math.sqrt(sum(g * g for values in grads.values() for g in values))
            grads = {n: [g * get("global_clipnorm") / max(norm, get("global_clipnorm")) for g in v] for n, v in grads.items()}
        for name, values in params.items():
            own = grads[name]
            if get("clipnorm"):
                norm = math.sqrt(sum(g * g for g in own))
                own = [g * get("clipnorm") / max(norm, get("clipnorm")) for g in own]
            for i, value in enumerate(values):
                g = clamp(own[i], -get("clipvalue"), get("clipvalue")) if get("clipvalue") else own[i]
                value -= value * get("weight_decay", 0) * rate
                values[i] = value + getattr(self, self.kind)(self.slots[name][i], g, rate, t)

    def sgd(self, s, g, rate, t):
        m = self.arguments.get("momentum", 0)
        s[0] = m * s[0] - rate * g
        return m * s[0] - rate * g if self.arguments.get("nesterov") else s[0]

    def adam(self, s, g, rate, t):
        b1, b2 = self.arguments.get("beta_1", 0.9), self.arguments.get("beta_2", 0.999)
        s[0] += (g - s[0]) * (1 - b1)
        s[1] += (g * g - s[1]) * (1 - b2)
        s[2] = max(s[2], s[1])
        alpha = rate * math.sqrt(1 - b2 ** t) / (1 - b1 ** t)
        return -alpha * s[0] / (math.sqrt(s[2] if self.arguments.get("amsgrad") else s[1]) + EPSILON)

    def rmsprop(self, s, g, rate, t):
        rho = self.arguments.get("rho", 0.9)
        s[0] = rho * s[0] + (1 - rho) * g * g
        s[2] = rho * s[2] + (1 - rho) * g
        spread = s[0] - s[2] ** 2 if self.arguments.get("centered") else s[0]
        s[1] = self.arguments.get("momentum", 0) * s[1] + rate * g / math.sqrt(spread + EPSILON)
        return -s[1]

    def adagrad(self, s, g, rate, t):
        s[0] += g * g
        return -rate * g / math.sqrt(s[0] + EPSILON)

    def adadelta(self, s, g, rate, t):
        rho = 0.95
        s[0] = rho * s[0] + (1 - rho) * g * g
        delta = -g * math.sqrt(s[1] + EPSILON) / math.sqrt(s[0] + EPSILON)
        s[1] = rho * s[1] + (1 - rho) * delta * delta
        return rate * delta

    def adamax(self, s, g, rate, t):
        s[0] += (g - s[0]) * 0.1
        s[1] = max(0.999 * s[1], abs(g))
        return -rate * s[0] / ((1 - 0.9 ** t) * (s[1] + EPSILON))

    def lion(self, s, g, rate, t):
        direction = s[0] + (g - s[0]) * 0.1
        s[0] += (g - s[0]) * 0.01
        return -rate * ((direction > 0) - (direction < 0))
