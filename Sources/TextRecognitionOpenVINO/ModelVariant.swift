/// Number format of a network's convolutions; `models/build` creates all variants.
package enum ModelVariant: String, CaseIterable, Sendable {
    /// Floating point, for processors without a known gain from integers. Untested on arm64.
    case float32
    /// 8-bit integers limited in range so that AVX2 can add two products in 16 bits.
    case int8AVX2 = "int8-avx2"
    /// 8-bit integers for the vector neural network instructions of x86-64.
    ///
    /// They have had 512 bits since 2019 and 256 since 2021.
    case int8VNNI = "int8-vnni"
}
