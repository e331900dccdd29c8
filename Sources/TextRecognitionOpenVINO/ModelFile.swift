internal import Crypto
internal import Foundation
internal import TextRecognition

/// Which numbers networks calculate with.
enum Precision: String, Sendable {
    case float32 = "f32"
    /// Falls back to 32 bits where the processor has no bfloat16.
    case bfloat16 = "bf16"
}

/// How much memory a network takes, as it was measured; for ``NetworkPool``, which counts with it.
struct NetworkMemory: Sendable {
    /// Bytes of one that knows its input's shape: the weights in the order in which they are used, and the program.
    let fixed: Int
    /// Bytes for each pixel of its input, for what it calculates on the way.
    let eachPixel: Int
    /// Bytes of one whose width is open, after lines of all widths went through it one by one; `nil` where there is none.
    var open: Int?

    /// Bytes of a network for `input`.
    func bytes(for input: NetworkInput) -> Int {
        guard input.isOpen, let open = self.open else {
            return self.fixed + self.eachPixel * input.pictures * input.height * input.width
        }
        // It remembers two, three and four narrow lines as inputs of their own.
        return input.pictures == NetworkInput.open ? open * 3 / 2 : open
    }
}

/// How the numbers that a network calculates with follow from bytes: less `mean`, divided by `deviation`.
struct Normalization: Sendable {
    /// Of blue, green and red.
    var mean: [Float]
    /// Of blue, green and red.
    var deviation: [Float]
}

/// A model file and how it is to be run.
struct ModelFile: Sendable {
    /// What a network is for.
    enum Kind {
        case detector
        case recognizer
        /// Nothing that asks for another end than it has.
        case other
    }

    let path: String
    let kind: Kind
    let normalization: Normalization
    let memory: NetworkMemory
    /// Between what numbers the inputs lie of the convolutions that are to multiply bytes, by name; see ``ByteConvolutions``.
    var activationRanges: [String: ClosedRange<Float>] = [:]
    /// What the file must hash to, in hexadecimal digits, as `models/manifest` has it; `nil` takes any file.
    var sha256: String?
    /// What makes a recogniser's features instead of what the file has for it; see ``RecognizerFeatures``.
    var features: Part?
    /// A recogniser's gate; see ``RecognizerHead``.
    var gate: Part?

    /// A file with a part of a network.
    struct Part {
        let path: String
        /// As ``ModelFile/sha256``.
        let sha256: String
    }

    /// The numbers that it answers with: a recogniser's, of which there are many, as they are calculated.
    var answer: Precision { self.kind == .recognizer ? .bfloat16 : .float32 }
}

extension ModelFile {
    /// The file as it is run: with plain weights, the features and the end that ``DetectorHead``, ``RecognizerFeatures`` and
    /// ``RecognizerHead`` give it, and the convolutions in bytes that ``activationRanges`` names.
    ///
    /// - Returns: The file, for the runtime.
    /// - Throws: ``OpenVINOError`` where it is missing, damaged or another than is expected.
    func contents() throws(OpenVINOError) -> Data {
        let file = try Self.read(self.path, self.sha256)
        guard var graph = ONNXGraph(file) else { throw OpenVINOError(damaged: self.path) }
        PackedWeights.unpack(&graph)
        let isRight =
            switch self.kind {
            case .detector: DetectorHead.hasten(&graph)
            case .recognizer: try self.hastenRecognizer(&graph, try ONNXMetadata(file, of: self))
            case .other: true
            }
        guard isRight, ByteConvolutions.round(&graph, to: self.activationRanges) else {
            throw OpenVINOError(wrongFile: self)
        }
        return graph.serialized
    }

    /// Gives a recogniser its features and its end; `false` where it is none.
    private func hastenRecognizer(_ graph: inout ONNXGraph, _ metadata: ONNXMetadata) throws(OpenVINOError) -> Bool {
        guard let gate = try Self.graph(self.gate), let alphabet = metadata.alphabet else { return false }
        if let features = try Self.graph(self.features), !RecognizerFeatures.replace(&graph, by: features) {
            return false
        }
        return RecognizerHead.hasten(&graph, alphabet, gate: gate)
    }

    /// The graph of a part, with plain weights; `nil` where there is none.
    private static func graph(_ part: Part?) throws(OpenVINOError) -> ONNXGraph? {
        guard let part else { return nil }
        guard var graph = ONNXGraph(try Self.read(part.path, part.sha256)) else {
            throw OpenVINOError(damaged: part.path)
        }
        PackedWeights.unpack(&graph)
        return graph
    }

    /// Reads a file, and checks its hash if one is known.
    private static func read(_ path: String, _ sha256: String?) throws(OpenVINOError) -> Data {
        guard let file = FileManager.default.contents(atPath: path) else {
            throw OpenVINOError(description: "cannot read the model file \(path); 'make setup' fetches it")
        }
        if let sha256, Self.sha256(of: file) != sha256 { throw OpenVINOError(wrongHash: path) }
        return file
    }

    /// The hash of a file in lower-case hexadecimal digits.
    private static func sha256(of file: Data) -> String {
        SHA256.hash(data: file).map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
