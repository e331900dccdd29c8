internal import Crypto
internal import Foundation
internal import TextModel
internal import TextRecognition

/// Number format of a network's calculations.
enum Precision: String, Sendable {
    case float32 = "f32"
    /// Brain floating point; 32-bit floating point on processors without bfloat16.
    case bfloat16 = "bf16"
}

/// Measured memory of a network, by which ``NetworkPool`` accounts for it.
struct NetworkMemory: Sendable {
    /// Bytes of a network with a fixed shape: reordered weights and generated code.
    let fixed: Int
    /// Bytes per input pixel for intermediate values.
    let eachPixel: Int
    /// Bytes of a network with open sides, after inputs of all shapes ran one by one; `nil` if unused.
    var open: Int?

    /// Estimated bytes of a network for `input`.
    func bytes(for input: NetworkInput) -> Int {
        guard input.isOpen, let open = self.open else {
            return self.fixed + self.eachPixel * input.batchSize * input.height * input.width
        }
        // Batches of two, three and four narrow lines are cached as separate input shapes.
        return input.batchSize == NetworkInput.open ? open * 3 / 2 : open
    }
}

/// Normalization of input bytes: less `mean`, divided by `deviation`.
struct Normalization: Sendable {
    /// Mean of blue, green and red.
    var mean: [Float]
    /// Deviation of blue, green and red.
    var deviation: [Float]
}

/// Model file and how it is run.
struct ModelFile: Sendable {
    /// Path of the file.
    let path: String
    /// SHA-256 in hexadecimal, as in `models/manifest`; `nil` accepts any file.
    let sha256: String?
    let normalization: Normalization
    let memory: NetworkMemory
    /// Number format of the output.
    let outputPrecision: Precision

    /// Reads the file.
    ///
    /// - Returns: The contents, with a verified hash.
    /// - Throws: ``OpenVINOError`` if the file is missing or has another hash.
    func contents() throws(OpenVINOError) -> Data { try Self.contents(of: self.path, sha256: self.sha256) }

    /// Reads a file and verifies its hash.
    static func contents(of path: String, sha256: String?) throws(OpenVINOError) -> Data {
        guard let contents = FileManager.default.contents(atPath: path) else {
            throw OpenVINOError(description: "cannot read the model file \(path); 'make setup' creates it")
        }
        if let sha256, SHA256.hash(data: contents).hexadecimal != sha256 { throw OpenVINOError(wrongHash: path) }
        return contents
    }
}

extension OpenVINOError {
    /// Creates the error of a file with a wrong hash.
    fileprivate init(wrongHash path: String) {
        self.init(
            description:
                "the model file \(path) is damaged, cut off or of another version (its SHA-256 is not the one in "
                + "models/manifest); 'make setup' creates it again"
        )
    }
}
