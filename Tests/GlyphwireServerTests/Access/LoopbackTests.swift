import Testing

@testable import GlyphwireServer

struct LoopbackTests {
    @Test(arguments: ["localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.255.0.3", "::1", "0:0:0:0:0:0:0:1"])
    func aMachineReachesItself(host: String) { #expect(Loopback.contains(host)) }

    @Test(arguments: [
        "", "0.0.0.0", "::", "::2", "10.0.0.1", "128.0.0.1", "localhost.org", "127.0.0.1.org", "example.org",
    ])
    func othersCanBeReachedByOthers(host: String) { #expect(!Loopback.contains(host)) }
}
