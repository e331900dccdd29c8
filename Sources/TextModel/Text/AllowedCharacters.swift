/// Characters that a text may have, as an allow list such as `0-9.` or `A-Z0-9-`.
///
/// A hyphen between two characters stands for all between them in Unicode; first or last it stands for itself, and so does each
/// character behind a backslash. Spaces between words are always allowed.
public struct AllowedCharacters: Sendable, Hashable, CustomStringConvertible {
    /// Maximum length of a list in Unicode scalars.
    package static let maxScalars = 256

    /// The list as written.
    public let source: String
    private let ranges: [ClosedRange<UInt32>]

    /// Parses a list.
    ///
    /// - Parameter source: The list; `nil` for an empty or longer one, a range from a later to an earlier character, or a backslash
    ///   at the end.
    public init?(_ source: String) {
        guard (1...Self.maxScalars).contains(source.unicodeScalars.count),
            let scalars = Self.scalars(of: source)
        else { return nil }
        var ranges: [ClosedRange<UInt32>] = []
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let first = scalars[index].value
            guard index + 2 < scalars.endIndex, scalars[index + 1].isRange else {
                ranges.append(first...first)
                index += 1
                continue
            }
            let last = scalars[index + 2].value
            guard first <= last else { return nil }
            ranges.append(first...last)
            index += 3
        }
        self.source = source
        self.ranges = ranges
    }

    /// The list as written.
    public var description: String { self.source }

    /// Whether a text consists of allowed characters.
    package func contains(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in self.ranges.contains { $0.contains(scalar.value) } }
    }

    /// The scalars, each with whether it is a hyphen that may stand for a range; `nil` with a backslash at the end.
    private static func scalars(of source: String) -> [(value: UInt32, isRange: Bool)]? {
        var scalars: [(value: UInt32, isRange: Bool)] = []
        var isEscaped = false
        for scalar in source.unicodeScalars {
            if !isEscaped, scalar == "\\" {
                isEscaped = true
                continue
            }
            scalars.append((scalar.value, !isEscaped && scalar == "-"))
            isEscaped = false
        }
        return isEscaped ? nil : scalars
    }
}
