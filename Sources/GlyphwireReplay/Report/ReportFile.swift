internal import FoundationEssentials
internal import NIOCore

/// Output file of a report, with the kind of its extension.
package struct ReportFile: Sendable, Hashable {
    /// Kind of report file.
    package enum Kind: String, Sendable, CaseIterable {
        /// All figures as JSON, for programs and for `compare`.
        case json
        /// One row per frame.
        case csv
        /// A self-contained page for a browser.
        case html
    }

    /// Path of the file.
    package let path: String
    /// Kind of the file.
    package let kind: Kind

    /// Creates a file at `path`; `nil` if its extension is unknown.
    package init?(path: String) {
        let name = path.lowercased()
        guard let kind = Kind.allCases.first(where: { name.hasSuffix(".\($0.rawValue)") }) else { return nil }
        self.path = path
        self.kind = kind
    }

    /// Throws if the file is one of `inputs` or cannot be written, so that a run need not end first.
    package func check(apartFrom inputs: [String]) throws(ReplayError) {
        try OutputFile.probe(self.path, apartFrom: inputs)
    }

    /// Writes a report, unless it is a CSV, whose rows are written during the run.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - inputs: The files that the command reads, which the report may not replace.
    /// - Throws: ``ReplayError``.
    package func write(_ report: LoadReport, apartFrom inputs: [String]) throws(ReplayError) {
        switch self.kind {
        case .json: try OutputFile.save(ByteBuffer(bytes: try report.json()), to: self.path, apartFrom: inputs)
        case .html: try OutputFile.save(ByteBuffer(string: HTMLReport(report).text), to: self.path, apartFrom: inputs)
        case .csv: break
        }
    }
}

extension LoadReport {
    /// Reads a JSON report.
    package init(path: String) throws(ReplayError) {
        let file = try File(reading: path)
        do {
            var bytes: [UInt8] = []
            while true {
                let chunk = try file.bytes(atMost: 1 << 20)
                if chunk.readableBytes == 0 { break }
                bytes += chunk.readableBytesView
            }
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            self = try decoder.decode(LoadReport.self, from: Data(bytes))
        } catch {
            throw ReplayError(
                .unreadable,
                "\(path) is not a report that can be compared; write one with glyphwire-replay run --report NAME.json"
            )
        }
        guard self.format == Self.currentFormat else {
            throw ReplayError(
                .unreadable,
                "\(path) is a report of format \(self.format), this version reads \(Self.currentFormat); measure again"
            )
        }
    }

    /// Report as JSON, with names in `snake_case` that include their units.
    func json() throws(ReplayError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        } catch {
            throw ReplayError(.unwritable, "the report cannot be written as JSON: \(error)")
        }
    }
}
