internal import Crypto
internal import Foundation
internal import TextModel
internal import TextRecognition

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

    /// What brings model files back, where they are missing or damaged.
    static let remedy = "install Glyphwire again, or in a source tree run 'make setup'"

    /// Reads the file.
    ///
    /// - Returns: The contents, with a verified hash.
    /// - Throws: ``OpenVINOError`` if the file is missing or has another hash.
    func contents() throws(OpenVINOError) -> Data { try Self.contents(of: self.path, sha256: self.sha256) }

    /// Reads a file and verifies its hash.
    static func contents(of path: String, sha256: String?) throws(OpenVINOError) -> Data {
        guard let contents = FileManager.default.contents(atPath: path) else {
            throw OpenVINOError(description: "cannot read the model file \(path): \(Self.remedy)")
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
                + "models/manifest): \(ModelFile.remedy)"
        )
    }
}
