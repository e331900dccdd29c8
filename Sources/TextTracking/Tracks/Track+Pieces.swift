internal import TextModel
internal import TextRecognition

/// A line of which some words change is cut between its words, so that the others are kept as they are: with their ids, and
/// without being read again.
extension Track {
    /// A piece shorter than this, in heights of the line, is not worth a cut.
    private static let leastPiece: Float = 1.5

    /// Cuts the line.
    ///
    /// - Parameters:
    ///   - frame: The latest frame.
    ///   - isChanged: Whether what a place in it shows is not what the line showed there.
    /// - Returns: Pieces, each with a status that all of it has; the line itself where it is all one.
    func pieces(in frame: borrowing GrayPlane, isChanged: (Quad) -> Bool) -> [Track] {
        let line = self.line
        guard let cuts = line.cuts else { return [self.with(isChanged(line.reach) ? .lost : .matched)] }
        let ends = line.reachingStretch
        let reaches = [ends.lowerBound] + cuts.dropFirst().dropLast() + [ends.upperBound]
        var isKept = line.words.indices.map { !isChanged(line.box.section(reaches[$0]...reaches[$0 + 1])) }
        for run in isKept.runs(where: ==) {
            let length = (cuts[run.upperBound] - cuts[run.lowerBound]) * line.box.width
            if length < Self.leastPiece * line.box.height { run.forEach { isKept[$0] = false } }
        }
        let runs = isKept.runs(where: ==)
        guard runs.count > 1 else { return [self.with(isKept[0] ? .matched : .lost)] }
        let place = self.place.turned(towards: line.box)
        func fraction(_ cut: Int) -> Float {
            if cut == 0 || cut == line.words.count { return cuts[cut] }
            return place.fraction(at: line.box.section(cuts[cut]...cuts[cut]).centre)
        }
        return runs.map { run in
            let stretch = ClosedRange(around: [fraction(run.lowerBound), fraction(run.upperBound)])
            let piece = Track(run, of: self, region: place.section(stretch), in: frame)
            return piece.with(isKept[run.lowerBound] ? .matched : .lost)
        }
    }

    private func with(_ status: Status) -> Track {
        var track = self
        track.status = status
        return track
    }
}

extension [Track] {
    /// Joins lines that were cut, where no words are missing between their pieces.
    ///
    /// - Parameter frame: The latest frame.
    /// - Returns: All lines, none of which is a piece of one that was cut.
    func joined(in frame: borrowing GrayPlane) -> [Track] {
        let cutLines = Set(self.compactMap(\.cutLine)).sorted()
        var tracks = self.filter { $0.cutLine == nil }
        for line in cutLines {
            let pieces = self.filter { $0.cutLine == line }.inReadingOrder
            for run in pieces.runs(where: { $0.line.isFollowed(by: $1.line) }) {
                tracks.append(Track(joining: Array(pieces[run]), in: frame))
            }
        }
        return tracks
    }

    /// The pieces of one line, in the direction in which the longest of them is read.
    private var inReadingOrder: [Track] {
        guard let longest = self.map(\.line.box).max(by: { $0.width < $1.width }) else { return [] }
        return self.sorted { longest.fraction(at: $0.line.box.topLeft) < longest.fraction(at: $1.line.box.topLeft) }
    }
}

extension TextLine {
    /// Its box and what lies right before and behind it: what comes up there or goes may belong to its first or last word.
    var reach: Quad { self.box.section(self.reachingStretch) }

    fileprivate var reachingStretch: ClosedRange<Float> {
        let reach = Self.reach * self.box.height / max(self.box.width, 1)
        return ClosedRange(around: [-reach, 1 + reach])
    }

    /// How far a word at a line's end may go on, in heights of the line.
    private static let reach: Float = 0.25

    /// Where one word ends and the next begins: the line's two ends and the middles of its gaps, as fractions of its box;
    /// `nil` where words do not stand one behind the other.
    fileprivate var cuts: [Float]? {
        guard self.words.count > 1, self.box.width > self.box.height else { return nil }
        let gaps = zip(self.words, self.words.dropFirst()).map { word, next in
            (self.box.fraction(at: word.box.topRight) + self.box.fraction(at: next.box.topLeft)) / 2
        }
        let cuts = [0] + gaps + [1]
        return zip(cuts, cuts.dropFirst()).allSatisfy { $0 < $1 } ? cuts : nil
    }
}

extension Array {
    /// The longest runs of elements each of which goes with the one before it.
    fileprivate func runs(where follows: (Element, Element) -> Bool) -> [Range<Int>] {
        self.indices.reduce(into: []) { runs, index in
            if let last = runs.last, follows(self[index - 1], self[index]) {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
    }
}
