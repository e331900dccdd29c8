import Testing

@testable import TextRecognitionOpenVINO

@Suite struct ProcessorTests {
    @Test(
        arguments: [
            ("processor\t: 0\nflags\t\t: fpu sse avx512f avx512_vnni\n\nprocessor\t: 1\nflags\t\t: fpu\n", .whole),
            ("flags\t\t: fpu avx2 avx_vnni\n", .whole), ("flags\t\t: fpu avx2 avx512f avx512_vnni_more\n", .in16Bits),
            ("flags\t\t: fpu avx avx2_more\n", .slow), ("Features\t: fp asimd asimddp\n", .slow), ("", .slow),
        ] as [(String, Processor.ByteSums)]
    )
    func howBytesAreSummedUpIsToldByTheFlags(facts: String, expected: Processor.ByteSums) {
        #expect(Processor.byteSums(facts) == expected)
    }
}
