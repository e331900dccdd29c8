/// Search for the greatest load that meets a limit, by doubling and then bisection.
///
/// A load that misses the limit is tried once more before that counts, since other activity of the machine can be the
/// cause and would halve the result.
package struct LimitSearch: Sendable {
    /// Greatest load to try.
    private let maxLoad: Int
    /// Greatest load that met the limit; 0 before there is one.
    package private(set) var met = 0
    /// Smallest load that missed the limit; `nil` before there is one.
    package private(set) var missed: Int?

    /// Load that missed the limit at its first try.
    private var failedOnce: Int?

    /// Creates a search from 1 to `maxLoad`.
    package init(maxLoad: Int) {
        self.maxLoad = maxLoad
    }

    /// The load to try next; `nil` once the result is known.
    package var next: Int? {
        if let failedOnce = self.failedOnce { return failedOnce }
        guard let missed = self.missed else {
            return self.met < self.maxLoad ? min(max(self.met * 2, 1), self.maxLoad) : nil
        }
        return missed - self.met > 1 ? self.met + (missed - self.met) / 2 : nil
    }

    /// Records the result of a load.
    package mutating func tried(_ load: Int, isMet: Bool) {
        let isRepeated = !isMet && self.failedOnce != load
        self.failedOnce = isRepeated ? load : nil
        if isMet {
            self.met = max(self.met, load)
        } else if !isRepeated {
            self.missed = min(self.missed ?? load, load)
        }
    }
}
