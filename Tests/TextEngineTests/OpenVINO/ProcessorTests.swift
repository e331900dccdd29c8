import Testing

@testable import TextEngineOpenVINO

@Suite struct ProcessorTests {
    @Test(
        arguments: [
            ("processor\t: 0\nflags\t\t: fpu sse avx512f avx512_vnni\n\nprocessor\t: 1\nflags\t\t: fpu\n", true),
            ("flags\t\t: fpu avx_vnni\n", true), ("flags\t\t: fpu avx2 avx512f avx512_vnni_more\n", false),
            ("Features\t: fp asimd asimddp\n", false), ("", false),
        ]
    )
    func bytesAreFasterWhereTheProcessorSumsUpTheirProducts(facts: String, expected: Bool) {
        #expect(Processor.isFasterInBytes(facts) == expected)
    }
}
