import GlyphwireProtocol
import TextModel
import Testing
import TextFormats

/// Plain text, result lines and Tesseract's table.
@Suite struct TableTests {
    private func page(unusable reason: String, number: Int) -> Page {
        Sample.page(error: WireError(.fileUnreadable, reason), number: number, name: "bad.png")
    }

    @Test func textHasHeadingsForSeveralPictures() {
        let page = Sample.page([Sample.line("one", x: 0, y: 0), Sample.line("two", x: 0, y: 30)])
        let empty = Sample.page([], number: 2, name: "empty.png")
        #expect(TextFormat.text.document([page]) == "one\ntwo\n")
        #expect(
            TextFormat.text.document([self.page(unusable: "no", number: 3), page, empty])
                == "==> page.png <==\none\ntwo\n\n==> empty.png <==\n"
        )
    }

    @Test func aNameInAHeadingStaysOnItsLine() {
        let page = Sample.page([Sample.line("one", x: 0, y: 0)], name: "a\n==> b <==\u{1B}[31m.png")
        let other = Sample.page([], number: 2)
        #expect(TextFormat.text.document([page, other]).hasPrefix("==> a ==> b <== [31m.png <==\none\n"))
    }

    @Test func jsonIsTheLinesOfTheProtocol() {
        let lines = TextFormat.json.document([
            Sample.page([]), Sample.page(error: WireError(.jpegCorrupt, "cut off"), number: 2, name: "cut.jpg"),
            self.page(unusable: "no file", number: 3),
        ]).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(
            lines[0].hasPrefix(
                #"{"type":"result","sequence":0,"picture":"page.png","captured_us":0,"status":"ok","width":1000"#
            )
        )
        #expect(lines[1].contains(#""code":"jpeg_corrupt""#))
        #expect(lines[2].contains(#""sequence":2,"picture":"bad.png""#))
        #expect(lines[2].contains(#""status":"error","code":"file_unreadable","message":"no file""#))
    }

    @Test func tsvHasARowForEveryLevel() {
        let table = TextFormat.tsv.document([
            self.page(unusable: "no", number: 1), Sample.page(Sample.lines, number: 2),
        ])
        #expect(
            table == """
                level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\tpicture
                1\t2\t0\t0\t0\t0\t0\t0\t1000\t800\t-1\t\tpage.png
                2\t2\t1\t0\t0\t0\t100\t100\t180\t90\t-1\t\tpage.png
                3\t2\t1\t1\t0\t0\t100\t100\t180\t45\t-1\t\tpage.png
                4\t2\t1\t1\t1\t0\t100\t100\t180\t20\t-1\t\tpage.png
                5\t2\t1\t1\t1\t1\t100\t100\t60\t20\t87.5\tOld\tpage.png
                5\t2\t1\t1\t1\t2\t180\t100\t100\t20\t87.5\tFerry\tpage.png
                4\t2\t1\t1\t2\t0\t100\t125\t120\t20\t-1\t\tpage.png
                5\t2\t1\t1\t2\t1\t100\t125\t80\t20\t87.5\tPier\tpage.png
                5\t2\t1\t1\t2\t2\t200\t125\t20\t20\t87.5\t5\tpage.png
                3\t2\t1\t2\t0\t0\t100\t170\t100\t20\t-1\t\tpage.png
                4\t2\t1\t2\t1\t0\t100\t170\t100\t20\t-1\t\tpage.png
                5\t2\t1\t2\t1\t1\t100\t170\t100\t20\t87.5\tOpens\tpage.png
                2\t2\t2\t0\t0\t0\t600\t100\t120\t60\t-1\t\tpage.png
                3\t2\t2\t1\t0\t0\t600\t100\t120\t60\t-1\t\tpage.png
                4\t2\t2\t1\t1\t0\t600\t100\t120\t60\t-1\t\tpage.png
                5\t2\t2\t1\t1\t1\t600\t100\t120\t60\t87.5\t41\tpage.png

                """
        )
    }

    @Test func nothingInATextBreaksARowOfTheTable() throws {
        let table = TextFormat.tsv.document([Sample.page([Sample.line(Sample.nasty, x: 0, y: 0)])])
        let rows = table.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(rows.count == 6)
        #expect(rows.allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 13 })
        #expect(try #require(rows.last).hasSuffix("\ta&b<c>d\"e'f\\g h i j\u{FFFE}k l m n\tpage.png"))
    }
}
