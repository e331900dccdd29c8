/// Part of the software that takes untrusted bytes, with the invariants it must keep.
///
/// The same code runs under libFuzzer, which searches for bytes that break it, and in the tests, on the kept cases.
package enum FuzzTarget: String, Sendable, CaseIterable {
    /// The assembler, with any bytes, split anywhere.
    case messages
    /// The header of a message, and of a frame.
    case header
    /// The body of a `configure`.
    case configure
    /// A line from a server, as a client reads it.
    case line
    /// A result with any text, box and number in it, as JSON.
    case result
    /// The APP1 segment of a JPEG.
    case exif
    /// A frame's payload as JPEG.
    case jpeg
    /// A frame's payload in each of the LZ4 formats.
    case lz4
    /// A picture file of any kind.
    case file
    /// The compressed body of an HTTP request.
    case packed
    /// A recorded session.
    case session

    /// Feeds `bytes` to the target.
    ///
    /// - Parameter bytes: Untrusted bytes.
    /// - Throws: ``FuzzFinding`` if an invariant is violated. A trap is a finding too.
    package func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        switch self {
        case .messages: try checkMessages(bytes)
        case .header: try checkHeader(bytes)
        case .configure: try checkConfigure(bytes)
        case .line: try checkLine(bytes)
        case .result: try checkResult(bytes)
        case .exif: try checkEXIF(bytes)
        case .jpeg: try checkJPEG(bytes)
        case .lz4: try checkLZ4(bytes)
        case .file: try checkFile(bytes)
        case .packed: try checkPacked(bytes)
        case .session: try checkSession(bytes)
        }
    }
}

/// Violation of an invariant.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Checks an invariant.
///
/// - Parameters:
///   - condition: The invariant.
///   - description: The message for a violation.
/// - Throws: ``FuzzFinding`` with `description`.
func require(_ condition: Bool, _ description: @autoclosure () -> String) throws(FuzzFinding) {
    if !condition { throw FuzzFinding(description()) }
}
