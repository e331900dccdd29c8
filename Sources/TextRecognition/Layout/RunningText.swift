/// Running text in a column, whose lines look like cells of a table where they are short.
///
/// Its lines are full: the first word of the next one would not fit. Cells end wherever their text does, and those that
/// are nearly as long as each other, such as names and addresses, have few words. Lines without spaces, as in Chinese,
/// are never running text.
enum RunningText {
    /// Chosen on 28 pages of columns and 40 tables (accuracy log, *Columns of running text*).
    private enum Tuning {
        /// Least number of lines; with 3, cells of a form are running text.
        static let minLines = 4
        /// Least median number of words; with 2, tables of names and addresses are running text.
        static let minWords = 3
        /// Least share of full lines; the others end a paragraph.
        ///
        /// 0.6 and 0.8 do the same to the tables.
        static let minFullShare: Float = 0.7
        /// Share of lines that are no longer than the column is wide; the others are headings above it and the next.
        static let columnShare: Float = 0.9
    }

    /// Returns whether `lines`, which lie above one another in one column, are running text.
    ///
    /// - Parameter lines: The lines from top to bottom.
    /// - Returns: Whether they are.
    static func isMade(of lines: [ReadingOrder.Extent]) -> Bool {
        guard lines.count >= Tuning.minLines else { return false }
        let counts = lines.map(\.words.count).sorted()
        guard counts[counts.count / 2] >= Tuning.minWords else { return false }
        let widths = lines.map(\.width).sorted()
        let column = widths[min(widths.count - 1, Int(Tuning.columnShare * Float(widths.count)))]
        let full = zip(lines, lines.dropFirst()).count { $0.width + $1.words.firstWidth > column }
        return Float(full) >= Tuning.minFullShare * Float(lines.count - 1)
    }
}
