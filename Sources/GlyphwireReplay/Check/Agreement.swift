/// Agreement of a run's results with the expected ones.
package struct Agreement: Sendable, Codable, Equatable {
    /// Maximum number of differences in ``examples``.
    private static let maxExamples = 10

    /// Number of compared frames with the expected text.
    package private(set) var framesSame = 0
    /// Number of compared frames with another text.
    package private(set) var framesDifferent = 0
    /// Number of frames that should have been read but were dropped, ended with an error, or have no result.
    package var framesNotRead = 0
    /// Number of frames without an expectation.
    package var framesUnknown = 0
    /// Number of words with the same text at the same place.
    package private(set) var wordsSame = 0
    /// Number of words with another text at the same place.
    package private(set) var wordsChanged = 0
    /// Number of expected words that were not found.
    package private(set) var wordsMissing = 0
    /// Number of words that were found and not expected.
    package private(set) var wordsExtra = 0
    /// Minimum and sum of the intersection over union of matching words' boxes.
    private var minOverlap = 1.0
    private var overlapSum = 0.0
    private var overlapCount = 0
    /// Maximum and sum of the distances between characters' centres and the expected ones, in pixels.
    private var maxCentreError = 0.0
    private var centreErrorSum = 0.0
    private var centreErrorCount = 0
    /// Descriptions of some differences.
    package private(set) var examples: [String] = []

    /// Creates an agreement without comparisons.
    package init() {}

    /// Intersection over union of matching words' boxes; `nil` if no words matched.
    package var overlap: (mean: Double, min: Double)? {
        self.overlapCount == 0 ? nil : (self.overlapSum / Double(self.overlapCount), self.minOverlap)
    }

    /// Distance between characters' centres and the expected ones, in pixels; `nil` if none were compared.
    package var centreError: (mean: Double, max: Double)? {
        self.centreErrorCount == 0 ? nil : (self.centreErrorSum / Double(self.centreErrorCount), self.maxCentreError)
    }

    /// Number of compared frames.
    package var framesCompared: Int { self.framesSame + self.framesDifferent }

    /// Adds a compared frame.
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
