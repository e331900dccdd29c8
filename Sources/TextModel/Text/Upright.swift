/// Source of a frame's orientation.
public enum Upright: String, Sendable, CaseIterable {
    /// The frame's header, or the EXIF tag of its JPEG. The default.
    case given
    /// The server, which detects it from the direction of the text.
    case auto
}
