internal import GlyphwireProtocol

/// A line that is followed from frame to frame.
///
/// All places are those in the frame where the line was last anchored; ``motion`` takes them to the latest frame.
struct Track {
    /// One text that the line was read as.
    fileprivate struct Candidate {
        var line: TextLine
        var count: Int
    }

    /// Where the detector found it.
    private(set) var region: Quad
    /// How sure the detector was.
    let score: Float
    /// From the frame in which the line was anchored to the latest.
    var motion = Affine.identity
    /// What tells the words apart, one for each word of ``best``.
    var wordIDs: [UInt64] = []
    var state = TextLine.State.new
    /// How often a look at the whole frame found it, and how often not.
    private(set) var seenCount = 1
    private(set) var missedCount = 0
    private var candidates: [Candidate]
    /// The candidate that is told.
    private var chosen = 0
    /// How often the line was read.
    private(set) var readCount = 1

    /// A line that says the same so many times is read no more.
    private static let equalReads = 3
    /// A line is read at most so many times, whatever it says.
    private static let mostReads = 9

    init(_ line: TextLine, region: Quad, score: Float) {
        self.region = region
        self.score = score
        self.candidates = [Candidate(line: line, count: 1)]
    }

    /// The text that is told, where the line was anchored.
    var best: TextLine { self.candidates[self.chosen].line }

    /// The text that is told, in the latest frame.
    var line: TextLine { self.motion == .identity ? self.best : self.best.moved(by: self.motion) }

    /// The line as the client hears of it.
    var told: TextLine {
        var line = self.line
        line.state = self.state
        for (index, id) in zip(line.words.indices, self.wordIDs) { line.words[index].id = id }
        return line
    }

    /// Where the detector would find it in the latest frame.
    var place: Quad { self.motion == .identity ? self.region : self.motion(self.region) }

    /// Whether it has been read often enough.
    var isSettled: Bool {
        self.candidates[self.chosen].count >= Self.equalReads || self.readCount >= Self.mostReads
    }

    /// Whether looks at the whole frame miss it more often than they find it.
    var isDoubtful: Bool { self.missedCount > self.seenCount }

    mutating func wasSeen() { self.seenCount += 1 }

    mutating func wasMissed() { self.missedCount += 1 }

    /// Counts another reading of the same pixels, in the latest frame; `nil` where nothing could be read.
    ///
    /// The text that was read most often is told; among equals the one that was read with the most confidence.
    mutating func count(_ reading: TextLine?) {
        self.readCount += 1
        self.state = .read
        guard let reading, let back = self.motion.inverse else { return }
        let line = self.motion == .identity ? reading : reading.moved(by: back)
        if let known = self.candidates.firstIndex(where: { $0.line.text == line.text }) {
            self.candidates[known].count += 1
            if line.confidence > self.candidates[known].line.confidence { self.candidates[known].line = line }
        } else {
            self.candidates.append(Candidate(line: line, count: 1))
        }
        let before = self.best
        var best = 0
        for index in self.candidates.indices.dropFirst() where self.candidates[index].beats(self.candidates[best]) {
            best = index
        }
        self.chosen = best
        if self.best.words.count != before.words.count || self.best.text != before.text {
            self.wordIDs = WordIDs.inherited(
                by: self.best.words,
                from: zip(before.words, self.wordIDs).map { ($0, $1) },
                isSameText: false
            )
        }
    }
}

extension Track.Candidate {
    fileprivate func beats(_ other: Self) -> Bool {
        (self.count, self.line.confidence) > (other.count, other.line.confidence)
    }
}

/// Hands the numbers of words on.
enum WordIDs {
    /// A number that is yet to be given.
    static let none: UInt64 = 0

    /// The numbers of `words`, each that of the old word in its place, or ``none``.
    ///
    /// - Parameters:
    ///   - words: The words that stand there now.
    ///   - old: Those that stood there, each with its number; none is used twice.
    ///   - isSameText: Whether only a word that says the same counts.
    /// - Returns: A number for each word.
    static func inherited(by words: [TextWord], from old: [(word: TextWord, id: UInt64)], isSameText: Bool) -> [UInt64] {
        var taken = [Bool](repeating: false, count: old.count)
        return words.map { word in
            var best: (index: Int, overlap: Float)?
            for (index, old) in old.enumerated() where !taken[index] && old.id != Self.none {
                guard !isSameText || old.word.text == word.text else { continue }
                let overlap = word.box.overlap(with: old.word.box)
                if overlap > best?.overlap ?? Self.leastOverlap { best = (index, overlap) }
            }
            guard let best else { return Self.none }
            taken[best.index] = true
            return old[best.index].id
        }
    }

    /// What boxes of one word share at least.
    private static let leastOverlap: Float = 0.2
}

extension TextLine {
    /// The line with all its boxes moved.
    func moved(by motion: Affine) -> TextLine {
        var line = self
        line.box = motion(self.box)
        for word in line.words.indices {
            line.words[word].box = motion(line.words[word].box)
            for character in line.words[word].characters.indices {
                line.words[word].characters[character].box = motion(line.words[word].characters[character].box)
            }
        }
        return line
    }
}
