"""The graph of an ONNX file: as much of it as is needed to change a network's nodes and constants.

Field numbers are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

from array import array
from dataclasses import dataclass, field, replace
from math import prod
from typing import Callable, Dict, Iterable, List, Optional

from . import protobuf
from .protobuf import Field, Message

#: `TensorProto.DataType` of each kind of array, least significant byte first.
ELEMENT_TYPES = {"f": 1, "B": 2, "b": 3}
FLOAT = ELEMENT_TYPES["f"]


class GraphError(ValueError):
    """A network that is not what a rewrite expects."""


@dataclass
class Tensor:
    """Constant numbers, the last dimension running fastest."""

    shape: List[int]
    values: array


@dataclass
class Node:
    """An operation; its attributes are kept as they are stored."""

    operation: str
    inputs: List[str]
    outputs: List[str]
    attributes: Message = field(default_factory=list)

    def encoded(self) -> Field:
        """The `NodeProto` in its graph."""
        inputs = [protobuf.text(1, name) for name in self.inputs]
        outputs = [protobuf.text(2, name) for name in self.outputs]
        return protobuf.message(1, [*inputs, *outputs, protobuf.text(4, self.operation), *self.attributes])


class Graph:
    """A network's nodes, in an order in which they can run, and its constants."""

    def __init__(self, file: bytes) -> None:
        """Reads an ONNX file."""
        model = protobuf.decode(file)
        graph = protobuf.decode(next(iter(protobuf.values(model, 7)), b""))
        if not graph:
            raise GraphError("the file holds no network")
        self.nodes = [_node(protobuf.decode(each)) for each in protobuf.values(graph, 1)]
        tensors = [protobuf.decode(each) for each in protobuf.values(graph, 5)]
        self._constants: Dict[str, Message] = {protobuf.first_text(each, 8): each for each in tensors}
        self._rest = [each for each in graph if each.number not in (1, 5)]
        self._model = [each for each in model if each.number not in (7, 14)]
        pairs = [protobuf.decode(each) for each in protobuf.values(model, 14)]
        #: `metadata_props`, which a file that is written has no more.
        self.metadata = {protobuf.first_text(pair, 1): protobuf.first_text(pair, 2) for pair in pairs}

    def encoded(self) -> bytes:
        """The ONNX file, with constants in the order of their names."""
        constants = [protobuf.message(5, self._constants[name]) for name in sorted(self._constants)]
        graph = [node.encoded() for node in self.nodes] + constants + self._rest
        return protobuf.encode([*self._model, protobuf.message(7, graph)])

    def constant(self, name: str, kind: str = "f") -> Optional[Tensor]:
        """A constant of a kind of numbers, one of `ELEMENT_TYPES`; nothing where there is none."""
        stored = self._constants.get(name, [])
        data = next(iter(protobuf.values(stored, 9)), None)
        if data is None or protobuf.values(stored, 2) != [ELEMENT_TYPES[kind]]:
            return None
        tensor = Tensor(protobuf.values(stored, 1), array(kind))
        if len(data) != prod(tensor.shape) * tensor.values.itemsize:
            return None
        tensor.values.frombytes(data)
        return tensor

    def add_constant(self, name: str, tensor: Tensor) -> None:
        """Adds a constant, or puts it in the place of another of its name."""
        self._constants[name] = [
            *(protobuf.integer(1, length) for length in tensor.shape),
            protobuf.integer(2, ELEMENT_TYPES[tensor.values.typecode]),
            protobuf.text(8, name),
            Field(9, protobuf.BYTES, tensor.values.tobytes()),
        ]

    def remove_constant(self, name: str) -> None:
        """Removes a constant."""
        del self._constants[name]

    def keep_nodes(self, nodes: List[Node]) -> None:
        """Removes all other nodes, constants that no node needs, and the shapes between nodes, which are inferred."""
        self.nodes = nodes
        used = {name for node in nodes for name in node.inputs}
        self._constants = {name: each for name, each in self._constants.items() if name in used}
        self._rest = [each for each in self._rest if each.number != 13]

    def insert(self, other: "Graph", place: int, rename: Callable[[str], str]) -> None:
        """Adds the nodes of another graph before a node, and its constants, under new names."""
        for name, stored in other._constants.items():
            others = [each for each in stored if each.number != 8]
            self._constants[rename(name)] = [*others, protobuf.text(8, rename(name))]
        self.nodes[place:place] = [
            replace(node, inputs=[*map(rename, node.inputs)], outputs=[*map(rename, node.outputs)])
            for node in other.nodes
        ]

    def outputs(self) -> List[str]:
        """The names of the outputs."""
        return [protobuf.first_text(protobuf.decode(each), 1) for each in protobuf.values(self._rest, 12)]

    def set_outputs(self, names: Iterable[str]) -> None:
        """Declares other outputs, whose shapes are inferred."""
        self._rest = [each for each in self._rest if each.number != 12] + [*map(_output, names)]


def integer_attribute(name: str, value: int) -> Field:
    """An `AttributeProto` with an integer."""
    return protobuf.message(5, [protobuf.text(1, name), protobuf.integer(3, value), protobuf.integer(20, 2)])


def integers_attribute(name: str, values: Iterable[int]) -> Field:
    """An `AttributeProto` with a list of integers."""
    integers = [protobuf.integer(8, value) for value in values]
    return protobuf.message(5, [protobuf.text(1, name), *integers, protobuf.integer(20, 7)])


def graph_attribute(name: str, nodes: List[Node]) -> Field:
    """An `AttributeProto` with a subgraph, which returns what its last node does and may use what is around it."""
    graph = [node.encoded() for node in nodes] + [protobuf.text(2, name)] + [*map(_output, nodes[-1].outputs)]
    return protobuf.message(5, [protobuf.text(1, name), protobuf.message(6, graph), protobuf.integer(20, 5)])


def _node(stored: Message) -> Node:
    return Node(
        operation=protobuf.first_text(stored, 4),
        inputs=[name.decode() for name in protobuf.values(stored, 1)],
        outputs=[name.decode() for name in protobuf.values(stored, 2)],
        attributes=[each for each in stored if each.number not in (1, 2, 4)],
    )


def _output(name: str) -> Field:
    kind = protobuf.message(1, [protobuf.integer(1, FLOAT)])
    return protobuf.message(12, [protobuf.text(1, name), protobuf.message(2, [kind])])
