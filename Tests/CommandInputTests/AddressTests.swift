import Testing

@testable import CommandInput

@Suite struct AddressTests {
    @Test(arguments: [("box:7411", "box"), ("[::1]:7411", "::1")])
    func aServerHasANameAndAPort(text: String, host: String) {
        #expect(ServerAddress(argument: text) == ServerAddress(host: host, port: 7411))
    }

    @Test(arguments: ["::1:7411", "box", "7411", "box:0", "box:65536", ":7411"])
    func whatIsNoAddressOfAServerIsNone(text: String) { #expect(ServerAddress(argument: text) == nil) }

    @Test func anAddressToListenOnMayBeAPortAlone() throws {
        let address = try #require(ListenAddress(argument: "0"))
        #expect(address.host == "127.0.0.1" && address.port == 0)
    }
}
