import Testing

@testable import TextRecognitionOpenVINO

@Suite struct ProcessorTests {
    @Test(
        arguments: [
            ("processor\t: 0\nflags\t\t: fpu sse avx512f avx512_vnni\n\nprocessor\t: 1\nflags\t\t: fpu\n", .int8VNNI),
            ("flags\t\t: fpu avx2 avx_vnni\n", .int8VNNI),
            ("flags\t\t: fpu avx2 avx512f avx512_vnni_more\n", .int8AVX2),
            ("flags\t\t: fpu avx avx2_more\n", .float32), ("Features\t: fp asimd asimddp\n", .float32), ("", .float32),
        ] as [(String, ModelVariant)]
    )
    func theFlagsDecideWhichVariantRunsFastest(facts: String, expected: ModelVariant) {
        #expect(Processor(facts).variant == expected)
    }

    @Test func aProcessorIsDescribedByWhatItIsAndNotByWhatItDoes() {
        func facts(model: Int, frequency: Int) -> String {
            "processor\t: 0\nmodel name\t: A\nmodel\t\t: \(model)\ncpu MHz\t\t: \(frequency)\nflags\t\t: fpu\n\nmodel\t: 9\n"
        }
        #expect(Processor(facts(model: 1, frequency: 2)).description == "model name: A\nmodel: 1\nflags: fpu")
        #expect(
            Processor(facts(model: 1, frequency: 3)).description == Processor(facts(model: 1, frequency: 2)).description
        )
        #expect(!Processor.current.description.isEmpty)
    }
}
