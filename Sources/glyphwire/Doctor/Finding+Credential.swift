internal import GlyphwireProtocol
internal import GlyphwireServer
internal import SystemSupport

extension Finding {
    /// Creates the finding on a certificate or a token with an end, as of now.
    init(_ credential: Credential) {
        let now = WallClock.seconds
        switch credential.state(at: now) {
        case .valid: self.init(.ok, on: "expiry", credential.description)
        case .endsSoon: self.init(.warning, on: "expiry", "\(credential): replace it before")
        case .ended:
            let verdict: Verdict = credential.refusesAll(at: now) ? .failed : .warning
            self.init(verdict, on: "expiry", "\(credential): it has expired, replace it")
        }
    }
}
