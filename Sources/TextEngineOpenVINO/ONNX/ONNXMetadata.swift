internal import Foundation

/// The notes that an ONNX file carries beside its network, which OpenVINO's C interface does not hand out.
///
/// An ONNX file is one protocol-buffers message, `ModelProto`; its field 14, `metadata_props`, is a list of key (1) and
/// value (2) pairs. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
struct ONNXMetadata {
    private(set) var values: [String: String] = [:]

    /// Reads the metadata of the file at `path`.
    init(path: String) throws(OpenVINOError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw OpenVINOError(description: "cannot read the model file \(path); 'make setup' fetches it")
        }
        let read = ProtobufMessage(data).flatMap { model -> [String: String]? in
            var values: [String: String] = [:]
            for entry in model.bytes(14) {
                guard let pair = ProtobufMessage(entry) else { return nil }
                values[pair.text(1)] = pair.text(2)
            }
            return values
        }
        guard let read else {
            throw OpenVINOError(description: "the model file \(path) is damaged; 'make setup' fetches it anew")
        }
        self.values = read
    }
}
