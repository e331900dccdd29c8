// Written by models/training/features.

extension ModelSize {
    /// Between what numbers lie the inputs of the convolutions of features_tiny.onnx; see ``ByteConvolutions``.
    static var featureRanges: [String: ClosedRange<Float>] {
        [
            "activation.1": -0.33251...27.931,
            "activation.11": -0.35658...29.953,
            "activation.16": -0.38713...6.6641,
            "activation.21": -0.39696...10.85,
            "activation.31": -0.37297...5.9675,
            "activation.36": -0.37926...4.9936,
            "activation.41": -0.37777...8.3796,
            "activation.51": -0.38551...7.8065,
            "activation.56": -0.38115...7.0952,
            "activation.61": -0.38619...6.6479,
            "conv.14": -1.6363...1.7838,
            "conv.19": -3.8223...3.618,
            "conv.34": -1.3556...1.5739,
            "conv.39": -5.1634...3.8549,
            "conv.54": -1.2001...1.461,
            "conv.59": -5.0584...3.7164,
            "mul.29": -0.71599...0.55191,
            "mul.49": -0.86113...1.2105,
            "mul.9": -0.37733...0.566,
            "unsqueeze.72": -0.40782...16.924,
        ]
    }
}
