"""Weights and inputs are at most half a step from what they were."""

import unittest
from array import array

from networks.graph import Graph, GraphError, Node, Tensor, integers_attribute
from networks.quantize import dequantize_weights, quantize_convolutions

from .support import graph, operations

WEIGHTS = [1, -0.5, 0.3, 0.004, 0, 0, -8, 2]
NODES = [
    ("Relu", ["x"], "a"), ("Conv", ["a", "w"], "b"), ("Conv", ["a", "v"], "c"), ("Conv", ["b", "depthwise"], "d"),
    ("Add", ["a", "d"], "y"),
]  # fmt: skip
CONSTANTS = {
    "w": ([4, 2, 1, 1], WEIGHTS),
    "v": ([2, 2, 1, 1], [1, 2, 3, 4]),
    "depthwise": ([4, 1, 1, 1], [1, 2, 3, 4]),
}


def quantized(ranges, pair_sums=False, nodes=NODES, constants=CONSTANTS):
    """The network with quantized convolutions, as it is read from its file."""
    network = graph(nodes, constants)
    quantize_convolutions(network, ranges, pair_sums)
    return Graph(network.encoded())


class QuantizationTests(unittest.TestCase):
    """Convolutions in int8."""

    def test_an_input_is_quantized_once_for_all_its_convolutions_and_for_them_alone(self):
        network = quantized({"a": (0, 2.55)})
        self.assertEqual(
            operations(network),
            ["Cast w.float", "Mul w", "Cast v.float", "Mul v", "Relu a", "QuantizeLinear a.quantized",
             "DequantizeLinear a.dequantized", "Conv b", "Conv c", "Conv d", "Add y"],
        )  # fmt: skip
        self.assertEqual(network.nodes[7].inputs, ["a.dequantized", "w"])
        self.assertEqual(network.nodes[10].inputs, ["a", "d"])
        self.assertIsNone(network.constant("w"))

    def test_weights_are_at_most_half_a_step_from_what_they_were(self):
        network = quantized({"a": (0, 2.55)})
        weights, scales = network.constant("w.int8", "b"), network.constant("w.scale")
        self.assertEqual((weights.shape, scales.shape), ([4, 2, 1, 1], [4, 1, 1, 1]))
        self.assertEqual((weights.values[0], weights.values[6]), (127, -127))
        for index, weight in enumerate(WEIGHTS):
            scale = scales.values[index // 2]
            self.assertLessEqual(abs(weights.values[index] * scale - weight), scale / 2)

    def test_two_products_fit_into_16_bits_where_they_are_added_there(self):
        network = quantized({"a": (0, 2.55)}, pair_sums=True)
        # Products of one sign add up, others do not.
        self.assertEqual(list(network.constant("v.int8", "b").values), [42, 85, 54, 73])
        self.assertEqual(list(network.constant("w.int8", "b").values), [127, -64, 125, 2, 0, 0, -127, 32])
        for name in ("v", "w"):
            values = network.constant(name + ".int8", "b").values
            for first, second in zip(values[::2], values[1::2]):
                self.assertIn(255 * (first + second), range(-(2**15), 2**15))

    def test_zero_is_one_of_the_steps(self):
        network = quantized({"a": (-0.17, 2.38)})
        self.assertEqual(list(network.constant("a.zero_point", "B").values), [17])
        self.assertAlmostEqual(network.constant("a.scale").values[0], 0.01, places=4)

    def test_a_name_that_is_no_such_input_is_refused(self):
        for name in ("y", "b", "none"):
            with self.subTest(name=name), self.assertRaises(GraphError):
                quantized({"a": (0, 1), name: (0, 1)})

    def test_weights_that_two_convolutions_share_are_quantized_once(self):
        nodes = [("Conv", ["x", "w"], "a"), ("Relu", ["a"], "b"), ("Conv", ["b", "w"], "c"), ("Conv", ["b", "w"], "y")]
        network = quantized({"b": (0, 1)}, nodes=nodes, constants={"w": ([2, 2, 1, 1], [1, 2, 3, 4])})
        self.assertEqual(
            operations(network),
            ["Cast w.float", "Mul w", "Conv a", "Relu b", "QuantizeLinear b.quantized", "DequantizeLinear b.dequantized",
             "Conv c", "Conv y"],
        )  # fmt: skip
        self.assertEqual([network.nodes[2].inputs, network.nodes[7].inputs], [["x", "w"], ["b.dequantized", "w"]])

    def test_weights_that_are_no_numbers_are_refused(self):
        for weight in (float("nan"), float("inf")):
            with self.assertRaises(GraphError):
                quantized({"x": (0, 1)}, nodes=[("Conv", ["x", "w"], "y")], constants={"w": ([1, 2, 1, 1], [1, weight])})

    def test_a_convolution_keeps_its_attributes(self):
        network = graph([], {"w": ([1, 2, 1, 1], [1, 2])})
        attributes = [integers_attribute("kernel_shape", [1, 1])]
        network.nodes = [Node("Conv", ["x", "w"], ["y"], attributes)]
        quantize_convolutions(network, {"x": (0, 1)}, False)
        self.assertEqual(Graph(network.encoded()).nodes[-1].attributes, attributes)


class DequantizationTests(unittest.TestCase):
    """Weights that are stored as int8."""

    def network(self, scale_shape, scale):
        """A network that adds weights of 2 x 3 to its input."""
        nodes = [("Cast", ["stored"], "cast"), ("Mul", ["cast", "scale"], "w"), ("Add", ["x", "w"], "y")]
        network = graph(nodes, {"scale": (scale_shape, scale)})
        network.add_constant("stored", Tensor([2, 3], array("b", [1, -2, 3, 4, -5, 127])))
        return network

    def test_each_weight_is_multiplied_by_the_scale_of_its_place(self):
        for shape, scale, expected in (
            ([2, 1], [0.5, 2], [0.5, -1, 1.5, 8, -10, 254]),
            ([1, 3], [1, 2, 3], [1, -4, 9, 4, -10, 381]),
            ([1, 1], [2], [2, -4, 6, 8, -10, 254]),
        ):
            network = self.network(shape, scale)
            dequantize_weights(network)
            self.assertEqual(operations(network), ["Add y"])
            self.assertEqual(list(network.constant("w").values), expected)
            self.assertIsNone(network.constant("stored", "b"))

    def test_a_scale_along_two_axes_is_refused(self):
        with self.assertRaises(GraphError):
            dequantize_weights(self.network([2, 3], [1] * 6))


if __name__ == "__main__":
    unittest.main()
