"""The common classes come first, and alone where the gate finds no others."""

import unittest

from networks import recognizer
from networks.graph import GraphError

from .support import graph, operations

#: Four classes, of which the Han character is not common.
CHARACTERS = ["漢", "a"]


def network(end="Softmax"):
    """A recognizer with two features."""
    nodes = [
        ("Conv", ["x", "inner"], "between"), ("Relu", ["between"], "features"), ("MatMul", ["features", "w"], "product"),
        ("Add", ["product", "b"], "sum"), ("Identity", ["sum"], "logits"), (end, ["logits"], "y"),
    ]  # fmt: skip
    return graph(nodes, {"inner": ([1], [7]), "w": ([2, 4], range(8)), "b": ([4], [1, 2, 3, 4])})


def gate(features=2):
    """A gate for so many features."""
    nodes = [("MatMul", ["features", "w"], "product"), ("Add", ["product", "b"], "score")]
    return graph(nodes, {"w": ([features, 1], [0] * features), "b": ([1], [1])})


def backbone(features=2, output="features"):
    """A backbone that gives so many features; one of its names stands for something else in the recognizer."""
    nodes = [("MatMul", ["x", "inner"], "between"), ("Add", ["between", "bias"], output)]
    return graph(nodes, {"inner": ([1, features], [1] * features), "bias": ([features], [2] * features)})


class ClassifierTests(unittest.TestCase):
    """The gated classifier."""

    def test_the_common_classes_come_first(self):
        rewritten = network()
        recognizer.gate_classifier(rewritten, gate(), recognizer.class_order(CHARACTERS))
        self.assertEqual(list(rewritten.constant("head.common.weights").values), [0, 2, 3, 4, 6, 7])
        self.assertEqual(list(rewritten.constant("head.all.weights").values), [0, 2, 3, 1, 4, 6, 7, 5])
        self.assertEqual(list(rewritten.constant("head.common.bias").values), [1, 3, 4])
        self.assertEqual(list(rewritten.constant("head.all.bias").values), [1, 3, 4, 2])
        self.assertEqual([node.operation for node in rewritten.nodes[2:]], ["MatMul", "Add", "ReduceMax", "Greater", "If"])
        self.assertEqual(rewritten.nodes[-1].outputs, ["y"])

    def test_the_list_has_the_characters_in_the_order_of_the_classes(self):
        characters = ["漢", "a", "の", "（"]
        order = recognizer.class_order(characters)
        self.assertEqual(order, (4, [0, 2, 4, 5, 1, 3]))
        self.assertEqual(recognizer.character_list(characters, order), "a\n（\n\n漢\nの\n")

    def test_what_does_not_fit_is_refused(self):
        order = recognizer.class_order(CHARACTERS)
        for other, part, places in (
            (network(end="Sigmoid"), gate(), order),
            (network(), gate(features=3), order),
            (network(), gate(), recognizer.class_order([*CHARACTERS, "b"])),
        ):
            with self.assertRaises(GraphError):
                recognizer.gate_classifier(other, part, places)


class ScriptTests(unittest.TestCase):
    """The head for scripts."""

    def test_the_head_is_a_second_output_and_sees_what_the_classifier_sees(self):
        rewritten = network()
        output = recognizer.score_scripts(rewritten, gate())
        recognizer.gate_classifier(rewritten, gate(), recognizer.class_order(CHARACTERS), [output])
        self.assertEqual(output, "scripts.score")
        self.assertEqual(operations(rewritten)[2:4], ["MatMul scripts.product", "Add scripts.score"])
        self.assertEqual(rewritten.nodes[2].inputs, ["features", "scripts.w"])
        self.assertEqual(rewritten.outputs(), ["y", "scripts.score"])

    def test_a_head_for_more_features_sees_those_in_front_of_the_last_layer_of_the_backbone(self):
        rewritten = network()
        recognizer.replace_backbone(rewritten, backbone())
        recognizer.score_scripts(rewritten, gate(features=1))
        head = next(node for node in rewritten.nodes if node.outputs == ["scripts.product"])
        self.assertEqual(head.inputs, ["x", "scripts.w"])

    def test_what_does_not_fit_is_refused(self):
        with self.assertRaises(GraphError):
            recognizer.score_scripts(network(), gate(features=3))
        rewritten = network()
        recognizer.replace_backbone(rewritten, backbone())
        with self.assertRaises(GraphError):
            recognizer.score_scripts(rewritten, gate(features=3))


class BackboneTests(unittest.TestCase):
    """The replaced backbone."""

    def test_the_backbone_is_replaced_and_the_classifier_stays(self):
        rewritten = network()
        recognizer.replace_backbone(rewritten, backbone())
        self.assertEqual(
            operations(rewritten),
            ["MatMul between", "Add features", "MatMul product", "Add sum", "Identity logits", "Softmax y"],
        )
        self.assertEqual(list(rewritten.constant("inner").values), [1, 1])
        self.assertEqual(list(rewritten.constant("bias").values), [2, 2])
        self.assertEqual(rewritten.constant("w").shape, [2, 4])

    def test_what_does_not_fit_is_refused(self):
        for other, part in ((network(), backbone(3)), (network(), backbone(output="y")), (network("Sigmoid"), backbone())):
            with self.assertRaises(GraphError):
                recognizer.replace_backbone(other, part)


if __name__ == "__main__":
    unittest.main()
