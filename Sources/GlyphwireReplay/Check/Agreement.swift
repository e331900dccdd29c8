/// Agreement of a run's results with what was expected.
package struct Agreement: Sendable, Codable, Equatable {
    /// Most differences listed one by one.
    private static let maxExamples = 10

    /// Frames that were compared and say what was expected.
    package private(set) var framesSame = 0
    /// Frames that were compared and say something else.
    package private(set) var framesDifferent = 0
    /// Frames that should have been read, and were not: dropped, or an error.
    package var framesNotRead = 0
    /// Frames of which nothing is known.
    package var framesUnknown = 0
    /// Words that say the same at the same place.
    package private(set) var wordsSame = 0
    /// Words that say something else at the same place.
    package private(set) var wordsChanged = 0
    /// Words that were expected and not found.
    package private(set) var wordsMissing = 0
    /// Words that were found and not expected.
    package private(set) var wordsExtra = 0
    /// Intersection over union of the boxes of the same word: the least, and the sum.
    package private(set) var minOverlap = 1.0
    private var overlapSum = 0.0
    private var overlapCount = 0
    /// Pixels between a character's centre and the expected one: the most, and the sum.
    package private(set) var maxCentreError = 0.0
    private var centreErrorSum = 0.0
    private var centreErrorCount = 0
    /// Some of the differences, each in a sentence.
    package private(set) var examples: [String] = []

    /// Nothing was compared yet.
    package init() {}

    /// Mean intersection over union of the boxes of the same word.
    package var meanOverlap: Double {
        self.overlapCount == 0 ? 1 : self.overlapSum / Double(self.overlapCount)
    }

    /// Mean pixels between a character's centre and the expected one.
    package var meanCentreError: Double {
        self.centreErrorCount == 0 ? 0 : self.centreErrorSum / Double(self.centreErrorCount)
    }

    /// Frames that were compared.
    package var framesCompared: Int { self.framesSame + self.framesDifferent }

    /// Adds a frame that was compared.
    mutating func add(_ match: WordMatch, sequence: UInt64) {
        if match.isSame { self.framesSame += 1 } else { self.framesDifferent += 1 }
        self.wordsSame += match.same
        self.wordsChanged += match.changed.count
        self.wordsMissing += match.missing.count
        self.wordsExtra += match.extra.count
        for overlap in match.overlaps {
            self.minOverlap = min(self.minOverlap, overlap)
            self.overlapSum += overlap
        }
        self.overlapCount += match.overlaps.count
        for error in match.centreErrors {
            self.maxCentreError = max(self.maxCentreError, error)
            self.centreErrorSum += error
        }
        self.centreErrorCount += match.centreErrors.count
        let differences =
            match.changed.map { "\"\($0.expected)\" is read \"\($0.found)\"" }
            + match.missing.map { "\"\($0)\" is missing" } + match.extra.map { "\"\($0)\" is new" }
        for difference in differences where self.examples.count < Self.maxExamples {
            self.examples.append("frame \(sequence): \(difference)".withoutControlCharacters)
        }
    }
}
