/// Trade-off between the speed and the accuracy of recognition.
public enum RecognitionLevel: String, Sendable, CaseIterable, Codable {
    /// The small models, for live streams.
    case fast
    /// The larger models, for small or blurred text and where errors are costly.
    case accurate
}
