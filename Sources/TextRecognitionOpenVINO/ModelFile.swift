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
            return self.fixed + self.eachPixel * input.batchSize * input.height * input.width
        }
        // It remembers two, three and four narrow lines as inputs of their own.
        return input.batchSize == NetworkInput.open ? open * 3 / 2 : open
    }
}

/// How the numbers that a network calculates with follow from bytes: less `mean`, divided by `deviation`.
struct Normalization: Sendable {
    /// Of blue, green and red.
    var mean: [Float]
    /// Of blue, green and red.
    var deviation: [Float]
}

/// A network as a file, and how it is run.
struct ModelFile: Sendable {
    /// Where it is.
    let path: String
    /// Its SHA-256 in hexadecimal digits, as `models/manifest` has it; `nil` takes any file.
    let sha256: String?
    let normalization: Normalization
    let memory: NetworkMemory
    /// The numbers of its output.
    let outputPrecision: Precision

    /// The file's contents.
    ///
    /// - Returns: The contents, whose hash is the right one.
    /// - Throws: ``OpenVINOError`` when the file is missing or another than expected.
    func contents() throws(OpenVINOError) -> Data { try Self.contents(of: self.path, sha256: self.sha256) }

    /// The contents of a file that must have a certain hash.
    static func contents(of path: String, sha256: String?) throws(OpenVINOError) -> Data {
        guard let contents = FileManager.default.contents(atPath: path) else {
            throw OpenVINOError(description: "cannot read the model file \(path); 'make setup' creates it")
        }
        if let sha256, SHA256.hash(data: contents).hexadecimal != sha256 { throw OpenVINOError(wrongHash: path) }
        return contents
    }
}

extension SHA256.Digest {
    /// The hash in lower-case hexadecimal digits.
    var hexadecimal: String {
        self.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

extension OpenVINOError {
    /// A file is not the one that was meant.
    fileprivate init(wrongHash path: String) {
        self.init(
            description:
                "the model file \(path) is damaged, cut off or of another version (its SHA-256 is not the one in "
                + "models/manifest); 'make setup' creates it again"
        )
    }

    /// The hash of a file in lower-case hexadecimal digits.
    private static func sha256(of file: Data) -> String {
        SHA256.hash(data: file).map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
