extension ReportComparison {
    /// Comparison as text for a terminal.
    package var text: String {
        let text = self.pairs.map(\.text).joined(separator: "\n\n")
        return self.lacksRuns ? "\(text)\n\nworse: the second report lacks runs that the first has" : text
    }
}

extension ReportComparison.Pair {
    fileprivate var text: String {
        let table = TextTable(
            header: [self.load, "before", "after", "change", "noise", "verdict"],
            rows: self.rows.map { row in
                [
                    row.name, Decimals.short(orDash: row.before), Decimals.short(orDash: row.after), row.changeText,
                    row.noiseText, row.verdict,
                ]
            }
        )
        return ([table.text] + self.notices.map { "note: \($0)" }).joined(separator: "\n")
    }
}

extension ReportComparison.Row {
    /// Assessment of the change.
    package var verdict: String {
        if self.isWorse { return "worse" }
        if self.isChange { return "better" }
        if self.before == nil { return "no data" }
        return self.noise == nil ? "too short" : "no change"
    }

    fileprivate var changeText: String {
        guard let before = self.before, let after = self.after else { return "-" }
        return Self.part(after - before, of: before, isSigned: true)
    }

    fileprivate var noiseText: String {
        guard let before = self.before, let noise = self.noise else { return "-" }
        return "±" + Self.part(noise, of: before, isSigned: false)
    }

    private static func part(_ value: Double, of whole: Double, isSigned: Bool) -> String {
        guard whole > 0 else { return Decimals.short(value) }
        let text = Decimals.text(value / whole * 100, places: 1)
        return (isSigned && value > 0 && text != "0.0" ? "+" : "") + text + " %"
    }
}
