/// Percentiles of several histograms, one below the other, in milliseconds.
struct LatencyTable {
    private static let columns: [(name: String, value: @Sendable (LatencyHistogram) -> Double)] = [
        ("p50", { $0.milliseconds(at: 50) }),
        ("p90", { $0.milliseconds(at: 90) }),
        ("p99", { $0.milliseconds(at: 99) }),
        ("max", { $0.maxMilliseconds }),
    ]

    var rows: [(name: String, histogram: LatencyHistogram)]

    /// The table with its columns aligned.
    var text: String {
        let names = ["milliseconds"] + self.rows.map(\.name)
        let columns = Self.columns.map { column in
            [column.name] + self.rows.map { Self.number(column.value($0.histogram), places: 2) }
        }
        let nameWidth = names.map(\.count).max() ?? 0
        let widths = columns.map { $0.map(\.count).max() ?? 0 }
        return names.indices.map { row in
            zip(columns, widths).reduce(Self.padded(names[row], to: nameWidth, leading: false)) { line, column in
                line + "  " + Self.padded(column.0[row], to: max(column.1, 8), leading: true)
            }
        }.joined(separator: "\n")
    }

    /// `value` with so many decimals, rounded.
    static func number(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
        let scaled = Int((value.magnitude * Double(scale)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        return "\(sign)\(scaled / scale).\(Self.padded("\(scaled % scale)", to: places, leading: true, with: "0"))"
    }

    static func padded(_ text: String, to width: Int, leading: Bool, with filler: Character = " ") -> String {
        let padding = String(repeating: filler, count: max(width - text.count, 0))
        return leading ? padding + text : text + padding
    }
}
