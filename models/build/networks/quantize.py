"""Weights in 8-bit integers: expanded to floating point, and convolutions quantized to int8."""

from array import array
from math import isfinite, prod
from typing import Dict, List, Tuple

from .graph import FLOAT, Graph, GraphError, Node, Tensor, integer_attribute

#: The least positive normal number of 32 bits, which keeps the scale of weights that are all zero from being zero.
MIN_NORMAL = 2.0**-126


def dequantize_weights(graph: Graph) -> None:
    """Replaces weights that are stored as int8 with a scale by floating-point ones.

    OpenVINO 2026.4.1 would take the network for a quantized one otherwise, and gave wrong results with two streams.
    """
    casts = {node.outputs[0]: node.inputs[0] for node in graph.nodes if node.operation == "Cast"}
    expanded = set()
    for node in graph.nodes:
        if node.operation != "Mul" or node.inputs[0] not in casts:
            continue
        stored = graph.constant(casts[node.inputs[0]], "b")
        scale = graph.constant(node.inputs[1])
        if stored and scale:
            graph.add_constant(node.outputs[0], _product(stored, scale))
            expanded |= {node.inputs[0], node.outputs[0]}
    graph.keep_nodes([node for node in graph.nodes if node.outputs[0] not in expanded])


def quantize_convolutions(graph: Graph, ranges: Dict[str, Tuple[float, float]], pair_sums: bool) -> None:
    """Has convolutions multiply 8-bit integers, as https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html describes.

    `ranges` gives the least and the greatest value of each input to quantize, zero among them. Depthwise convolutions gain
    nothing and stay as they are. `pair_sums` makes weights so small that the sum of two products fits into 16 bits, where
    AVX2 adds them.
    """
    used = {
        node.inputs[1]: graph.constant(node.inputs[1])
        for node in graph.nodes
        if node.operation == "Conv" and node.inputs[0] in ranges
    }
    weights = {name: tensor for name, tensor in used.items() if _gains(tensor)}
    # In front of all others, since several may use the same weights.
    nodes = [each for name, tensor in weights.items() for each in _quantized_weights(graph, name, tensor, pair_sums)]
    quantized = set()
    for node in graph.nodes:
        if node.operation == "Conv" and node.inputs[0] in ranges and node.inputs[1] in weights:
            name = node.inputs[0]
            if name not in quantized:
                nodes += _quantized_input(graph, name, *ranges[name])
                quantized.add(name)
            node.inputs[0] = name + ".dequantized"
        nodes.append(node)
    if len(quantized) != len(ranges):
        raise GraphError(f"not the inputs of convolutions: {sorted(ranges.keys() - quantized)}")
    graph.nodes = nodes


def _gains(weights) -> bool:
    """Whether weights (outputs x inputs x rows x columns) are those of a convolution of several inputs."""
    if not weights or len(weights.shape) != 4 or weights.shape[1] == 1:
        return False
    return all(map(isfinite, weights.values))


def _product(stored: Tensor, scale: Tensor) -> Tensor:
    """Integers times a scale that varies along one axis at most."""
    axes = [axis for axis, length in enumerate(scale.shape) if length != 1]
    if len(axes) > 1 or len(scale.shape) != len(stored.shape):
        raise GraphError("the scale of weights varies along several axes")
    step = prod(stored.shape[axes[0] + 1 :]) if axes else 1
    count = len(scale.values)
    scaled = (value * scale.values[index // step % count] for index, value in enumerate(stored.values))
    return Tensor(stored.shape, array("f", scaled))


def _quantized_input(graph: Graph, name: str, low: float, high: float) -> List[Node]:
    # All arithmetic is that of 32 bits, one operation at a time.
    low, high = array("f", [low, high])
    scale = array("f", [array("f", [high - low])[0] / 255])
    zero_point = _rounded(array("f", [-low / scale[0]])[0])
    graph.add_constant(name + ".scale", Tensor([], scale))
    graph.add_constant(name + ".zero_point", Tensor([], array("B", [zero_point])))
    constants = [name + ".scale", name + ".zero_point"]
    return [
        Node("QuantizeLinear", [name, *constants], [name + ".quantized"]),
        Node("DequantizeLinear", [name + ".quantized", *constants], [name + ".dequantized"]),
    ]


def _quantized_weights(graph: Graph, name: str, weights: Tensor, pair_sums: bool) -> List[Node]:
    quantized, scales = array("b"), array("f")
    outputs, size = weights.shape[0], prod(weights.shape[1:])
    for start in range(0, outputs * size, size):
        row = weights.values[start : start + size]
        largest = _largest_pair(row, weights.shape[1]) if pair_sums else max(map(abs, row))
        scales.append(max(largest, MIN_NORMAL * 127) / 127)
        quantized.extend(map(_rounded, array("f", [weight / scales[-1] for weight in row])))
    graph.remove_constant(name)
    graph.add_constant(name + ".int8", Tensor(weights.shape, quantized))
    graph.add_constant(name + ".scale", Tensor([outputs, 1, 1, 1], scales))
    return [
        Node("Cast", [name + ".int8"], [name + ".float"], [integer_attribute("to", FLOAT)]),
        Node("Mul", [name + ".float", name + ".scale"], [name]),
    ]


def _largest_pair(row: array, inputs: int) -> float:
    """The largest sum that two weights of adjacent inputs come to, when those of one sign add up."""
    places = len(row) // inputs
    largest = 0.0
    for start in range(0, len(row), 2 * places):
        one, other = row[start : start + places], row[start + places : start + 2 * places]
        for first, second in zip(one, other or [0.0] * places):
            largest = max(largest, abs(first), abs(second), abs(first + second) if first * second > 0 else 0)
    return array("f", [largest])[0]


def _rounded(value: float) -> int:
    """The nearest integer, that further from zero where two are as near."""
    return int(value + 0.5) if value >= 0 else -int(0.5 - value)
