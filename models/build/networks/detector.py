"""Fuses the head of a differentiable-binarization detector, and guards its means."""

from array import array
from typing import List, NamedTuple

from .graph import Graph, GraphError, Node, Tensor, integer_attribute, integers_attribute

#: The operations of the head, between which identities may stand.
HEAD = ["ConvTranspose", "Add", "Relu", "ConvTranspose", "Add", "Sigmoid"]
#: A bound beyond all values of a network.
UNREACHED = 1e30


class _Upsampling(NamedTuple):
    """A transposed convolution with kernels of 2 x 2 that do not overlap: inputs x outputs x rows x columns."""

    inputs: int
    outputs: int
    weights: array
    bias: array


def fuse_head(graph: Graph) -> None:
    """Replaces the two transposed convolutions of the head by pointwise ones, which run several times as fast.

    The head upsamples its features twice, from a quarter of the picture's size to the whole. A transposed convolution of
    2 x 2 without overlap is four pointwise convolutions, one for each of the four pixels that a pixel becomes. The sixteen
    values of each pixel are put in their places by a depth-to-space operation at the very end.
    """
    start = next((place for place, node in enumerate(graph.nodes) if node.operation == "ConvTranspose"), None)
    head = [] if start is None else [node for node in graph.nodes[start:] if node.operation != "Identity"]
    if [node.operation for node in head] != HEAD:
        raise GraphError("the network has no head of differentiable binarization")
    first, last = _upsampling(graph, head[0], head[1]), _upsampling(graph, head[3], head[4])
    if last.outputs != 1 or last.inputs != first.outputs:
        raise GraphError("the head gives no probability map")
    graph.add_constant("head.upsample", Tensor([4 * first.outputs, first.inputs, 1, 1], _four_pixels(first)))
    graph.add_constant("head.upsample.bias", Tensor([4 * first.outputs], first.bias * 4))
    graph.add_constant("head.map", Tensor([16, 4 * last.inputs, 1, 1], _sixteen_pixels(last)))
    graph.add_constant("head.map.bias", Tensor([16], last.bias * 16))
    graph.nodes[start:] = _nodes(head[0].inputs[0], head[5].outputs)
    graph.set_outputs(head[5].outputs)


def guard_means(graph: Graph) -> None:
    """Clips what a convolution gives to a mean, with bounds that no value reaches.

    In a network with open sides, OpenVINO 2026.4.1 computes nearly zero for the mean of an int8 convolution. It does not where
    a clip stands behind the convolution, which computes both at once.
    """
    sources = {node.outputs[0]: node for node in graph.nodes}
    guarded = set()
    for node in graph.nodes:
        if node.operation == "GlobalAveragePool":
            source = sources.get(node.inputs[0])
            while source and source.operation == "Identity":
                source = sources.get(source.inputs[0])
            if source and source.operation == "Conv":
                guarded.add(source.outputs[0])
    if not guarded:
        raise GraphError("the network has no mean of a convolution")
    bounds = ["mean.least", "mean.greatest"]
    for name, bound in zip(bounds, (-UNREACHED, UNREACHED)):
        graph.add_constant(name, Tensor([], array("f", [bound])))
    nodes = []
    for node in graph.nodes:
        nodes.append(node)
        if node.outputs[0] in guarded:
            nodes.append(Node("Clip", [node.outputs[0] + ".unclipped", *bounds], node.outputs))
            node.outputs = [node.outputs[0] + ".unclipped"]
    graph.nodes = nodes


def _upsampling(graph: Graph, convolution: Node, addition: Node) -> _Upsampling:
    weights, bias = graph.constant(convolution.inputs[-1]), graph.constant(addition.inputs[-1])
    if not weights or not bias or len(weights.shape) != 4 or weights.shape[1:] != [len(bias.values), 2, 2]:
        raise GraphError("the head has no transposed convolutions of 2 x 2")
    return _Upsampling(weights.shape[0], weights.shape[1], weights.values, bias.values)


def _nodes(features: str, outputs: List[str]) -> List[Node]:
    kernel = [integers_attribute("kernel_shape", [1, 1])]
    return [
        Node("Conv", [features, "head.upsample", "head.upsample.bias"], ["head.pixels"], kernel),
        Node("Relu", ["head.pixels"], ["head.active"]),
        Node("Conv", ["head.active", "head.map", "head.map.bias"], ["head.logits"], kernel),
        Node("Sigmoid", ["head.logits"], ["head.probabilities"]),
        Node("DepthToSpace", ["head.probabilities"], outputs, [integer_attribute("blocksize", 4)]),
    ]


def _four_pixels(layer: _Upsampling) -> array:
    """The weights of a pointwise convolution whose outputs are the four pixels one after the other."""
    return array("f", (
        layer.weights[(each * layer.outputs + output) * 4 + pixel]
        for pixel in range(4)
        for output in range(layer.outputs)
        for each in range(layer.inputs)
    ))  # fmt: skip


def _sixteen_pixels(layer: _Upsampling) -> array:
    """The weights of a pointwise convolution from four pixels to the sixteen that they become, row by row."""
    weights = array("f")
    for place in range(16):
        y, x = divmod(place, 4)
        source, part = y // 2 * 2 + x // 2, y % 2 * 2 + x % 2
        for pixel in range(4):
            weights.extend(layer.weights[part::4] if pixel == source else [0.0] * layer.inputs)
    return weights
