"""The fused head gives the map that the transposed convolutions give, and means are guarded."""

import unittest
from array import array
from math import prod

from networks.detector import UNREACHED, fuse_head, guard_means
from networks.graph import GraphError

from .support import graph, operations

WEIGHTS = [(index * 7) % 11 / 4 - 1 for index in range(24)]
BIAS = [0.25, -0.5, 0.125]
LAST_WEIGHTS = [(index * 5) % 7 / 2 - 1.25 for index in range(12)]
LAST_BIAS = 0.375

#: A head with two features, and three between the two transposed convolutions.
NODES = [
    ("Relu", ["x"], "features"), ("ConvTranspose", ["features", "w"], "a"), ("Identity", ["a"], "a1"),
    ("Add", ["a1", "b"], "c"), ("Relu", ["c"], "d"), ("ConvTranspose", ["d", "lw"], "e"), ("Add", ["e", "lb"], "f"),
    ("Sigmoid", ["f"], "y"),
]  # fmt: skip
CONSTANTS = {
    "w": ([2, 3, 2, 2], WEIGHTS), "b": ([1, 3, 1, 1], BIAS), "lw": ([3, 1, 2, 2], LAST_WEIGHTS),
    "lb": ([1, 1, 1, 1], [LAST_BIAS]),
}  # fmt: skip


def pointwise(values, weights, bias):
    """What a pointwise convolution makes of a pixel."""
    count = len(values)
    return [
        bias[output] + sum(value * weights[output * count + index] for index, value in enumerate(values))
        for output in range(len(bias))
    ]


class DetectorTests(unittest.TestCase):
    """The head of a detector."""

    def test_the_fused_head_gives_the_same_logits(self):
        network = graph(NODES, CONSTANTS)
        fuse_head(network)
        constants = [network.constant(f"head.{name}").values for name in ("upsample", "upsample.bias", "map", "map.bias")]
        features = [0.75, -1.5]
        logits = pointwise([max(0, each) for each in pointwise(features, *constants[:2])], *constants[2:])
        for place in range(16):
            y, x = divmod(place, 4)
            pixel, part = y // 2 * 2 + x // 2, y % 2 * 2 + x % 2
            kernel = [WEIGHTS[(each * 3 + output) * 4 + pixel] for output in range(3) for each in (0, 1)]
            middle = pointwise(features, kernel, BIAS)
            expected = LAST_BIAS + sum(max(0, value) * LAST_WEIGHTS[4 * index + part] for index, value in enumerate(middle))
            self.assertAlmostEqual(logits[place], expected, places=5)

    def test_the_nodes_before_the_head_stay_and_the_output_keeps_its_name(self):
        network = graph(NODES, CONSTANTS)
        fuse_head(network)
        self.assertEqual(
            operations(network),
            ["Relu features", "Conv head.pixels", "Relu head.active", "Conv head.logits", "Sigmoid head.probabilities",
             "DepthToSpace y"],
        )  # fmt: skip
        self.assertEqual(network.nodes[1].inputs[0], "features")
        self.assertEqual(network.constant("head.upsample").shape, [12, 2, 1, 1])
        self.assertEqual(network.constant("head.map").shape, [16, 12, 1, 1])

    def test_another_head_is_refused(self):
        other = [*NODES[:-1], ("Tanh", ["f"], "y")]
        for nodes, shape in ((other, [2, 3, 2, 2]), (NODES[:1], [2, 3, 2, 2]), (NODES, [2, 3, 1, 4])):
            network = graph(nodes, {**CONSTANTS, "w": (shape, WEIGHTS[: prod(shape)])})
            with self.assertRaises(GraphError):
                fuse_head(network)

    def test_a_convolution_is_clipped_before_its_mean_without_effect(self):
        nodes = [
            ("Conv", ["x", "w"], "a"), ("Identity", ["a"], "a1"), ("GlobalAveragePool", ["a1"], "mean"),
            ("Mul", ["a", "mean"], "b"), ("Conv", ["b", "w"], "y"),
        ]  # fmt: skip
        network = graph(nodes, {"w": ([1, 1, 1, 1], [1])})
        guard_means(network)
        self.assertEqual(
            operations(network),
            ["Conv a.unclipped", "Clip a", "Identity a1", "GlobalAveragePool mean", "Mul b", "Conv y"],
        )
        self.assertEqual(network.nodes[1].inputs[0], "a.unclipped")
        bounds = [network.constant(name).values[0] for name in network.nodes[1].inputs[1:]]
        self.assertEqual(bounds, [-array("f", [UNREACHED])[0], array("f", [UNREACHED])[0]])

    def test_a_network_without_means_of_convolutions_is_refused(self):
        for nodes in (NODES, [("Relu", ["x"], "a"), ("GlobalAveragePool", ["a"], "y")]):
            with self.assertRaises(GraphError):
                guard_means(graph(nodes, CONSTANTS))


if __name__ == "__main__":
    unittest.main()
