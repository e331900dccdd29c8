// Written by models/build/prepare.py.

/// The SHA-256 of each model file, as `models/manifest` has it.
enum ModelHashes {
    static let all: [String: String] = [
        "detector-small-float32.onnx":
            "1e526dd001089b617ec511156b9fa443afa85f355eeaf895766cdf7541f4b115",
        "detector-small-int8-avx2-open.onnx":
            "7394f0e92c3d4f8130456868f07dcedd52e01ea58cc094a87ebf4dc6dce721d7",
        "detector-small-int8-avx2.onnx":
            "bb609e82d66e9d9881c063b5c08bb4a98e21356a6c3ce88051eb06090f6725c1",
        "detector-small-int8-vnni-open.onnx":
            "0bd8fccb90d20ba72d333eb650b7ef5cbec9ce96ff081bc1e45149a1c9167ff6",
        "detector-small-int8-vnni.onnx":
            "e42929ee2fde2e7b9bf2f313ce51a114c37a2dfb7f36dd7136d23961aa6e75d5",
        "detector-tiny-float32.onnx":
            "6f0e49f6cacffc05d7aea83b9349c8007ea5eae76fccbdd1e5613871916f90c0",
        "detector-tiny-int8-avx2-open.onnx":
            "c851720a05715493a24d590290b00cf9173f9fde97b902aaa2bc75f296a8b4af",
        "detector-tiny-int8-avx2.onnx":
            "53914e801bbdb69a3349e981cdcdefe4d69fa5ff6893db7b55c06178144427c8",
        "detector-tiny-int8-vnni-open.onnx":
            "82194b40b272b2644ad55b07da03692ad29e7a7187037e01995e3c32d3eaaa00",
        "detector-tiny-int8-vnni.onnx":
            "13da36f6ed255a57fb53f32767cef919c9a8f328f5bdccf96dae4e2a1014543c",
        "recognizer-small-float32.onnx":
            "afd3479dfd1190c088259180e498af33909c44b7a0f98512073f247dd0ed1969",
        "recognizer-small-int8-avx2.onnx":
            "3bdc8abc856416a9df408c63db63ec641e7224591542761a534b1047566bc52e",
        "recognizer-small-int8-vnni.onnx":
            "8f4b94a7918db8fcb36463534d9fca4600a279e27a418ccabdaa55bf45f432a4",
        "recognizer-small.characters":
            "ac1da8af843d5f65bae3f5986201b8b145a078f48bfb91e602bf9cd271025c15",
        "recognizer-tiny-float32.onnx":
            "3e23e7ff3539bcc911513a5e1d7147835a37f4fc2ef8839da8c2fbf5d58b6db2",
        "recognizer-tiny-int8-avx2.onnx":
            "693bfe8225e55533fb498f3263a2d095d0f7126bfd46b7cb12806e6c1b4ea940",
        "recognizer-tiny-int8-vnni.onnx":
            "360b65f7a07e19a265770d42ea75e0f969fe60c425e845314acde16a0f1e7b35",
        "recognizer-tiny.characters":
            "3e62fc721099295e5faf8eea71ecd59224a621de9acff633e440f9cbcf98f34c",
        "words-latin.bloom":
            "68ad528666f85857f699998dc8773571b5ee0eb3daa10bdedbe7bc7c22b7cce4",
    ]
}
