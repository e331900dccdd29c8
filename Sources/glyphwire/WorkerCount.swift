internal import ArgumentParser

/// Number of threads that read pictures.
enum WorkerCount {
    /// More threads than any machine has cores only take memory.
    static let allowed = 1...1024

    /// Checks a count of the command line; `nil` is one for each core.
    static func validate(_ count: Int?) throws(ValidationError) {
        guard let count, !self.allowed.contains(count) else { return }
        throw ValidationError("There cannot be \(count) workers: use 1 to \(self.allowed.upperBound).")
    }
}
