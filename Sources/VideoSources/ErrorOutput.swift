internal import NIOCore

/// Error output of a child process, line by line.
struct ErrorOutput {
    /// Kind of a line.
    enum Kind: Equatable {
        /// A part of what the process is run for, which is taken line by line.
        case report
        /// What may be the reason of a failure, in its own words.
        case complaint(String)
        /// Of no use.
        case noise
    }

    /// Maximum number of bytes of a line that are kept: messages with an address in them are shorter.
    private static let maxLineByteCount = 2048
    /// Number of complaints that are kept: the last ones, since the reason is among them.
    private static let maxComplaints = 16

    private let kind: @Sendable (String) -> Kind
    private var unfinished: [UInt8] = []
    private var reports = CircularBuffer<String>()
    /// The last complaints.
    private(set) var complaints: [String] = []

    /// Creates an output without lines, which are of the kinds that `kind` returns.
    init(kind: @escaping @Sendable (String) -> Kind) { self.kind = kind }

    /// Appends received bytes, wherever they were split.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            self.extendLine(with: rest[..<end])
            self.endLine()
            rest = rest[(end + 1)...]
        }
        self.extendLine(with: rest)
    }

    /// Ends the output, and with it a line without an end.
    mutating func finish() { self.endLine() }

    /// Takes the next report; `nil` until more bytes are appended.
    mutating func nextReport() -> String? { self.reports.popFirst() }

    private mutating func extendLine(with bytes: ArraySlice<UInt8>) {
        self.unfinished += bytes.prefix(Self.maxLineByteCount - self.unfinished.count)
    }

    private mutating func endLine() {
        let text = String(decoding: self.unfinished, as: UTF8.self)
        self.unfinished.removeAll(keepingCapacity: true)
        let line = String(text.unicodeScalars.filter { !$0.properties.generalCategory.isControl })
        guard !line.isEmpty else { return }
        switch self.kind(line) {
        case .report: self.reports.append(line)
        case .complaint(let complaint):
            self.complaints = Array((self.complaints + [complaint]).suffix(Self.maxComplaints))
        case .noise: break
        }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isControl: Bool { self == .control || self == .format }
}
