import GlyphwireServer
import Testing

@testable import GlyphwireHTTP

struct PrometheusTextTests {
    @Test func samplesFollowTheirHelpAndTypeWithLabelsEscaped() {
        var page = PrometheusText()
        page.write("a_total", kind: .counter, help: "Counts.") {
            $0.add(1, ["b": "c \"d\" \\ \n"])
            $0.add(2)
        }
        page.write("e_seconds", kind: .gauge, help: "Measures.") { $0.add(0.25, ["f": "g", "h": "i"]) }
        page.write("j", kind: .gauge, help: "Signs.") { $0.add(3, [("k", "\"\u{301}\r\n")]) }
        #expect(
            page.text == #"""
                # HELP a_total Counts.
                # TYPE a_total counter
                a_total{b="c \"d\" \\ \n"} 1
                a_total 2
                # HELP e_seconds Measures.
                # TYPE e_seconds gauge
                e_seconds{f="g",h="i"} 0.25
                # HELP j Signs.
                # TYPE j gauge
                j{k="\"\#u{301}\#r\n"} 3

                """#
        )
    }
}
