import Testing

@testable import GlyphwireHTTP

@Suite struct RefusedConnectionsTests {
    private final class Connection {}

    @Test func theOldestMakesRoomAndThatOfAClientThatHasItsShare() {
        let all = (0..<14).map { _ in Connection() }
        let ids = all.map { ObjectIdentifier($0) }
        var refused = RefusedConnections(limit: 8)
        // Two of each of four clients.
        for number in 0..<8 { #expect(refused.add(ids[number], of: "192.0.2.\(number / 2)") == nil) }
        #expect(refused.add(ids[8], of: "192.0.2.3") == ids[6], "the oldest of the same client")
        #expect(refused.add(ids[9], of: "192.0.2.9") == ids[0])
        #expect(refused.add(ids[10], of: "192.0.2.9") == ids[1])
        #expect(refused.add(ids[11], of: "192.0.2.9") == ids[9])
        refused.remove(ids[2])
        refused.remove(ids[2])
        #expect(refused.add(ids[12], of: "192.0.2.0") == nil)
        #expect(refused.add(ids[13], of: "192.0.2.0") == ids[3])
    }

    @Test func oneIsAlwaysKept() {
        let (first, second) = (Connection(), Connection())
        var refused = RefusedConnections(limit: 1)
        #expect(refused.add(ObjectIdentifier(first), of: "192.0.2.1") == nil)
        #expect(refused.add(ObjectIdentifier(second), of: "192.0.2.2") == ObjectIdentifier(first))
    }
}
