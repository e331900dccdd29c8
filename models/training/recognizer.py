"""A recognizer cut in two: what its last layer sees, and the layer."""

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper

#: What most lines consist of: letters, digits, marks and signs of currency below U+2190, the marks of Han and kana, and the
#: wide forms of ASCII. models/build/networks/recognizer.py has the same.
COMMON = [range(0x0000, 0x2190), range(0x3000, 0x3020), range(0xFF01, 0xFF5F)]


class Recognizer:
    """A recognizer in plain numbers; the blank is its first class, the space its last."""

    def __init__(self, path, core):
        self.model = onnx.load(path)
        self.nodes, self.constants = unpacked(self.model.graph)
        product, bias = [node for node in self.nodes if node.op_type in ("MatMul", "Add")][-2:]
        self.weights = torch.from_numpy(self.constants[product.input[1]].copy())
        self.bias = torch.from_numpy(self.constants[bias.input[1]].copy())
        self.seen = product.input[0]
        listed = next(entry.value for entry in self.model.metadata_props if entry.key == "character")
        self.characters = [line for line in listed.split("\n") if line]
        common = [any(ord(character[0]) in block for block in COMMON) for character in self.characters]
        self.is_common = np.array([True, *common, True])
        assert len(self.is_common) == len(self.bias)
        self.core, self.networks = core, {}

    def features(self, line):
        """What the last layer sees of a line (48 x width x 3, bytes): steps x features."""
        width = line.shape[1]
        if width not in self.networks:
            model = self.core.read_model(self.features_file())
            model.reshape([1, 3, 48, width])
            settings = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
            self.networks[width] = self.core.compile_model(model, "CPU", settings)
        numbers = ((line.astype(np.float32) - 127.5) / 127.5).transpose(2, 0, 1)[None]
        return self.networks[width](numbers)[0][0].copy()

    def scores(self, features):
        """What the last layer makes of features."""
        return features @ self.weights + self.bias

    def features_file(self):
        """The network up to its last layer, as the bytes of an ONNX file."""
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        graph = model.graph
        del graph.node[:], graph.initializer[:], graph.output[:]
        # Those behind it, which nothing asks for, are left out by whoever reads it.
        graph.node.extend(self.nodes)
        used = {name for node in self.nodes for name in node.input}
        for name in used & self.constants.keys():
            graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(self.constants[name]), name))
        graph.output.append(helper.make_tensor_value_info(self.seen, onnx.TensorProto.FLOAT, None))
        return model.SerializeToString()


def unpacked(graph):
    """A graph's nodes and constants, with plain numbers for weights that are stored as bytes with a scale."""
    constants = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    packed, nodes = {}, []
    for node in graph.node:
        value = constants.get(node.input[0]) if node.input else None
        if node.op_type == "Cast" and value is not None and value.dtype == np.int8:
            packed[node.output[0]] = value.astype(np.float32)
        elif node.op_type == "Mul" and node.input[0] in packed:
            constants[node.output[0]] = packed[node.input[0]] * constants[node.input[1]]
        else:
            nodes.append(node)
    return nodes, constants
