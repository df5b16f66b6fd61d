"""PyTorch with oneDNN: eager mode with Adam as it comes (torch) or fused (torch_fused), and torch.compile
(torch_compile); for images the faster order of dims.
"""
from peers import with_torch
from peers.runner import pick_fastest

from . import cases
from .steps import Job, StepRunner

prepare = with_torch.prepare


def reorder(weight, before):
    """Rows of a dense layer behind images: torch flattens channels first."""
    height, width, channels = before
    return weight.reshape(height, width, channels, -1).transpose(2, 0, 1, 3).reshape(weight.shape)


def make_module(network: cases.Network, weights: dict):
    import torch
    nn, parts, image = torch.nn, [], None
    last = network.layers[-1]
    for layer, before, after in cases.walk(network):
        if layer.kind == "pool":
            parts.append(nn.MaxPool2d(2))
        elif layer.kind == "conv":
            module = nn.Conv2d(before[-1], layer.width, 3)
            value = weights[f"{layer.name}.weight"].transpose(3, 2, 0, 1)
        else:
            module = nn.Linear(before[0], layer.width)
            value = weights[f"{layer.name}.weight"]
            if image:
                parts.append(nn.Flatten())
                value = reorder(value, image)
            value = value.T
        if layer.name:
            with torch.no_grad():
                module.weight.copy_(torch.from_numpy(value.copy()))
                module.bias.copy_(torch.from_numpy(weights[f"{layer.name}.bias"]))
            parts += [module] if layer is last else [module, nn.ReLU()]
        image = after if layer.kind != "dense" else None
    return nn.Sequential(*parts)


def make_tensors(network: cases.Network, batch: int, last=False) -> list:
    """Batches; those of images have channels first, in memory last if asked for."""
    import torch
    layout = torch.channels_last if last else torch.contiguous_format
    result = []
    for x, labels in cases.make_batches(network, batch):
        x = torch.from_numpy(x)
        if x.dim() == 4:
            x = x.permute(0, 3, 1, 2).contiguous(memory_format=layout)
        result.append((x, torch.from_numpy(labels).long()))
    return result


def make_runner(job: Job, last, compiles_optimizer=False) -> StepRunner:
    import torch
    weights = cases.make_weights(job.network)
    module = make_module(job.network, weights)
    if last:
        module = module.to(memory_format=torch.channels_last)
    batches = make_tensors(job.network, job.batch, last)
    start = [p.detach().clone() for p in module.parameters()]
    is_plain = job.contender == "torch"
    optimizer = torch.optim.Adam(module.parameters(), lr=cases.RATE, eps=cases.EPSILON, fused=not is_plain or None)

    def compute_loss(x, labels):
        return torch.nn.functional.cross_entropy(module(x), labels)
    update = optimizer.step
    if job.contender == "torch_compile":
        compute_loss = torch.compile(compute_loss)
    if compiles_optimizer:
        update = torch.compile(optimizer.step)

    def restart():
        with torch.no_grad():
            for p, value in zip(module.parameters(), start):
                p.copy_(value)
                for slot in optimizer.state[p].values() if p in optimizer.state else ():
                    slot.zero_()

    def run(first, count):
        for step in range(first, first + count):
            x, labels = batches[(step - 1) % len(batches)]
            optimizer.zero_grad(set_to_none=True)
            loss = compute_loss(x, labels)
            loss.backward()
            update()
        return loss.item()
    words = {"torch": "eager, Adam", "torch_fused": "eager, fused Adam",
             "torch_compile": "torch.compile, " + ("compiled Adam" if compiles_optimizer else "fused Adam")}
    return StepRunner(restart, run, words[job.contender] + (", channels last" if last else ""),
                      job.network.checked)


def load(job: Job) -> StepRunner:
    orders = [False, True] if len(job.network.row) == 3 else [False]
    runners = [make_runner(job, last) for last in orders]
    if job.contender == "torch_compile":
        runners += [make_runner(job, last, compiles_optimizer=True) for last in orders]
    return pick_fastest(runners)
