/// Table of aligned text: names to the left, numbers to the right.
struct TextTable {
    /// Header with one cell per column.
    var header: [String]
    /// Rows with a cell per column.
    var rows: [[String]]

    /// Table with aligned columns, separated by two spaces.
    var text: String {
        let all = [self.header] + self.rows
        let widths = self.header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            row.indices.map { column in
                guard column > 0 else { return row[0] + String(repeating: " ", count: widths[0] - row[0].count) }
                return Decimals.padded(row[column], to: max(widths[column], 7))
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
