// Written by models/build/prepare.py.

/// SHA-256 of each model file, as in `models/manifest`.
enum ModelHashes {
    static let all: [String: String] = [
        "detector-small-float32.onnx":
            "1e526dd001089b617ec511156b9fa443afa85f355eeaf895766cdf7541f4b115",
        "detector-small-int8-avx2.onnx":
            "bb609e82d66e9d9881c063b5c08bb4a98e21356a6c3ce88051eb06090f6725c1",
        "detector-small-int8-vnni.onnx":
            "e42929ee2fde2e7b9bf2f313ce51a114c37a2dfb7f36dd7136d23961aa6e75d5",
        "detector-tiny-float32.onnx":
            "6f0e49f6cacffc05d7aea83b9349c8007ea5eae76fccbdd1e5613871916f90c0",
        "detector-tiny-int8-avx2.onnx":
            "53914e801bbdb69a3349e981cdcdefe4d69fa5ff6893db7b55c06178144427c8",
        "detector-tiny-int8-vnni.onnx":
            "13da36f6ed255a57fb53f32767cef919c9a8f328f5bdccf96dae4e2a1014543c",
        "recognizer-small-float32.onnx":
            "3d28db4f61d39b6d77bebe31409e1b9db54ac35d845d879031ac8a8f49d196ff",
        "recognizer-small-int8-avx2.onnx":
            "03284f2b59cb7046105e406ad0e12b32a87059ceea7af594caf2df84ebe5c6af",
        "recognizer-small-int8-vnni.onnx":
            "d3c796d512a3c907f763e8325f8e9979002420c70a1476900f986c534525efea",
        "recognizer-small.characters":
            "ac1da8af843d5f65bae3f5986201b8b145a078f48bfb91e602bf9cd271025c15",
        "recognizer-tiny-float32.onnx":
            "408daec33ad407122a97d056b7313db6cd491dfbec6a7e9094a8958d0522b2f5",
        "recognizer-tiny-int8-avx2.onnx":
            "65be4e1da6ec64ea330fa01fea54988054be927d59ee656d88b91e0832a8b4ca",
        "recognizer-tiny-int8-vnni.onnx":
            "41932b900e8ac6c3091dc7631ab3a91c0ac245d486527802a8b6e2684f165fbb",
        "recognizer-tiny.characters":
            "3e62fc721099295e5faf8eea71ecd59224a621de9acff633e440f9cbcf98f34c",
    ]
}
