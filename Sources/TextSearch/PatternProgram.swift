/// Pattern compiled to an NFA.
///
/// Thompson, Regular Expression Search Algorithm (CACM 11, 1968), as in Pike's text editor sam. All alternatives
/// advance together, and each state is entered at most once per character. The time to find a match is therefore
/// linear in the text, unlike that of a backtracking matcher. That to find all of them is quadratic at worst, as in
/// `/a(.*b)?/`, where each match is certain only at the end of the text.
package struct PatternProgram: Sendable {
    enum Step: Sendable {
        case take(ScalarSet)
        case check(PatternAssertion)
        /// Continues at both states and prefers a match through the first.
        case fork(Int, Int)
        case jump(Int)
        case found
    }

    /// Maximum number of states of one pattern.
    static let maxSteps = 1000

    private(set) var steps: [Step] = []
    /// Form of a text in which the pattern is searched for.
    let folding: Folding

    init(_ node: PatternNode, folding: Folding) throws(PatternError) {
        self.folding = folding
        try self.append(node)
        try self.append(.found)
    }

    /// Compiles the program that finds `text` as whole words in any compatible form.
    ///
    /// In scripts without spaces between words it is found anywhere.
    static func text(_ text: String) throws(PatternError) -> PatternProgram {
        let words = text.unicodeScalars.split { $0.properties.isWhitespace }
            .map { Folding.compatible.scalars(of: String($0)) }.filter { !$0.isEmpty }
        guard !words.isEmpty else { throw PatternError("there is nothing in it to find") }
        let scalars = words.joined(separator: [" "]).map { PatternNode.set(.one($0)) }
        let edge = PatternNode.assertion(.textBoundary)
        return try PatternProgram(.sequence([edge] + scalars + [edge]), folding: .compatible)
    }

    private mutating func append(_ step: Step) throws(PatternError) {
        guard self.steps.count < Self.maxSteps else {
            throw PatternError("it takes more than \(Self.maxSteps) steps, repetitions written out")
        }
        self.steps.append(step)
    }

    private mutating func append(_ node: PatternNode) throws(PatternError) {
        switch node {
        case .set(let set): try self.append(.take(set))
        case .assertion(let assertion): try self.append(.check(assertion))
        case .sequence(let parts): for part in parts { try self.append(part) }
        case .alternatives(let all): try self.append(all[...])
        case .repeated(let part, let least, let most, let isGreedy):
            for _ in 0..<least {
                let before = self.steps.count
                try self.append(part)
                // A repeated empty match is an empty match.
                if self.steps.count == before { return }
            }
            if let most {
                for _ in least..<most { try self.appendOptional(part, isGreedy: isGreedy, isLoop: false) }
            } else {
                try self.appendOptional(part, isGreedy: isGreedy, isLoop: true)
            }
        }
    }

    private mutating func append(_ alternatives: ArraySlice<PatternNode>) throws(PatternError) {
        guard let first = alternatives.first else { return }
        guard alternatives.count > 1 else { return try self.append(first) }
        let fork = self.steps.count
        try self.append(.fork(fork + 1, fork + 1))
        try self.append(first)
        let jump = self.steps.count
        try self.append(.jump(jump + 1))
        self.steps[fork] = .fork(fork + 1, jump + 1)
        try self.append(alternatives.dropFirst())
        self.steps[jump] = .jump(self.steps.count)
    }

    private mutating func appendOptional(_ part: PatternNode, isGreedy: Bool, isLoop: Bool) throws(PatternError) {
        let fork = self.steps.count
        try self.append(.fork(fork + 1, fork + 1))
        try self.append(part)
        if isLoop { try self.append(.jump(fork)) }
        let (inside, behind) = (fork + 1, self.steps.count)
        self.steps[fork] = isGreedy ? .fork(inside, behind) : .fork(behind, inside)
    }
}
