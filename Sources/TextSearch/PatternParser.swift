/// Recursive-descent parser of the common regular-expression syntax.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private let folding: Folding
    private var index = 0

    /// Maximum repeat count in a pattern.
    static let maxRepeats = 100

    /// Creates a parser of an expression, whose characters are to be compared in the form `folding`.
    init(_ expression: String, folding: Folding) {
        self.scalars = Array(expression.composed.unicodeScalars)
        self.folding = folding
    }

    mutating func parse() throws(PatternError) -> PatternNode {
        let node = try self.alternatives()
        if self.peek() != nil { throw PatternError("it closes a group with \")\" that it does not open") }
        return node
    }

    private func peek() -> Unicode.Scalar? { self.index < self.scalars.count ? self.scalars[self.index] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard self.peek() == scalar else { return false }
        self.index += 1
        return true
    }

    private mutating func next() -> Unicode.Scalar? {
        defer { self.index += 1 }
        return self.peek()
    }

    private mutating func alternatives() throws(PatternError) -> PatternNode {
        var all = [try self.sequence()]
        while self.take("|") { all.append(try self.sequence()) }
        return all.count == 1 ? all[0] : .alternatives(all)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar = self.peek(), scalar != "|", scalar != ")" {
            parts.append(try self.repetition(of: try self.part()))
        }
        return .sequence(parts)
    }

    private mutating func part() throws(PatternError) -> PatternNode {
        guard let scalar = self.next() else { throw PatternError("it ends too early") }
        switch scalar {
        case "(": return try self.group()
        case "[": return .set(try self.characterClass())
        case ".": return .set(.any)
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "\\": return try self.escape()
        case "*", "+", "?", "{":
            throw PatternError(
                "there is nothing that \"\(scalar)\" could repeat; write \"\\\(scalar)\" for the character"
            )
        default:
            let scalars = self.folding.scalars(of: self.character(scalar))
            return scalars.count == 1 ? .set(.one(scalars[0])) : .sequence(scalars.map { .set(.one($0)) })
        }
    }

    /// Parses the rest of a character that stands for itself: the diacritics that belong to its first scalar.
    private mutating func character(_ first: Unicode.Scalar) -> String {
        var character = String(first)
        while !first.isMark, let mark = self.peek(), mark.usualForm.isDiacritic {
            character.unicodeScalars.append(mark)
            self.index += 1
        }
        return character
    }

    private mutating func group() throws(PatternError) -> PatternNode {
        if self.take("?"), !self.take(":") {
            throw PatternError(
                "\"(?\" must be \"(?:\": look-around, names and flags are not supported, but \"/…/i\" ignores case"
            )
        }
        let node = try self.alternatives()
        guard self.take(")") else { throw PatternError("it opens a group with \"(\" that it does not close") }
        return node
    }

    private mutating func repetition(of part: PatternNode) throws(PatternError) -> PatternNode {
        let (least, most): (Int, Int?)
        switch self.peek() {
        case "*": (least, most) = (0, nil)
        case "+": (least, most) = (1, nil)
        case "?": (least, most) = (0, 1)
        case "{":
            self.index += 1
            (least, most) = try self.counts()
            self.index -= 1
        default: return part
        }
        self.index += 1
        if case .assertion = part { throw PatternError("it repeats a place, such as \"^\" or \"\\b\"") }
        let isGreedy = !self.take("?")
        if let scalar = self.peek(), ["*", "+", "?", "{"].contains(scalar) {
            throw PatternError("it repeats a repetition; group the repeated part with \"(…)\"")
        }
        return .repeated(part, atLeast: least, atMost: most, isGreedy: isGreedy)
    }

    /// Parses the counts after a `{`, through the closing `}`.
    private mutating func counts() throws(PatternError) -> (Int, Int?) {
        let hint =
            "\"{\" must be followed by one or two counts up to \(Self.maxRepeats) and \"}\", as in \"{2,5}\"; "
            + "write \"\\{\" for the character"
        guard let least = self.number() else { throw PatternError(hint) }
        var most: Int? = least
        if self.take(",") { most = self.number() }
        guard self.take("}"), least <= most ?? least, max(least, most ?? 0) <= Self.maxRepeats else {
            throw PatternError(hint)
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = self.peek(), ("0"..."9").contains(scalar) {
            // Beyond the limit the exact value does not matter.
            value = min((value ?? 0) * 10 + Int(scalar.value - 48), 10 * Self.maxRepeats)
            self.index += 1
        }
        return value
    }

    /// Parses the escape after a backslash.
    private mutating func escape() throws(PatternError) -> PatternNode {
        switch self.peek() {
        case "b":
            self.index += 1
            return .assertion(.wordBoundary)
        case "B":
            self.index += 1
            return .assertion(.noWordBoundary)
        default: return .set(try self.escapedSet())
        }
    }

    /// Parses the character set of the escape after a backslash.
    private mutating func escapedSet() throws(PatternError) -> ScalarSet {
        guard let scalar = self.next() else { throw PatternError("it ends with a backslash") }
        switch scalar {
        case "d": return .all(.digit, isInverted: false)
        case "D": return .all(.digit, isInverted: true)
        case "w": return .all(.word, isInverted: false)
        case "W": return .all(.word, isInverted: true)
        case "s": return .all(.space, isInverted: false)
        case "S": return .all(.space, isInverted: true)
        default:
            guard scalar.isASCII, !scalar.isWordPart || scalar == "_" else {
                throw PatternError("there is no \"\\\(scalar)\"; the escapes are \\d \\D \\w \\W \\s \\S \\b \\B")
            }
            return .one(scalar)
        }
    }

    /// Parses the character class after a `[`.
    private mutating func characterClass() throws(PatternError) -> ScalarSet {
        var set = ScalarSet(isInverted: self.take("^"))
        var isFirst = true
        while isFirst || self.peek() != "]" {
            isFirst = false
            let item = try self.classItem()
            if self.peek() == "-", self.index + 1 < self.scalars.count, self.scalars[self.index + 1] != "]" {
                self.index += 1
                let (start, end) = (item.asWritten.ranges, try self.classItem().asWritten.ranges)
                guard let from = start.first?.lowerBound, let to = end.first?.upperBound, from <= to else {
                    throw PatternError("a range such as \"a-z\" in \"[…]\" has the wrong order or no single characters")
                }
                set.ranges.append(from...to)
            } else {
                set.formUnion(item.folded)
            }
        }
        self.index += 1
        return set
    }

    /// Parses a character or an escape in a class, as it is written and in the form in which it is compared.
    private mutating func classItem() throws(PatternError) -> (asWritten: ScalarSet, folded: ScalarSet) {
        guard let scalar = self.next() else { throw PatternError("it opens a class with \"[\" that it does not close") }
        if scalar == "\\" {
            let set = try self.escapedSet()
            return (set, set)
        }
        if scalar == "[", self.peek() == ":" {
            throw PatternError("there is no \"[:…:]\" in a class; write \\d, \\w or \\s, or \"\\[\" for the character")
        }
        let character = self.character(scalar)
        return (.character(Folding.exact.scalars(of: character)), .character(self.folding.scalars(of: character)))
    }
}
