/// A line of text, made ready to be searched.
package struct SearchedText {
    /// A character, and how it is written small and large.
    struct Forms {
        let own: Unicode.Scalar
        let lowercase: Unicode.Scalar
        let uppercase: Unicode.Scalar

        init(_ scalar: Unicode.Scalar) {
            func single(_ mapping: String) -> Unicode.Scalar {
                let scalars = mapping.unicodeScalars
                return scalars.count == 1 ? scalars.first ?? scalar : scalar
            }
            self.own = scalar
            self.lowercase = single(scalar.properties.lowercaseMapping)
            self.uppercase = single(scalar.properties.uppercaseMapping)
        }
    }

    let forms: [Forms]

    /// The text of `scalars`.
    package init(_ scalars: some Sequence<Unicode.Scalar>) { self.forms = scalars.map(Forms.init) }

    fileprivate func holds(_ assertion: PatternAssertion, at index: Int) -> Bool {
        func isPart(_ place: Int, _ test: (Unicode.Scalar) -> Bool) -> Bool {
            self.forms.indices.contains(place) && test(self.forms[place].own)
        }
        switch assertion {
        case .start: return index == 0
        case .end: return index == self.forms.count
        case .wordBoundary: return isPart(index - 1, \.isWordPart) != isPart(index, \.isWordPart)
        case .noWordBoundary: return isPart(index - 1, \.isWordPart) == isPart(index, \.isWordPart)
        case .textBoundary: return !(isPart(index - 1, \.isPartOfSpacedWord) && isPart(index, \.isPartOfSpacedWord))
        }
    }
}

/// Looks for patterns, with a bound on the work that all searches take together.
package struct PatternSearch {
    /// A way through a program that has come to `step`, and the place in the text where it began.
    private struct Way {
        let step: Int
        let start: Int
    }

    /// Steps that may yet be taken; searches find nothing more once there are none.
    package private(set) var stepsLeft: Int
    private var ways: [Way] = []
    private var next: [Way] = []
    /// For each step of the program, the turn in which it was last come to.
    private var visited: [Int] = []
    private var turn = 0

    /// A search that takes at most `stepLimit` steps.
    package init(stepLimit: Int) { self.stepsLeft = stepLimit }

    /// The places where `pattern` is found, from left to right, none of them empty and none in another.
    package mutating func matches(of pattern: TextPattern, in text: SearchedText) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while start < text.forms.count, let match = self.first(pattern.program, in: text, from: start) {
            if !match.isEmpty { found.append(match) }
            start = max(match.upperBound, match.lowerBound + 1)
        }
        return found
    }

    /// The leftmost match, and of those that begin there the one that the pattern prefers.
    private mutating func first(_ program: PatternProgram, in text: SearchedText, from: Int) -> Range<Int>? {
        self.ways.removeAll(keepingCapacity: true)
        self.visited = Array(repeating: 0, count: program.steps.count)
        self.turn = 1
        var match: Range<Int>?
        for index in from...text.forms.count {
            if match == nil { self.follow(Way(step: 0, start: index), of: program, in: text, at: index, isNext: false) }
            guard self.stepsLeft > 0, match == nil || !self.ways.isEmpty else { break }
            self.turn += 1
            self.next.removeAll(keepingCapacity: true)
            for way in self.ways {
                switch program.steps[way.step] {
                case .take(let set):
                    guard index < text.forms.count,
                        set.contains(text.forms[index], ignoresCase: program.ignoresCase)
                    else { continue }
                    let beyond = Way(step: way.step + 1, start: way.start)
                    self.follow(beyond, of: program, in: text, at: index + 1, isNext: true)
                    continue
                case .found: match = way.start..<index
                case .check, .fork, .jump: continue
                }
                // Ways that come later are liked less.
                break
            }
            swap(&self.ways, &self.next)
        }
        return self.stepsLeft > 0 ? match : nil
    }

    /// Follows a way to the steps that take a character or end it.
    private mutating func follow(
        _ way: Way,
        of program: PatternProgram,
        in text: SearchedText,
        at index: Int,
        isNext: Bool
    ) {
        guard self.visited[way.step] != self.turn, self.stepsLeft > 0 else { return }
        self.visited[way.step] = self.turn
        self.stepsLeft -= 1
        func go(_ step: Int, _ search: inout PatternSearch) {
            search.follow(Way(step: step, start: way.start), of: program, in: text, at: index, isNext: isNext)
        }
        switch program.steps[way.step] {
        case .take, .found: if isNext { self.next.append(way) } else { self.ways.append(way) }
        case .jump(let step): go(step, &self)
        case .fork(let first, let second):
            go(first, &self)
            go(second, &self)
        case .check(let assertion): if text.holds(assertion, at: index) { go(way.step + 1, &self) }
        }
    }
}
