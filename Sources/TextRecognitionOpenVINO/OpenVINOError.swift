/// Error of the OpenVINO runtime or of a model file.
public struct OpenVINOError: Error, Sendable, CustomStringConvertible {
    /// Description of the failed action, with the runtime's message.
    public var description: String
}
