"""A convolutional network as a list of steps that can be changed, run one by one, and written as ONNX."""

from dataclasses import dataclass, field

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper


@dataclass
class Step:
    """One calculation. `weights` and `bias` are a convolution's or a matrix's, None where there are none."""

    kind: str
    inputs: list
    output: str
    attributes: dict = field(default_factory=dict)
    weights: torch.Tensor = None
    bias: torch.Tensor = None

    def __call__(self, *values):
        first = values[0]
        if self.kind == "Conv":
            above, left = self.attributes["pads"][:2]
            stride, groups = self.attributes["strides"], self.attributes["group"]
            return torch.nn.functional.conv2d(first, self.weights, self.bias, stride, (above, left), groups=groups)
        if self.kind == "MatMul":
            return first @ self.weights + self.bias
        if self.kind == "AveragePool":
            return torch.nn.functional.avg_pool2d(first, self.attributes["kernel_shape"], self.attributes["strides"])
        return SIMPLE[self.kind](*values)

    @property
    def matrix(self):
        """Weights and bias: groups x (inputs + 1) x outputs of the group."""
        if self.kind == "MatMul":
            return torch.cat([self.weights, self.bias[None]])[None]
        rows = torch.cat([self.weights.flatten(1), self.bias[:, None]], 1)
        return rows.view(self.attributes["group"], -1, rows.shape[1]).transpose(1, 2)

    @matrix.setter
    def matrix(self, matrix):
        if self.kind == "MatMul":
            self.weights, self.bias = matrix[0, :-1].clone(), matrix[0, -1].clone()
            return
        rows = matrix.transpose(1, 2).flatten(0, 1)
        self.weights, self.bias = rows[:, :-1].reshape(self.weights.shape).contiguous(), rows[:, -1].clone()

    def seen(self, value):
        """What the matrix is multiplied with of an input: groups x places x (inputs + 1), of which the last are ones."""
        if self.kind == "MatMul":
            seen = value.flatten(0, -2)[None]
        else:
            pads, strides = self.attributes["pads"][:2], self.attributes["strides"]
            patches = torch.nn.functional.unfold(value, self.weights.shape[2:], padding=tuple(pads), stride=strides)
            patches = patches.view(len(value), self.attributes["group"], -1, patches.shape[-1])
            seen = patches.permute(1, 0, 3, 2).flatten(1, 2)
        return torch.cat([seen, torch.ones(*seen.shape[:2], 1)], 2)

    def told(self, value):
        """An output as what the matrix makes: groups x places x outputs of the group."""
        if self.kind == "MatMul":
            return value.flatten(0, -2)[None]
        parts = value.reshape(len(value), self.attributes["group"], -1, value.shape[2] * value.shape[3])
        return parts.permute(1, 0, 3, 2).flatten(1, 2)


SIMPLE = {
    "Add": torch.add,
    "Mul": torch.mul,
    "Relu": torch.relu,
    "HardSigmoid": torch.nn.functional.hardsigmoid,
    "HardSwish": torch.nn.functional.hardswish,
    "Gelu": torch.nn.functional.gelu,
    "ReduceMean": lambda value: value.mean((2, 3), keepdim=True),
    "Squeeze": lambda value: value.squeeze(2),
    "Unsqueeze": lambda value: value.unsqueeze(2),
    "Transpose": lambda value: value.transpose(1, 2),
}


def steps_to(seen, nodes, constants):
    """The steps of an ONNX graph that lead to `seen`: without what does nothing, and with biases and normalisation taken into
    the convolutions."""
    steps, names = [], {}
    for node in nodes:
        values = [names.get(name, name) for name in node.input if name not in constants]
        numbers = [torch.from_numpy(constants[name].copy()) for name in node.input if name in constants]
        attributes = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        if not absorbed(node.op_type, values, numbers, attributes, steps):
            step = Step(node.op_type, values, f"{node.op_type.lower()}.{len(steps)}", attributes)
            if node.op_type in ("Conv", "MatMul"):
                step.weights = numbers[0]
                step.bias = torch.zeros(numbers[0].shape[0 if node.op_type == "Conv" else 1])
            steps.append(step)
        names[node.output[0]] = steps[-1].output
        if node.output[0] == seen:
            break
    kinds = {"Gelu": "activation", "HardSwish": "activation"}
    final = {step.output: f"{kinds.get(step.kind, step.kind.lower())}.{place}" for place, step in enumerate(steps)}
    final[steps[-1].output] = "features"
    for step in steps:
        step.inputs, step.output = [final.get(name, name) for name in step.inputs], final[step.output]
    return steps


def absorbed(kind, values, numbers, attributes, steps):
    """Whether a calculation has become a part of the last step."""
    last = steps[-1] if steps else None
    if kind == "Identity":
        return True
    if kind == "BatchNormalization":
        # A line of one place in height may have lost that axis in between.
        convolution = last if last.kind == "Conv" else steps[-2]
        scale, shift, mean, variance = numbers
        scale = scale / torch.sqrt(variance + attributes["epsilon"])
        convolution.weights *= scale[:, None, None, None]
        convolution.bias = convolution.bias * scale + shift - mean * scale
        return True
    if kind == "Add" and numbers and last.kind in ("Conv", "MatMul"):
        last.bias = last.bias + numbers[0].flatten()
        return True
    if kind == "Erf":
        # Of x / sqrt(2), which is the last step; 1 is added, and x and 1/2 multiplied with it.
        last.kind = "Gelu"
        return True
    if kind in ("Add", "Mul") and last.kind == "Gelu" and (numbers or last.inputs[0] in values):
        return True
    if kind == "Mul" and last.kind == "HardSigmoid" and last.inputs[0] in values:
        last.kind = "HardSwish"
        return True
    return False


def in_bytes(weights):
    """A convolution's weights as bytes, and the scale of each output."""
    scales = weights.abs().flatten(1).amax(1).clamp_min(1e-12)[:, None, None, None] / 127
    return torch.round(weights / scales), scales


class File:
    """What is written of a network: the nodes and constants of an ONNX graph."""

    def __init__(self):
        self.nodes, self.constants = [], []
        swish = {"3": 3, "0": 0, "6": 6, "1/6": 1 / 6}
        self.swish = [self.constant(f"hardswish.{name}", value) for name, value in swish.items()]

    def constant(self, name, value, kind=np.float32):
        """Adds a constant; its name."""
        self.constants.append(numpy_helper.from_array(np.asarray(value, kind), name))
        return name

    def node(self, kind, inputs, output, **attributes):
        """Adds a node; the name of what it gives."""
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def add(self, step, is_rounded):
        """Adds a step, with its weights as bytes where it is rounded."""
        name = step.output
        if step.kind == "Conv":
            weights = self.weights(f"{name}.weights", step.weights, is_rounded)
            bias = self.constant(f"{name}.bias", step.bias)
            self.node("Conv", [*step.inputs, weights, bias], name, **step.attributes)
        elif step.kind == "MatMul":
            weights, bias = self.constant(f"{name}.weights", step.weights), self.constant(f"{name}.bias", step.bias)
            self.node("Add", [self.node("MatMul", [*step.inputs, weights], f"{name}.product"), bias], name)
        elif step.kind == "HardSwish":
            # The form that OpenVINO joins with the convolution in front of it.
            value, (three, zero, six, sixth) = step.inputs[0], self.swish
            clipped = self.node("Clip", [self.node("Add", [value, three], f"{name}.sum"), zero, six], f"{name}.clipped")
            self.node("Mul", [self.node("Mul", [value, clipped], f"{name}.product"), sixth], name)
        else:
            self.node(step.kind, step.inputs, name, **step.attributes)

    def weights(self, name, weights, is_rounded):
        """Adds a convolution's weights; their name."""
        if not is_rounded:
            return self.constant(name, weights)
        steps, scales = in_bytes(weights)
        steps, scales = self.constant(f"{name}.bytes", steps, np.int8), self.constant(f"{name}.scale", scales)
        return self.node("Mul", [self.node("Cast", [steps], f"{name}.whole", to=TensorProto.FLOAT), scales], name)


def write(steps, rounded, path):
    """Writes steps that lead from `x` to `features` as an ONNX file; the outputs in `rounded` are of convolutions whose weights
    are stored as bytes."""
    file = File()
    for step in steps:
        file.add(step, step.output in rounded)
    graph = helper.make_graph(
        file.nodes,
        "features",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["lines", 3, 48, "width"])],
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["lines", "steps", steps[-1].weights.shape[1]])],
        file.constants,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], producer_name="glyphwire"), path)
