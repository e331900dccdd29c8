internal import TextModel
internal import TextRecognition

/// Fragments of a line of which some words change.
///
/// The others keep their text and ids, and are not read again.
extension Track {
    private enum Tuning {
        /// Least length of a kept fragment in heights of the line; chosen by eye.
        static let minLength: Float = 1.5
    }

    /// Splits the line between its words.
    ///
    /// - Parameters:
    ///   - frame: The latest frame.
    ///   - splitLineID: The identity of the split line, which no other one of the frame has.
    ///   - isChanged: Whether a place in the frame has changed.
    /// - Returns: Fragments, each with one status; the line itself where all of it has one.
    func fragments(
        in frame: borrowing GrayPlane,
        splitLineID: Int,
        isChanged: (Quad) -> Bool
    ) -> [Track] {
        let line = self.line
        guard !self.isPartlyHidden, let cuts = line.cuts else {
            return [self.with(isChanged(line.box.withEndMargins) ? .lost : .matched)]
        }
        let ends = line.box.extendedInterval
        let bounds = [ends.lowerBound] + cuts.dropFirst().dropLast() + [ends.upperBound]
        var isKept = line.words.indices.map { !isChanged(line.box.section(bounds[$0]...bounds[$0 + 1])) }
        for run in isKept.runs(where: ==) {
            let length = (cuts[run.upperBound] - cuts[run.lowerBound]) * line.box.width
            if length < Tuning.minLength * line.box.height { run.forEach { isKept[$0] = false } }
        }
        let runs = isKept.runs(where: ==)
        guard runs.count > 1 else { return [self.with(isKept[0] ? .matched : .lost)] }
        let place = self.place.turned(towards: line.box)
        func fraction(_ cut: Int) -> Float {
            if cut == 0 || cut == line.words.count { return cuts[cut] }
            return place.fraction(at: line.box.section(cuts[cut]...cuts[cut]).centre)
        }
        return runs.map { run in
            let interval = ClosedRange(around: [fraction(run.lowerBound), fraction(run.upperBound)])
            let region = place.section(interval)
            let fragment = Track(run, of: self, region: region, splitLineID: splitLineID, in: frame)
            return fragment.with(isKept[run.lowerBound] ? .matched : .lost)
        }
    }

    private func with(_ status: Status) -> Track {
        var track = self
        track.status = status
        track.hasChangedInPlace = status == .lost
        return track
    }
}

extension [Track] {
    /// Joins the fragments of split lines where no words are missing between them.
    ///
    /// - Parameter frame: The latest frame.
    /// - Returns: All lines, none of which is a fragment.
    func joined(in frame: borrowing GrayPlane) -> [Track] {
        let splitLines = Set(self.compactMap(\.splitLineID)).sorted()
        var tracks = self.filter { $0.splitLineID == nil }
        for line in splitLines {
            let fragments = self.filter { $0.splitLineID == line }.inReadingOrder
            for run in fragments.runs(where: { $0.line.isFollowed(by: $1.line) }) {
                tracks.append(Track(joining: Array(fragments[run]), in: frame))
            }
        }
        return tracks
    }

    /// Fragments of one line, in the reading direction of the longest of them.
    private var inReadingOrder: [Track] {
        guard let longest = self.map(\.box).max(by: { $0.width < $1.width }) else { return [] }
        return self.sorted { longest.fraction(at: $0.box.topLeft) < longest.fraction(at: $1.box.topLeft) }
    }
}

extension Quad {
    private enum Tuning {
        /// Length by which a word at a line's end may grow, in heights of the line; chosen by eye.
        static let margin: Float = 0.25
    }

    /// Box of a line with margins before and behind it, where a change may belong to the first or last word.
    var withEndMargins: Quad { self.section(self.extendedInterval) }

    fileprivate var extendedInterval: ClosedRange<Float> {
        let margin = Tuning.margin * self.height / max(self.width, 1)
        return ClosedRange(around: [-margin, 1 + margin])
    }
}

extension TextLine {
    /// Cuts between the words: the line's ends and the middles of its gaps, as fractions of its box.
    ///
    /// It is `nil` where words do not follow one another.
    fileprivate var cuts: [Float]? {
        guard self.words.count > 1, self.box.width > self.box.height else { return nil }
        let gaps = zip(self.words, self.words.dropFirst()).map { word, next in
            (self.box.fraction(at: word.box.topRight) + self.box.fraction(at: next.box.topLeft)) / 2
        }
        let cuts = [0] + gaps + [1]
        return zip(cuts, cuts.dropFirst()).allSatisfy { $0 < $1 } ? cuts : nil
    }
}
