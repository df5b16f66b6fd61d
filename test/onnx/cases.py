"""Test data in the form of the onnx package: a folder with model.onnx and
test_data_set_N/{input,output}_M.pb."""
import onnx


def load_tensors(folder, stem):
    count = len(list(folder.glob(f"{stem}_*.pb")))
    tensors = [onnx.TensorProto.FromString((folder / f"{stem}_{i}.pb").read_bytes()) for i in range(count)]
    return [onnx.numpy_helper.to_array(tensor) for tensor in tensors]


def load_data_sets(folder):
    """Pairs of inputs and expected outputs."""
    return [(load_tensors(data, "input"), load_tensors(data, "output"))
            for data in sorted(folder.glob("test_data_set_*"))]


def get_inputs(model):
    """Inputs that have no value in the model."""
    known = {tensor.name for tensor in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in known]


def shape_flags(inputs, values):
    """Options of `hgc compile` for extents the model leaves open."""
    for value_info, value in zip(inputs, values):
        tensor = value_info.type.tensor_type
        if not tensor.HasField("shape") or not all(dim.HasField("dim_value") for dim in tensor.shape.dim):
            yield f"--shape={value_info.name}={'x'.join(map(str, value.shape))}"


def order_inputs(compiled, inputs, values):
    """Values in the order of the library's inputs; one whose name is spelt otherwise
    in C is found by its place."""
    given = {info.name: value for info, value in zip(inputs, values)}
    return [given.get(info.name.decode(), values[i] if i < len(values) else None)
            for i, info in enumerate(compiled.inputs)]
