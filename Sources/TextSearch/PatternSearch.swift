/// Pattern search with a step limit that all its searches share.
package struct PatternSearch {
    /// Thread of the NFA simulation: a state, and the start of its match.
    private struct Thread {
        let step: Int
        let start: Int
    }

    /// Number of steps left; once it is 0, no more matches are found.
    package private(set) var stepsLeft: Int
    /// Whether no search ended before it had found all of its matches.
    package private(set) var isComplete = true
    /// Number of steps that the present search leaves to the others.
    private var reserve = 0
    private var threads: [Thread] = []
    private var next: [Thread] = []
    /// For each state, the last pass that entered it; no two passes of a search have the same number.
    private var visited: [Int] = []
    private var pass = 0

    /// Creates a search of at most `stepLimit` steps.
    package init(stepLimit: Int) { self.stepsLeft = stepLimit }

    private var hasSteps: Bool { self.stepsLeft > self.reserve }

    /// Non-empty, non-overlapping ranges of whole characters where `pattern` matches, from left to right.
    ///
    /// - Parameters:
    ///   - pattern: The pattern to search for.
    ///   - text: The text to search.
    ///   - share: The number of steps that it may take of those left; those to go through the text once it always may.
    /// - Returns: The ranges; the first of them if the steps do not suffice.
    package mutating func matches(
        of pattern: TextPattern,
        in text: inout SearchedText,
        share: Int = .max
    ) -> [Range<Int>] {
        let folded = text.folded(pattern.program.folding)
        // In one pass no state is entered more than once before a scalar, or at the end.
        let single = pattern.program.steps.count * (folded.count + 1)
        self.reserve = max(0, self.stepsLeft - max(share, single))
        defer { self.isComplete = self.isComplete && self.hasSteps }
        var found: [Range<Int>] = []
        var start = 0
        while start < folded.count, let match = self.first(pattern.program, in: folded, from: start) {
            found.append(folded.source(of: match))
            start = folded.end(ofCharacterBefore: match.upperBound)
        }
        return found
    }

    /// The leftmost match that is not empty; of those with the same start, the one that the pattern prefers.
    private mutating func first(_ program: PatternProgram, in text: FoldedText, from: Int) -> Range<Int>? {
        self.threads.removeAll(keepingCapacity: true)
        self.visited += Array(repeating: 0, count: max(0, program.steps.count - self.visited.count))
        self.pass += 1
        var match: Range<Int>?
        for index in from...text.count {
            if match == nil, text.mayBeginMatch(at: index) {
                self.follow(Thread(step: 0, start: index), of: program, in: text, at: index, isNext: false)
            }
            guard self.hasSteps, match == nil || !self.threads.isEmpty else { break }
            self.pass += 1
            self.next.removeAll(keepingCapacity: true)
            match = self.advance(program, in: text, at: index) ?? match
            swap(&self.threads, &self.next)
        }
        return self.hasSteps ? match : nil
    }

    /// Advances the threads by a scalar until one of them has a match, since later ones have lower priority.
    private mutating func advance(_ program: PatternProgram, in text: FoldedText, at index: Int) -> Range<Int>? {
        for thread in self.threads {
            switch program.steps[thread.step] {
            case .take(let set):
                guard let end = text.end(of: set, at: index) else { continue }
                // Within a character that the set matches as a whole, the thread stays.
                let step = end == index + 1 ? thread.step + 1 : thread.step
                let beyond = Thread(step: step, start: thread.start)
                self.follow(beyond, of: program, in: text, at: index + 1, isNext: true)
            case .found: if thread.start < index { return thread.start..<index }
            case .check, .fork, .jump: continue
            }
        }
        return nil
    }

    /// Follows empty transitions from a thread to the states that consume a character or accept.
    private mutating func follow(
        _ thread: Thread,
        of program: PatternProgram,
        in text: FoldedText,
        at index: Int,
        isNext: Bool
    ) {
        guard self.visited[thread.step] != self.pass, self.hasSteps else { return }
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
