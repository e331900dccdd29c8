import GlyphwireProtocol
import NIOCore
import Testing

@testable import TextEvents

@Suite struct MQTTTests {
    @Test func addressesOfBrokers() {
        let full = MQTTConfiguration("mqtts://me:a:b@broker.example:8884/home/gate")
        #expect(full?.host == "broker.example")
        #expect(full?.port == 8884)
        #expect(full?.usesTLS == true)
        #expect(full?.user == "me")
        #expect(full?.password == "a:b")
        #expect(full?.prefix == "home/gate")
        let short = MQTTConfiguration("mqtt://[::1]")
        #expect(short?.host == "::1")
        #expect(short?.port == 1883)
        #expect(short?.prefix == "glyphwire")
        #expect(short?.user == nil)
        #expect(MQTTConfiguration("mqtts://broker")?.port == 8883)
        for wrong in ["broker", "http://broker", "mqtt://", "mqtt://broker:port", "mqtt://broker/a/#"] {
            #expect(MQTTConfiguration(wrong) == nil, "\(wrong)")
        }
    }

    @Test func aSourceHasASensorForEachPattern() throws {
        let configuration = try #require(MQTTConfiguration("mqtt://broker"))
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
        let configuration = try #require(MQTTConfiguration("mqtt://broker"))
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
        let configuration = try #require(MQTTConfiguration("mqtt://broker"))
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

    @Test func whatIsNoLongerWatchedIsRemoved() throws {
        let configuration = try #require(MQTTConfiguration("mqtt://broker"))
        let old = Self.source(EventSource(name: "gate", patterns: ["a", "b"]), configuration)
        let new = Self.source(EventSource(name: "gate", patterns: ["a"]), configuration)
        #expect(
            old.removal(except: [new]) == [
                MQTTPublication(topic: "homeassistant/sensor/glyphwire_gate/find_1/config", payload: ByteBuffer()),
                MQTTPublication(topic: "glyphwire/gate/find/1", payload: ByteBuffer()),
            ]
        )
        #expect(old.removal(except: []).map(\.topic).contains("glyphwire/gate/status"))
    }

    @Test func withoutPatternsTheTextIsTheSensor() throws {
        let configuration = try #require(MQTTConfiguration("mqtt://broker/house"))
        var source = Self.source(EventSource(name: "gate"), configuration)
        source.texts = ["one", "two"].enumerated().map { row, text in
            ObservedText(id: UInt64(row), text: text, confidence: 1, box: TextEventTests.box(row: row))
        }
        #expect(source.state.map(\.topic) == ["house/gate/text"])
        #expect(String(buffer: source.state[0].payload) == #"{"text":"one\ntwo","texts":["one","two"]}"#)
        #expect(source.discovery.map(\.topic) == ["homeassistant/sensor/house_gate/text/config"])
    }
}
