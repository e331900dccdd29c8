internal import GlyphwireProtocol
internal import GlyphwireServer

extension Finding {
    /// Creates the finding on a certificate or a token with an end, as of now.
    init(_ credential: Credential) {
        switch credential.state(at: WallClock.seconds) {
        case .valid: self.init(.ok, on: "expiry", credential.description)
        case .endsSoon: self.init(.warning, on: "expiry", "\(credential): replace it before")
        case .ended: self.init(.failed, on: "expiry", "\(credential): it has expired, replace it")
        }
    }
}
