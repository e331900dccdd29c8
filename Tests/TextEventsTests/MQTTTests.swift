import GlyphwireProtocol
import NIOCore
import Testing

@testable import TextEvents

@Suite struct MQTTTests {
    @Test func addressesOfBrokers() throws {
        let full = try MQTTConfiguration("mqtts://me:a:b@broker.example:8884/home/gate")
        #expect(full.host == "broker.example")
        #expect(full.port == 8884)
        #expect(full.usesTLS)
        #expect(full.user == "me")
        #expect(full.password == "a:b")
        #expect(full.prefix == "home/gate")
        let short = try MQTTConfiguration("mqtt://[::1]")
        #expect(short.host == "::1")
        #expect(short.port == 1883)
        #expect(short.prefix == "glyphwire")
        #expect(short.user == nil)
        #expect(try MQTTConfiguration("MQTTS://broker").port == 8883)
        #expect(try MQTTConfiguration("mqtt://[::1]:1884/").port == 1884)
    }

    @Test func partsOfAddressesAreUnescaped() throws {
        let broker = try MQTTConfiguration("mqtt://user%40home:p%40ss%2Fw%3Ard@127.0.0.1:18832/t%C3%BCr/")
        #expect(broker.user == "user@home")
        #expect(broker.password == "p@ss/w:rd")
        #expect(broker.host == "127.0.0.1")
        #expect(broker.prefix == "tür")
    }

    @Test(arguments: [
        ("mqtt://localhost:18831/haus/", "haus"), ("mqtt://localhost//haus//garten/", "haus/garten"),
        ("mqtt://localhost/", "glyphwire"), ("mqtt://localhost", "glyphwire"),
    ])
    func slashesAroundThePrefixAreLeftOut(address: String, prefix: String) throws {
        #expect(try MQTTConfiguration(address).prefix == prefix)
    }

    @Test(arguments: [
        ("broker", "begins with neither"), ("http://broker", "begins with neither"), ("mqtt://", "no host"),
        ("mqtt://broker:port", "port cannot be port"), ("mqtt://broker:0", "port cannot be 0"),
        ("mqtt://broker:65536", "port cannot be 65536"), ("mqtt://broker/a/#", "cannot be in topics"),
        ("mqtt://user@home:p@ss/w:rd@127.0.0.1:18832", "%2F"), ("mqtt://me:100%@broker", "%25"),
        ("mqtt://me:a%00b@broker", "not by 00"),
    ])
    func wrongAddressesAreErrorsThatSayWhy(address: String, reason: String) throws {
        let error = try #require(throws: EventError.self) { try MQTTConfiguration(address) }
        #expect(error.message.contains(reason) && !error.message.contains("w:rd"), "\(error)")
    }

    @Test func aSourceHasASensorForEachPattern() throws {
        let configuration = try MQTTConfiguration("mqtt://broker")
        var source = Self.source(EventSource(name: "Tür 1", patterns: ["a", "b"]), configuration)
        #expect(
            source.discovery.map(\.topic) == [
                "homeassistant/sensor/glyphwire_t_r_1/find_0/config",
                "homeassistant/sensor/glyphwire_t_r_1/find_1/config",
            ]
        )
        #expect(String(buffer: source.state[1].payload) == #"{"text":null,"texts":[]}"#)
        source.texts = [
            ObservedText(id: 1, text: "B", confidence: nil, box: TextEventTests.box(row: 0), pattern: 1)
        ]
        #expect(source.state[1].topic == "glyphwire/t_r_1/find/1")
        #expect(String(buffer: source.state[1].payload) == #"{"text":"B","texts":["B"]}"#)
        #expect(String(buffer: source.status.payload) == "offline")
    }

    /// The only source at a broker.
    private static func source(_ source: EventSource, _ configuration: MQTTConfiguration) -> MQTTSource {
        var slugs = UniqueSlugs()
        return MQTTSource(source, configuration: configuration, slugs: &slugs)
    }

    @Test func sourcesWithNamesOfOtherScriptsAreApart() throws {
        let configuration = try MQTTConfiguration("mqtt://broker")
        var slugs = UniqueSlugs()
        let sources = ["门口", "后院"].map {
            MQTTSource(EventSource(name: $0), configuration: configuration, slugs: &slugs)
        }
        #expect(sources.map(\.status.topic) == ["glyphwire/__/status", "glyphwire/___2/status"])
        #expect(Set(sources.flatMap(\.publications).map(\.topic)).count == 6)
        // What is read again keeps its topics, whatever comes and goes beside it.
        slugs.keep(["后院"])
        let names = ["车库", "后院"]
        #expect(names.map { slugs.slug(of: $0) } == ["__", "___2"])
    }

    @Test func aRegionIsASensorWithItsOwnName() throws {
        let configuration = try MQTTConfiguration("mqtt://broker")
        let regions = [
            EventSource.Region(name: "Tür 1"), EventSource.Region(name: "t-r 1", patterns: ["a"]),
            EventSource.Region(name: "plate", patterns: ["a", "b"]),
        ]
        var source = Self.source(EventSource(name: "gate", regions: regions), configuration)
        source.texts = [
            ObservedText(id: 1, text: "in", confidence: 1, box: TextEventTests.box(row: 0), region: "Tür 1"),
            ObservedText(
                id: 2,
                text: "B",
                confidence: nil,
                box: TextEventTests.box(row: 1),
                pattern: 1,
                region: "plate"
            ),
        ]
        #expect(
            source.state.map { "\($0.topic) \(String(buffer: $0.payload))" } == [
                #"glyphwire/gate/region/t_r_1/text {"text":"in","texts":["in"]}"#,
                #"glyphwire/gate/region/t_r_1_2/find/0 {"text":null,"texts":[]}"#,
                #"glyphwire/gate/region/plate/find/0 {"text":null,"texts":[]}"#,
                #"glyphwire/gate/region/plate/find/1 {"text":"B","texts":["B"]}"#,
            ]
        )
        let names = source.discovery.map { String(buffer: $0.payload).prefix { $0 != "," } }
        #expect(
            names == ["{\"name\":\"Tür 1\"", "{\"name\":\"t-r 1\"", "{\"name\":\"plate a\"", "{\"name\":\"plate b\""]
        )
        #expect(Set(source.discovery.map(\.topic)).count == 4)
    }

    @Test func withoutPatternsTheTextIsTheSensor() throws {
        let configuration = try MQTTConfiguration("mqtt://broker/house")
        var source = Self.source(EventSource(name: "gate"), configuration)
        source.texts = ["one", "two"].enumerated().map { row, text in
            ObservedText(id: UInt64(row), text: text, confidence: 1, box: TextEventTests.box(row: row))
        }
        #expect(source.state.map(\.topic) == ["house/gate/text"])
        #expect(String(buffer: source.state[0].payload) == #"{"text":"one\ntwo","texts":["one","two"]}"#)
        #expect(source.discovery.map(\.topic) == ["homeassistant/sensor/house_gate/text/config"])
    }

    fileprivate static let state = #"{"text":"TWO","texts":["TWO"]}"#

    private static func leftover(
        _ topic: String,
        _ payload: String = Self.state,
        of sources: [EventSource] = []
    ) throws -> [String]? {
        let configuration = try MQTTConfiguration("mqtt://broker/my/house")
        var slugs = UniqueSlugs()
        let message = MQTTPublication(topic: topic, payload: ByteBuffer(string: payload))
        let sources = sources.map { MQTTSource($0, configuration: configuration, slugs: &slugs) }
        return MQTTLeftover(message, configuration: configuration, sources: sources)?.removal.map(\.topic)
    }

    @Test func allThatABrokerKeepsOfARemovedSourceIsFoundByItsTexts() throws {
        #expect(
            try Self.leftover("my/house/gate/region/plate/find/1") == [
                "my/house/gate/status", "homeassistant/sensor/my_house_gate/region_plate_find_1/config",
                "my/house/gate/region/plate/find/1",
            ]
        )
        #expect(try Self.leftover("my/house/gate/text")?.count == 3)
    }

    @Test func ofAWatchedSourceOnlyTheRemovedPatternsGo() throws {
        let gate = EventSource(name: "Gate", patterns: ["a", "b"])
        #expect(try Self.leftover("my/house/gate/find/1", of: [gate]) == nil)
        #expect(
            try Self.leftover("my/house/gate/find/2", of: [gate]) == [
                "homeassistant/sensor/my_house_gate/find_2/config", "my/house/gate/find/2",
            ]
        )
        #expect(try Self.leftover("my/house/gate/text", of: [gate])?.count == 2)
    }

    @Test(arguments: [
        ("my/house/lamp/text", "17"), ("my/house/lamp/text", #"{"text":"on"}"#), ("my/house/lamp/text", ""),
        ("my/house/lamp/text", #"{"texts":[],"text":null}"#), ("my/house/lamp/text", #"{"text":1,"texts":[]"#),
        ("my/house/lamp/status", MQTTTests.state), ("my/house/text", MQTTTests.state),
        ("my/house/lamp/find/x", MQTTTests.state), ("my/house/Lamp/text", MQTTTests.state),
        ("your/house/lamp/text", MQTTTests.state),
    ])
    func messagesOfOtherProgramsAreNoLeftovers(topic: String, payload: String) throws {
        #expect(try Self.leftover(topic, payload) == nil)
    }
}
