internal import Foundation
internal import TextRecognition

/// The notes that an ONNX file carries beside its network, which OpenVINO's C interface does not hand out.
///
/// An ONNX file is one protocol-buffers message, `ModelProto`; its field 14, `metadata_props`, is a list of key (1) and
/// value (2) pairs. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
struct ONNXMetadata {
    private(set) var values: [String: String] = [:]

    /// Reads the metadata in the contents of `file`.
    init(_ contents: Data, of file: ModelFile) throws(OpenVINOError) {
        guard let model = ProtobufMessage(contents) else { throw OpenVINOError(damaged: file.path) }
        for entry in model.bytes(14) {
            guard let pair = ProtobufMessage(entry) else { throw OpenVINOError(damaged: file.path) }
            self.values[pair.text(1)] = pair.text(2)
        }
    }

    /// What a recogniser's classes say, in the order of its file; `nil` of another model.
    var alphabet: Alphabet? { self.values["character"].map { Alphabet(list: $0) } }
}
