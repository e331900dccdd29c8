/// Edge marks: punctuation at the ends of a line that the recognizer did not read.
struct EdgeMarks {
    struct Mark {
        let text: String
        /// Box in pixels of the rectified line, beyond whose ends it may lie.
        let box: BoundingBox
        /// Whether it always belongs to the word next to it; otherwise the gap decides.
        let isAttached: Bool
    }

    var leading: [Mark] = []
    var trailing: [Mark] = []

    /// Confidence of a mark that is known by its shape alone; not measured.
    static let confidence: Float = 0.8
}
