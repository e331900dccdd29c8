/// Character segmentation of a line without recognition.
///
/// Takes the brightness of a rectified line and gives boxes in its pixels. Components above one another (a dot and its
/// stem, a letter and its accent) are one character; touching characters are split.
struct CharacterSegmenter: ~Copyable {
    private var mask = ForegroundMask()
    private var labeler = ComponentLabeler()

    /// Least area of a component, as a share of the line's height squared; chosen by hand, not measured.
    private static let minArea: Float = 0.002

    /// Returns the characters of a line from left to right; none where it has no usable foreground.
    mutating func segment(gray: UnsafePointer<Float>, width: Int, height: Int) -> [BoundingBox] {
        guard self.mask.separate(gray, width: width, height: height) else { return [] }
        let components = ConnectedComponent.components(of: self.mask, by: &self.labeler)
        let band = ConnectedComponent.textBand(of: components, height: height)
        let own = components.indices.filter { index in
            components[index].area >= Self.minArea * Float(height * height)
                && !components[index].isForeign(to: band, height: height)
        }
        let groups = ConnectedComponent.groups(of: own.map { components[$0] })
        let splitter = TouchingCharacterSplitter(height: BoundingBox.typicalHeight(of: groups.map(\.box)))
        return groups.flatMap { group in
            guard splitter.maySplit(group.box) else { return [group.box] }
            let runs = group.members.flatMap { self.labeler.runs(of: own[$0]) }
            return splitter.split(group.box, runs: runs, mask: self.mask)
        }.sorted { $0.x0 < $1.x0 }
    }
}
