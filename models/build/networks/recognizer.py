"""Replaces the backbone of a recognizer, and gates its classifier."""

from array import array
from typing import List, NamedTuple, Sequence, Tuple

from .graph import Graph, GraphError, Node, Tensor, graph_attribute, integer_attribute

#: The characters of most lines: letters, digits, punctuation and currency signs below U+2190, the punctuation of Han and
#: kana, and the full-width forms of ASCII.
COMMON = [range(0x0000, 0x2190), range(0x3000, 0x3020), range(0xFF01, 0xFF5F)]


class _Classifier(NamedTuple):
    """The last layer, which gives the probabilities of all classes from the features of each step."""

    features: str
    #: Features x classes.
    weights: Tensor
    bias: Tensor
    outputs: List[str]
    #: The index of its first node; all nodes after that belong to it.
    start: int


def replace_backbone(graph: Graph, backbone: Graph) -> None:
    """Puts another network, which gives `features`, in the place of all layers in front of the classifier."""
    classifier = _classifier(graph)
    bias = backbone.constant(backbone.nodes[-1].inputs[-1])
    if backbone.nodes[-1].outputs != ["features"] or not bias or len(bias.values) != classifier.weights.shape[0]:
        raise GraphError("the backbone does not fit the classifier")
    graph.keep_nodes(graph.nodes[classifier.start :])
    graph.insert(backbone, 0, lambda name: classifier.features if name == "features" else name)


def score_scripts(graph: Graph, head: Graph) -> str:
    """Adds a head that scores the script of each step, and returns the name of its output.

    It sees the features of the classifier, or those in front of the last layer of the backbone, whichever are as many as it
    takes.
    """
    classifier = _classifier(graph)
    weights = head.constant(head.nodes[0].inputs[1])
    source, count = classifier.features, classifier.weights.shape[0]
    if weights and weights.shape[0] != count:
        source, count = _source(graph, classifier)
    if not weights or weights.shape[0] != count:
        raise GraphError("the head for scripts does not fit the features")
    graph.insert(head, classifier.start, lambda name: source if name == "features" else "scripts." + name)
    return "scripts." + head.nodes[-1].outputs[0]


def gate_classifier(
    graph: Graph, gate: Graph, order: Tuple[int, List[int]], outputs: Sequence[str] = ()
) -> None:
    """Has the network return the logits of its classes, and those of the common ones alone where the gate stays below zero.

    A softmax over thousands of classes is of no use to a decoder that asks for the likeliest. Nearly all of them are Han
    characters, kana and symbols that most lines do not contain. The gate predicts from the features of all lines of a batch
    whether any is needed. `order` is what `class_order` returns; `outputs` are further outputs of the network.
    """
    classifier = _classifier(graph)
    features, classes = classifier.weights.shape
    weights = gate.constant(gate.nodes[0].inputs[1])
    common, places = order
    if len(places) != classes or not weights or weights.shape[0] != features:
        raise GraphError("the gate or the characters do not fit the classifier")
    graph.keep_nodes(graph.nodes[: classifier.start])
    graph.insert(gate, len(graph.nodes), lambda name: classifier.features if name == "features" else "gate." + name)
    layers = {name: _layer(graph, name, part, classifier) for name, part in (("common", places[:common]), ("all", places))}
    graph.add_constant("head.zero", Tensor([], array("f", [0])))
    branches = [graph_attribute("then_branch", layers["all"]), graph_attribute("else_branch", layers["common"])]
    score = "gate." + gate.nodes[-1].outputs[0]
    graph.nodes += [
        Node("ReduceMax", [score], ["head.score"], [integer_attribute("keepdims", 0)]),
        Node("Greater", ["head.score", "head.zero"], ["head.needs_all"]),
        Node("If", ["head.needs_all"], classifier.outputs, branches),
    ]
    graph.set_outputs([*classifier.outputs, *outputs])


def class_order(characters: List[str]) -> Tuple[int, List[int]]:
    """How many classes are common, and the order of the classes in which those come first.

    The blank stands before the characters, and the space behind them; both are common.
    """
    is_common = [True, *(any(ord(each[0]) in block for block in COMMON) for each in characters), True]
    common = [place for place, each in enumerate(is_common) if each]
    return len(common), common + [place for place, each in enumerate(is_common) if not each]


def character_list(characters: List[str], order: Tuple[int, List[int]]) -> str:
    """The characters in the order of the network's classes, one a line, with an empty line behind the common ones.

    The blank and the space, which are the first and the last of the common classes, are not listed.
    """
    common, places = order
    listed = [characters[place - 1] for place in places if 0 < place <= len(characters)]
    return "\n".join([*listed[: common - 2], "", *listed[common - 2 :], ""])


def _classifier(graph: Graph) -> _Classifier:
    nodes = [node for node in graph.nodes if node.operation != "Identity"][-3:]
    if [node.operation for node in nodes] != ["MatMul", "Add", "Softmax"]:
        raise GraphError("the network has no classifier")
    product, addition, softmax = nodes
    weights, bias = graph.constant(product.inputs[1]), graph.constant(addition.inputs[-1])
    if not weights or not bias or weights.shape[1:] != [len(bias.values)]:
        raise GraphError("the classifier has no weights")
    return _Classifier(product.inputs[0], weights, bias, softmax.outputs, graph.nodes.index(product))


def _source(graph: Graph, classifier: _Classifier) -> Tuple[str, int]:
    """What the last layer of the backbone, a matrix with a bias, makes the features of, and how many numbers that has."""
    layers = {node.outputs[0]: node for node in graph.nodes[: classifier.start]}
    addition = layers.get(classifier.features)
    product = layers.get(addition.inputs[0]) if addition and addition.operation == "Add" else None
    weights = graph.constant(product.inputs[1]) if product and product.operation == "MatMul" else None
    if not product or not weights:
        raise GraphError("the backbone does not end in a matrix")
    return product.inputs[0], weights.shape[0]


def _layer(graph: Graph, name: str, places: List[int], classifier: _Classifier) -> List[Node]:
    """The nodes of a classifier for some of the classes, whose constants are added."""
    name = "head." + name
    features, classes = classifier.weights.shape
    values = array("f")
    for start in range(0, features * classes, classes):
        row = classifier.weights.values[start : start + classes]
        values.extend([row[place] for place in places])
    graph.add_constant(name + ".weights", Tensor([features, len(places)], values))
    graph.add_constant(name + ".bias", Tensor([len(places)], array("f", [classifier.bias.values[each] for each in places])))
    return [
        Node("MatMul", [classifier.features, name + ".weights"], [name + ".product"]),
        Node("Add", [name + ".product", name + ".bias"], [name + ".logits"]),
    ]
