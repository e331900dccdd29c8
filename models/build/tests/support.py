"""Small networks."""

from array import array

from networks import protobuf
from networks.graph import Graph, Node, Tensor


def graph(nodes, constants, output="y", metadata=None):
    """A network of nodes, each an operation, its inputs and its output, and constants, each a shape and values."""
    pairs = [[protobuf.text(1, key), protobuf.text(2, value)] for key, value in (metadata or {}).items()]
    encoded = [Node(operation, inputs, [result]).encoded() for operation, inputs, result in nodes]
    fields = [*encoded, protobuf.message(12, [protobuf.text(1, output)])]
    model = [protobuf.integer(1, 8), protobuf.message(7, fields), protobuf.text(2, "producer")]
    result = Graph(protobuf.encode(model + [protobuf.message(14, pair) for pair in pairs]))
    for name, (shape, values) in constants.items():
        result.add_constant(name, Tensor(shape, array("f", values)))
    return result


def operations(network):
    """What each node of a network does, and what it gives."""
    return [f"{node.operation} {node.outputs[0]}" for node in network.nodes]
