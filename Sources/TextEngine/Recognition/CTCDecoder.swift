/// One character of a line as the recogniser's time steps tell it.
struct CTCCharacter {
    /// Its class in the alphabet.
    var label: Int
    /// The probability of the class where it is highest.
    var confidence: Float
    /// The middle of the steps that say it, weighted by their probability; step 0 covers 0...1.
    var centre: Float
}

/// Reads the output of a network trained with connectionist temporal classification: for each time step the probability
/// of each class and of the blank.
///
/// Graves et al., Connectionist Temporal Classification (ICML 2006), section 3.2: best path decoding.
enum CTCDecoder {
    /// The most probable path, with repeats merged and blanks dropped.
    ///
    /// - Parameters:
    ///   - probabilities: `stepCount` rows of `classCount` numbers.
    ///   - stepCount: Steps of the whole input; in its margin a network says the blank.
    ///   - classCount: Classes, the blank (0) among them.
    ///   - allowed: The classes that may be read; `nil` for all.
    /// - Returns: The characters in order, spaces among them.
    static func bestPath(
        _ probabilities: UnsafePointer<Float>,
        stepCount: Int,
        classCount: Int,
        allowed: ClassMask?
    ) -> [CTCCharacter] {
        var characters: [CTCCharacter] = []
        var previous = Alphabet.blank
        var weight: Float = 0
        for step in 0..<stepCount {
            let row = probabilities + step * classCount
            let (label, probability) = Self.best(row, classCount: classCount, allowed: allowed)
            defer { previous = label }
            guard label != Alphabet.blank else { continue }
            let centre = Float(step) + 0.5
            if label == previous, var last = characters.popLast() {
                last.centre = (last.centre * weight + centre * probability) / (weight + probability)
                last.confidence = max(last.confidence, probability)
                weight += probability
                characters.append(last)
            } else {
                characters.append(CTCCharacter(label: label, confidence: probability, centre: centre))
                weight = probability
            }
        }
        return characters
    }

    /// The most probable class of one step.
    private static func best(
        _ row: UnsafePointer<Float>,
        classCount: Int,
        allowed: ClassMask?
    ) -> (label: Int, probability: Float) {
        // Networks of this kind say "blank" most of the time, and more than half cannot be beaten.
        let blank = row[Alphabet.blank]
        if blank > 0.5 { return (Alphabet.blank, blank) }
        if let allowed {
            var best = (label: Alphabet.blank, probability: blank)
            for label in allowed.labels where row[label] > best.probability { best = (label, row[label]) }
            return best
        }
        return Self.largest(row, count: classCount)
    }

    private static func largest(_ row: UnsafePointer<Float>, count: Int) -> (label: Int, probability: Float) {
        var lanes = SIMD16<Float>(repeating: -1)
        var index = 0
        while index + 16 <= count {
            let values = UnsafeRawPointer(row + index).loadUnaligned(as: SIMD16<Float>.self)
            lanes.replace(with: values, where: values .> lanes)
            index += 16
        }
        var largest = lanes.max()
        while index < count {
            largest = max(largest, row[index])
            index += 1
        }
        var label = 0
        while label < count - 1, row[label] != largest { label += 1 }
        return (label, largest)
    }
}

/// The classes of an alphabet that may be read.
struct ClassMask: Sendable {
    /// In ascending order, without the blank, which is always allowed.
    let labels: [Int]
}
