/// Second stage of a recognition cascade: its recognizer, and the policy that rejects readings of the first one.
public struct CascadeStage: Sendable {
    let recognizer: RecognizerModel
    let policy: RejectionPolicy

    /// Creates a stage that reads with `recognizer` again what `policy` rejects.
    public init(_ recognizer: RecognizerModel, policy: RejectionPolicy) {
        self.recognizer = recognizer
        self.policy = policy
    }
}
