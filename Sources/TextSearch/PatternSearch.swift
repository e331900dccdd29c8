/// Line of text prepared for searching.
package struct SearchedText {
    /// Character with its lower-case and upper-case forms.
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

    /// Prepares `scalars` for searching.
    package init(_ scalars: some Sequence<Unicode.Scalar>) { self.forms = scalars.map(Forms.init) }

    fileprivate func holds(_ assertion: PatternAssertion, at index: Int) -> Bool {
        func isPart(_ index: Int, _ test: (Unicode.Scalar) -> Bool) -> Bool {
            self.forms.indices.contains(index) && test(self.forms[index].own)
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

/// Pattern search with a step limit that all its searches share.
package struct PatternSearch {
    /// Thread of the NFA simulation: a state, and the start of its match.
    private struct Thread {
        let step: Int
        let start: Int
    }

    /// Number of steps left; once it is 0, no more matches are found.
    package private(set) var stepsLeft: Int
    private var threads: [Thread] = []
    private var next: [Thread] = []
    /// For each state, the last pass that entered it.
    private var visited: [Int] = []
    private var pass = 0

    /// Creates a search of at most `stepLimit` steps.
    package init(stepLimit: Int) { self.stepsLeft = stepLimit }

    /// Non-empty, non-overlapping ranges where `pattern` matches, from left to right.
    package mutating func matches(of pattern: TextPattern, in text: SearchedText) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while start < text.forms.count, let match = self.first(pattern.program, in: text, from: start) {
            if !match.isEmpty { found.append(match) }
            start = max(match.upperBound, match.lowerBound + 1)
        }
        return found
    }

    /// The leftmost match; of those with the same start, the one that the pattern prefers.
    private mutating func first(_ program: PatternProgram, in text: SearchedText, from: Int) -> Range<Int>? {
        self.threads.removeAll(keepingCapacity: true)
        self.visited = Array(repeating: 0, count: program.steps.count)
        self.pass = 1
        var match: Range<Int>?
        for index in from...text.forms.count {
            if match == nil {
                self.follow(Thread(step: 0, start: index), of: program, in: text, at: index, isNext: false)
            }
            guard self.stepsLeft > 0, match == nil || !self.threads.isEmpty else { break }
            self.pass += 1
            self.next.removeAll(keepingCapacity: true)
            for thread in self.threads {
                switch program.steps[thread.step] {
                case .take(let set):
                    guard index < text.forms.count,
                        set.contains(text.forms[index], ignoresCase: program.ignoresCase)
                    else { continue }
                    let beyond = Thread(step: thread.step + 1, start: thread.start)
                    self.follow(beyond, of: program, in: text, at: index + 1, isNext: true)
                    continue
                case .found: match = thread.start..<index
                case .check, .fork, .jump: continue
                }
                // Later threads have lower priority.
                break
            }
            swap(&self.threads, &self.next)
        }
        return self.stepsLeft > 0 ? match : nil
    }

    /// Follows empty transitions from a thread to the states that consume a character or accept.
    private mutating func follow(
        _ thread: Thread,
        of program: PatternProgram,
        in text: SearchedText,
        at index: Int,
        isNext: Bool
    ) {
        guard self.visited[thread.step] != self.pass, self.stepsLeft > 0 else { return }
        self.visited[thread.step] = self.pass
        self.stepsLeft -= 1
        func go(_ step: Int, _ search: inout PatternSearch) {
            search.follow(Thread(step: step, start: thread.start), of: program, in: text, at: index, isNext: isNext)
        }
        switch program.steps[thread.step] {
        case .take, .found: if isNext { self.next.append(thread) } else { self.threads.append(thread) }
        case .jump(let step): go(step, &self)
        case .fork(let first, let second):
            go(first, &self)
            go(second, &self)
        case .check(let assertion): if text.holds(assertion, at: index) { go(thread.step + 1, &self) }
        }
    }
}
