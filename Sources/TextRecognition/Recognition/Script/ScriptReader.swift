/// Reader of lines in languages whose script or diacritics the networks do not read, which several threads may use at a time.
public protocol ScriptReader: Sendable {
    /// Primary subtags of the BCP 47 codes of the languages that it reads, of each script the most usual first.
    var languages: [String] { get }

    /// Reads a rectified line.
    ///
    /// - Parameters:
    ///   - pixels: Its brightness, row by row.
    ///   - width: The number of columns.
    ///   - height: The number of rows.
    ///   - language: One of ``languages``.
    /// - Returns: The reading; `nil` if there is none.
    func read(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, language: String) -> ScriptReading?
}
