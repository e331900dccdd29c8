extension ReportComparison {
    /// Comparison as text for a terminal.
    package var text: String {
        self.pairs.map(\.text).joined(separator: "\n\n")
    }
}

extension ReportComparison.Pair {
    fileprivate var text: String {
        let table = TextTable(
            header: [self.load, "before", "after", "change", "noise", "verdict"],
            rows: self.rows.map { row in
                [
                    row.name, Decimals.short(row.before), Decimals.short(row.after),
                    Self.part(row.after - row.before, of: row.before, isSigned: true),
                    "±" + Self.part(row.noise, of: row.before, isSigned: false), row.verdict,
                ]
            }
        )
        return ([table.text] + self.notices.map { "note: \($0)" }).joined(separator: "\n")
    }

    private static func part(_ value: Double, of whole: Double, isSigned: Bool) -> String {
        guard whole > 0 else { return Decimals.short(value) }
        let text = Decimals.text(value / whole * 100, places: 1)
        return (isSigned && value > 0 && text != "0.0" ? "+" : "") + text + " %"
    }
}

extension ReportComparison.Row {
    /// Assessment of the change.
    package var verdict: String { self.isWorse ? "worse" : self.isChange ? "better" : "no change" }
}
